/// Finds the lines that begin or end blocks in the syntax of other tools, from the first line on.
struct BorrowedLines {
    struct Found {
        let block: BorrowedBlock
        /// Whether the block is what is indented by four columns below.
        let isIndented: Bool
    }

    private let source: SourceText
    private let isOn: Bool
    /// The first signs of the blocks that are open and end with a line of their own.
    private var open: [UInt8] = []
    private var openTabs = 0

    init(_ source: SourceText, _ options: MarkdownOptions) {
        self.source = source
        isOn = options.borrowedBlocks
    }

    /// - Parameter content: the line behind the marks of containers.
    mutating func block(_ content: ArraySlice<UInt8>, onLine line: Int) -> Found? {
        guard isOn, let first = content.first else { return nil }
        switch first {
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="):
            guard let block = BorrowedBlock.indented(content), holds(block, line, content)
            else { return nil }
            return Found(block: block, isIndented: true)
        case UInt8(ascii: "*"):
            guard let (name, meaning) = Abbreviations.definition(content) else { return nil }
            let block = BorrowedBlock.abbreviation(name: name, meaning: meaning)
            return Found(block: block, isIndented: false)
        case UInt8(ascii: ":") where content.dropFirst().first?.isSpaceOrTab == true:
            guard content.dropFirst().contains(where: { !$0.isSpaceOrTab }), isBelowText(line)
            else { return nil }
            return Found(block: .definition, isIndented: true)
        case UInt8(ascii: ":"), UInt8(ascii: "{"):
            guard let block = BorrowedBlock.fenced(content), isInPlace(block, first) else {
                return nil
            }
            return Found(block: block, isIndented: false)
        default: return nil
        }
    }

    /// Whether an end has a beginning.
    private mutating func isInPlace(_ block: BorrowedBlock, _ mark: UInt8) -> Bool {
        switch block {
        case .admonition, .cards: open.append(mark)
        case .end:
            guard open.last == mark else { return false }
            open.removeLast()
        case .tabs: openTabs += 1
        case .endOfTabs:
            guard openTabs > 0 else { return false }
            openTabs -= 1
        case .tab, .endOfTab: return openTabs > 0
        case .definition, .abbreviation: break
        }
        return true
    }

    /// Whether something is indented below the line; of an admonition, a title is enough.
    private func holds(
        _ block: BorrowedBlock,
        _ line: Int,
        _ content: ArraySlice<UInt8>
    ) -> Bool {
        if case .admonition(let admonition) = block, admonition.title != nil,
            admonition.ownKind == nil
        {
            return true
        }
        var next = line + 1
        while next <= source.lines.count, source.isBlank(next) { next += 1 }
        guard next <= source.lines.count else { return false }
        let below = source.line(next)
        let marks = content.startIndex - source.line(line).lowerBound
        let start = ContainerStandIn.contentStart(source.bytes, below)
        return start - below.lowerBound >= marks + 4
            || source.bytes[below.lowerBound..<start].contains(.tab)
    }

    /// Whether text stands above, with at most one empty line between.
    private func isBelowText(_ line: Int) -> Bool {
        var above = line - 1
        if above > 0, source.isBlank(above) { above -= 1 }
        guard above > 0, !source.isBlank(above) else { return false }
        let range = source.line(above)
        let start = ContainerStandIn.contentStart(source.bytes, range)
        // A term may be code, but no fence.
        let isFence = source.bytes[start..<range.upperBound].starts(with: "```".utf8)
        return start < range.upperBound && !isFence && !"#|~<".utf8.contains(source.bytes[start])
    }
}
