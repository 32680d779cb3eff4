import CommonMark

/// A footnote, `[^label]: text`; its content is in the tree.
struct FootnoteDefinition {
    /// As the author wrote it.
    let label: String
    /// Whether the label stands alone on its line; libcmark then gets a heading behind the mark.
    let isEmpty: Bool
    /// The column of the text in the document minus its column in the text that libcmark gets.
    var columnShift: Int
}

/// A line that libcmark gets in place of the first or last line of a block that it does not know.
struct ContainerStandIn {
    var line: [UInt8]
    /// Where libcmark must find the block, in bytes from 1.
    var column: Int
    let kind: Node.Kind
    var footnote: FootnoteDefinition?
    /// The block of another tool that begins or ends on the line.
    var block: BorrowedBlock?

    /// Whether the block continues on the lines that are indented.
    var isIndented: Bool { kind == .item }
    /// By how many columns less than four.
    var narrowing = 0

    static let fence = Array("~~~~~~~~~~~~".utf8)

    /// By line number.
    ///
    static func candidates(
        in source: SourceText,
        mark: [UInt8],
        _ options: MarkdownOptions
    ) -> [Int: ContainerStandIn] {
        guard source.allTraits.contains(.container) else { return [:] }
        var candidates: [Int: ContainerStandIn] = [:]
        var openFence: (line: Int, mark: UInt8)?
        var borrowed = BorrowedLines(source, options)
        for (index, line) in source.lines.enumerated()
        where source.traits[index].contains(.container) {
            let start = contentStart(source.bytes, line)
            let content = source.bytes[start..<line.upperBound]
            let prefix = source.bytes[line.lowerBound..<start]
            if let (label, text) = footnote(content) {
                let shown = text.isEmpty ? [UInt8(ascii: "#")] : Array(text)
                candidates[index + 1] = ContainerStandIn(
                    line: prefix + mark + shown,
                    column: prefix.count + 1,
                    kind: .item,
                    footnote: FootnoteDefinition(
                        label: label,
                        isEmpty: text.isEmpty,
                        columnShift: content.count - text.count - mark.count
                    )
                )
            } else if let (mark, info) = Self.fenceMark(content, options.formulas, openFence?.mark)
            {
                if let opened = openFence, opened.mark == mark, info.isEmpty || info == "math" {
                    // The last line of a code block is confirmed with the first one.
                    candidates[index + 1] = ContainerStandIn(
                        line: prefix + fence,
                        column: -opened.line,
                        kind: .codeBlock
                    )
                    openFence = nil
                } else if openFence == nil, !info.isEmpty {
                    candidates[index + 1] = ContainerStandIn(
                        line: prefix + fence + [.space] + info.utf8,
                        column: prefix.count + 1,
                        kind: .codeBlock
                    )
                    openFence = (index + 1, mark)
                }
            } else if openFence == nil, let found = borrowed.block(content, onLine: index + 1) {
                candidates[index + 1] = ContainerStandIn(found, prefix, mark, content)
            }
        }
        if let opened = openFence { candidates[opened.line] = nil }
        return candidates
    }

    /// The first sign of a line that begins or ends a block, and the info string of its stand-in:
    /// `mermaid` of `::: mermaid`, `math` of `$$`, nothing of `:::`.
    private static func fenceMark(
        _ content: ArraySlice<UInt8>,
        _ formulas: Bool,
        _ open: UInt8?
    ) -> (mark: UInt8, info: String)? {
        if content.starts(with: ":::".utf8) {
            let word = content.drop { $0 == UInt8(ascii: ":") || $0.isSpaceOrTab }
            let isEnd = word.isEmpty && open == UInt8(ascii: ":")
            guard isEnd || word.starts(with: "mermaid".utf8) else { return nil }
            return (UInt8(ascii: ":"), String(decoding: word, as: UTF8.self))
        }
        guard formulas, content.starts(with: "$$".utf8),
            content.dropFirst(2).allSatisfy(\.isSpaceOrTab)
        else { return nil }
        return (UInt8(ascii: "$"), "math")
    }

    struct Confirmation {
        /// The candidates that libcmark reads as intended.
        var candidates: [Int: ContainerStandIn] = [:]
        /// Whether libcmark finds all of them at the expected columns.
        var areInPlace = true
        /// Whether libcmark puts one into a list that also has items of the author.
        var areMixed = false
    }

    /// Looks for the stand-ins in libcmark's tree.
    ///
    /// A footnote continues on lines that are indented by four columns; a list item on lines that
    /// are indented further than its mark. So the spaces before a footnote are removed.
    static func confirm(
        _ candidates: [Int: ContainerStandIn],
        in document: Document,
        _ source: SourceText
    ) -> Confirmation {
        var confirmation = Confirmation()
        var stack = ContainerStack(source)
        func candidate(_ node: Node?) -> ContainerStandIn? {
            guard let node, let candidate = candidates[node.line], candidate.column == node.column
            else { return nil }
            return candidate
        }
        document.walk { node, entering in
            let isContainer = node.kind == .item || node.kind == .blockQuote
            if !entering {
                if isContainer { stack.leave() }
                return .descend
            }
            if var candidate = candidate(node), candidate.kind == node.kind {
                let indent = stack.content(ofLine: node.line).indent
                let spaces = candidate.line.prefix(candidate.column - 1).suffix(indent)
                if candidate.isIndented, indent > 0, spaces.allSatisfy({ $0 == .space }) {
                    candidate.line.removeSubrange(spaces.indices)
                    candidate.column -= indent
                    // Lines below are indented by the removed spaces, too.
                    let added = min(indent, candidate.narrowing)
                    let place = candidate.line.count - (added > 0 ? 1 : 0)
                    candidate.line.insert(contentsOf: spaces.prefix(added), at: place)
                    candidate.narrowing -= added
                    candidate.footnote?.columnShift += indent
                    confirmation.areInPlace = false
                }
                confirmation.candidates[node.line] = candidate
            }
            if node.kind == .item, (candidate(node) == nil) != (candidate(node.parent) == nil) {
                confirmation.areMixed = true
            }
            if isContainer { stack.enter(node) }
            return .descend
        }
        for (line, candidate) in candidates where candidate.column < 0 {
            if confirmation.candidates[-candidate.column] != nil {
                confirmation.candidates[line] = candidate
            }
        }
        return confirmation
    }

    /// Behind the marks of quotes and list items.
    static func contentStart(_ bytes: [UInt8], _ line: Range<Int>) -> Int {
        var position = line.lowerBound
        while position < line.upperBound {
            let byte = bytes[position]
            if byte.isSpaceOrTab || byte == UInt8(ascii: ">") {
                position += 1
                continue
            }
            var end = position
            while end < line.upperBound, bytes[end].isDigit { end += 1 }
            guard end + 1 < line.upperBound, bytes[end + 1].isSpaceOrTab,
                (end > position ? ".)" : "-+*").utf8.contains(bytes[end])
            else { break }
            position = end + 1
        }
        return position
    }

    /// `[^label]:` and what follows.
    private static func footnote(
        _ content: ArraySlice<UInt8>
    ) -> (label: String, text: ArraySlice<UInt8>)? {
        guard content.starts(with: "[^".utf8) else { return nil }
        let label = content.dropFirst(2).prefix { byte in
            byte != UInt8(ascii: "]") && !byte.isWhitespace
        }
        let rest = content[label.endIndex...]
        guard !label.isEmpty, rest.starts(with: "]:".utf8) else { return nil }
        let text = rest.dropFirst(2).drop(while: \.isSpaceOrTab)
        return (String(decoding: label, as: UTF8.self), text)
    }

    /// List marks four columns wide.
    ///
    /// An author's list beside the footnote with the same mark would be one list with it; then the
    /// next mark is tried.
    static let marks = ["+   ", "*   ", "-   ", "1)  ", "1.  "].map { Array($0.utf8) }
}

extension ContainerStandIn {
    /// `nil` where the mark is wider than the block is indented.
    fileprivate init?(
        _ found: BorrowedLines.Found,
        _ prefix: ArraySlice<UInt8>,
        _ mark: [UInt8],
        _ content: ArraySlice<UInt8>
    ) {
        // An empty heading takes one line and ends any paragraph.
        var text = [UInt8(ascii: "#")]
        if case .definition = found.block {
            text = Array(content.dropFirst().drop(while: \.isSpaceOrTab))
        }
        // One space has to follow the mark, which may be a number.
        let shortest = (mark.firstIndex(of: .space) ?? 0) + 1
        let width = found.indent
        if width > 0, width < shortest { return nil }
        line = prefix + mark.prefix(width) + text
        column = prefix.count + 1
        kind = width > 0 ? .item : .heading
        narrowing = width > 0 ? mark.count - width : 0
        block = found.block
    }
}
