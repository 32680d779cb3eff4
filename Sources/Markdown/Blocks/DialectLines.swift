import Bytes

/// Finds the lines that begin or end blocks in the syntax of other tools, from the first line on.
struct DialectLines {
    struct Found {
        let block: DialectBlock
        /// The columns by which the block below is indented; 0 for one that ends with a line.
        var indent = 0
    }

    private let source: SourceText
    private let isOn: Bool
    /// The blocks that are open and end with a line of their own, and the first signs of those lines.
    private var open: [(mark: UInt8, block: NamedBlock)] = []
    /// Whether a component of MDX is open, in which no indented text is code.
    var isInComponent: Bool { openComponents > 0 }
    private var openComponents = 0
    /// How many of them are tabs, by their sign.
    private var openTabs: [UInt8: Int] = [:]
    /// The last lines that end a shortcode or a component, by its name; `nil` as long as nobody asked.
    private var lastEnds: [String: Int]?

    init(_ source: SourceText, _ options: MarkdownOptions) {
        self.source = source
        isOn = options.borrowedBlocks
    }

    /// - Parameter content: the line behind the marks of containers.
    mutating func block(_ content: ArraySlice<UInt8>, onLine line: Int) -> Found? {
        guard isOn, let first = content.first else { return nil }
        switch first {
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="):
            guard let block = DialectBlock.indented(content),
                let indent = indent(below: block, line, content)
            else { return nil }
            return Found(block: block, indent: indent)
        case UInt8(ascii: "*"):
            guard let (name, meaning) = Abbreviations.definition(content) else { return nil }
            let block = DialectBlock.abbreviation(name: name, meaning: meaning)
            return Found(block: block)
        case UInt8(ascii: ":") where content.dropFirst().first?.isSpaceOrTab == true:
            guard content.dropFirst().contains(where: { !$0.isSpaceOrTab }), isBelowText(line)
            else { return nil }
            return Found(block: .definition, indent: Self.full)
        case UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "<"):
            guard let block = DialectBlock.fenced(content),
                let placed = placed(block, first, content, line)
            else { return nil }
            return Found(block: placed)
        default: return nil
        }
    }

    /// The block, if it may stand here: an end has a beginning, a tab has a group, and a shortcode or
    /// a component, many of which are single tags, has an end.
    private mutating func placed(
        _ block: DialectBlock,
        _ mark: UInt8,
        _ content: ArraySlice<UInt8>,
        _ line: Int
    ) -> DialectBlock? {
        let named: NamedBlock
        switch block {
        case .end(let block): return end(block, mark)
        case .admonition(let admonition): named = admonition.fold == .none ? .box : .details
        case .begin(let block): named = block
        case .tab:
            guard openTabs[mark, default: 0] > 0 else { return nil }
            named = .tab
        case .figure, .component, .link, .definition, .abbreviation: return block
        }
        if content.starts(with: "{{".utf8) || mark == UInt8(ascii: "<"), !hasEnd(content, line) {
            return nil
        }
        if named == .tabs { openTabs[mark, default: 0] += 1 }
        if mark == UInt8(ascii: "<") { openComponents += 1 }
        open.append((mark, named))
        return block
    }

    /// The end of the innermost block, or of one of a kind; tabs in it need none.
    private mutating func end(_ block: NamedBlock?, _ mark: UInt8) -> DialectBlock? {
        while let last = open.last, last.mark == mark {
            // The same tag ends a box and one that is folded.
            let isSame = last.block == block || [last.block, block] == [.details, .box]
            guard block == nil || isSame || last.block == .tab else { return nil }
            open.removeLast()
            if last.block == .tabs { openTabs[mark, default: 0] -= 1 }
            if mark == UInt8(ascii: "<") { openComponents -= 1 }
            if block == nil || isSame { return .end(last.block) }
        }
        return nil
    }

    private mutating func hasEnd(_ content: ArraySlice<UInt8>, _ line: Int) -> Bool {
        if lastEnds == nil { lastEnds = findEnds() }
        return lastEnds?[Self.name(in: content), default: 0] ?? 0 > line
    }

    private func findEnds() -> [String: Int] {
        var ends: [String: Int] = [:]
        for (index, line) in source.lines.enumerated() {
            let text = source.bytes[source.contentStart(line)..<line.upperBound]
            let name = Self.name(in: text)
            if name.contains("/") { ends[name.filter { $0 != "/" }] = index + 1 }
        }
        return ends
    }

    /// `{{<name`, `<Name`; with a slash before the name of an end.
    private static func name(in tag: ArraySlice<UInt8>) -> String {
        let open = tag.prefix { "{<%".utf8.contains($0) }
        if open.isEmpty { return "" }
        var scanner = DialectScanner(tag[open.endIndex...])
        return String(decoding: open + scanner.word(until: ">%"), as: UTF8.self)
    }

    /// The columns by which MkDocs indents a block.
    private static let full = 4

    /// By how many columns the block below a line is indented, at most by four; `nil` where there is
    /// none.
    ///
    /// MkDocs leaves the text of a block with two or three spaces outside of it, and an empty box
    /// above the text. Nobody means that. Of an admonition that is not folded, a title is enough.
    private func indent(
        below block: DialectBlock,
        _ line: Int,
        _ content: ArraySlice<UInt8>
    ) -> Int? {
        var next = line + 1
        while next <= source.lines.count, source.isBlank(next) { next += 1 }
        let marks = source.bytes[source.line(line).lowerBound..<content.startIndex]
        var isText = false
        if next <= source.lines.count {
            let quotes = marks.count { $0 == UInt8(ascii: ">") }
            let below = source.bytes[source.line(next)]
            let indent = Self.columns(of: below, quotes) - Self.columns(of: marks, .max)
            if indent >= 2 { return min(indent, Self.full) }
            let start = source.contentStart(source.line(next))
            isText = next == line + 1 && !"!?".utf8.contains(source.bytes[start])
        }
        guard case .admonition(let admonition) = block, admonition.title != nil,
            admonition.ownKind == nil, admonition.fold == .none, !isText
        else { return nil }
        return Self.full
    }

    /// The columns in front of a line's text: of white space, of the marks of quotes, and of those of
    /// list items in the line that opens them.
    private static func columns(of line: ArraySlice<UInt8>, _ quotes: Int) -> Int {
        var columns = 0
        var left = quotes
        for byte in line {
            switch byte {
            case .tab: columns += 4 - columns % 4
            case .space: columns += 1
            case UInt8(ascii: ">") where left > 0:
                columns += 1
                left -= 1
            default:
                if quotes != .max { return columns }
                columns += 1
            }
        }
        return columns
    }

    /// Whether text stands above, with at most one empty line between.
    private func isBelowText(_ line: Int) -> Bool {
        var above = line - 1
        if above > 0, source.isBlank(above) { above -= 1 }
        guard above > 0, !source.isBlank(above) else { return false }
        let range = source.line(above)
        let start = source.contentStart(range)
        // A term may be code, but no fence.
        let isFence = source.bytes[start..<range.upperBound].starts(with: "```".utf8)
        return start < range.upperBound && !isFence && !"#|~<".utf8.contains(source.bytes[start])
    }
}
