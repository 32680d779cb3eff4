import CommonMark

/// The source text of the leaves whose inlines libcmark cannot parse.
struct Leaves {
    enum Task { case open, done }

    /// By the line on which the paragraph or heading begins.
    private(set) var texts: [Int: LeafText] = [:]
    /// By the line of the task's list item, with the item's column: several may begin on a line.
    private(set) var tasks: [Int: (column: Int, task: Task)] = [:]
    /// The kind of a quote, its column, and the title that its author gave it.
    struct Quote {
        let column: Int
        let callout: Callout
        var title: LeafText?
    }

    /// By the lines of quotes that are callouts; the mark is removed from their text.
    private(set) var callouts: [Int: Quote] = [:]
    /// The ids that authors chose, by the lines of the headings.
    private(set) var headingIDs: [Int: String] = [:]
    /// The cells of tables, by the lines of the rows.
    private(set) var rows: [Int: [Table.Cell]] = [:]
    /// The column and number of cells of rows that have more cells than the header, by line.
    private(set) var overfullRows: [Int: (column: Int, cells: Int)] = [:]

    private let source: SourceText
    private let wantsHTML: Bool
    private let isSmart: Bool

    /// All texts whose inlines `InlineParser` parses.
    var allTexts: [[UInt8]] {
        texts.values.map(\.bytes) + callouts.values.compactMap { $0.title?.bytes }
            + rows.values.flatMap { $0.map(\.text.bytes) }
    }

    init(none source: SourceText) {
        self.source = source
        wantsHTML = false
        isSmart = false
    }

    /// - Parameters:
    ///   - wantsHTML: whether HTML needs places that libcmark does not tell.
    ///   - isSmart: whether quotes, `--` and `...` become typographic.
    init(
        of structure: BlockStructure,
        in original: SourceText,
        wantsHTML: Bool,
        isSmart: Bool
    ) {
        source = structure.source
        self.wantsHTML = wantsHTML
        self.isSmart = isSmart
        let isWanted =
            !structure.isPlain || mayExtend(original.bytes, 0..<original.bytes.count)
        guard isWanted else { return }
        var stack = ContainerStack(source)
        var item: (line: Int, column: Int)?
        var quote: (line: Int, column: Int)?
        structure.document.walk { node, entering in
            switch node.kind {
            case .blockQuote, .item:
                if entering { stack.enter(node) } else { stack.leave() }
                let isItem = node.kind == .item && !structure.isFootnote(node)
                item = entering && isItem ? (node.line, node.column) : nil
                quote = entering && node.kind == .blockQuote ? (node.line, node.column) : nil
                return .descend
            case .paragraph, .heading:
                if structure.tables[node.line] != nil {
                    rows[node.line] = cells(structure, node.line)
                } else {
                    collect(node, structure, stack, item: item, quote: quote)
                }
                (item, quote) = (nil, nil)
                return .skip
            case .document, .list: return .descend
            default:
                (item, quote) = (nil, nil)
                return .skip
            }
        }
    }

    private mutating func collect(
        _ node: Node,
        _ structure: BlockStructure,
        _ stack: ContainerStack,
        item: (line: Int, column: Int)?,
        quote: (line: Int, column: Int)?
    ) {
        let textLines = stack.textLines(of: node)
        var lines = textLines ?? node.line...node.line
        // A table's header row that libcmark holds for the paragraph's last line.
        let isCut = structure.tables[lines.upperBound]?.hasLazyHeader == true && lines.count > 1
        if isCut { lines = lines.lowerBound...lines.upperBound - 1 }
        let start = source.line(lines.lowerBound).lowerBound
        guard
            isCut || mayExtend(source.bytes, start..<source.line(lines.upperBound).upperBound)
        else {
            return
        }
        if textLines == nil {
            var text = heading(node.line, stack)
            takeID(&text, node.line)
            texts[node.line] = text
            return
        }
        var text = stack.text(lines)
        text.dropFirst(ReferenceDefinition.end(of: text.bytes))
        if let item, item.line == node.line { takeTask(&text, item) }
        if node.kind == .heading {
            takeID(&text, node.line)
        } else if let quote {
            takeCallout(&text, quote, hasMore: node.hasNextSibling)
        }
        texts[node.line] = text
    }

    private func heading(_ line: Int, _ stack: ContainerStack) -> LeafText {
        let range = source.line(line)
        var start = range.lowerBound + stack.content(ofLine: line).start
        let number = UInt8(ascii: "#")
        while start < range.upperBound, source.bytes[start] == number { start += 1 }
        while start < range.upperBound, source.bytes[start].isSpaceOrTab { start += 1 }
        var end = range.upperBound
        func trim() {
            while end > start, source.bytes[end - 1].isWhitespace { end -= 1 }
        }
        trim()
        // A closing run of '#' belongs to the mark if a space stands before it.
        var closing = end
        while closing > start, source.bytes[closing - 1] == number { closing -= 1 }
        if closing == start || source.bytes[closing - 1].isSpaceOrTab {
            end = closing
            trim()
        }
        var text = LeafText()
        text.append(source.bytes[start..<end], line: line, column: start - range.lowerBound + 1)
        return text
    }

    private mutating func takeTask(_ text: inout LeafText, _ item: (line: Int, column: Int)) {
        guard text.bytes.count > 3, text.bytes[0] == UInt8(ascii: "["),
            text.bytes[2] == UInt8(ascii: "]"),
            text.bytes[3].isWhitespace, !text.bytes[3].isLineEnd
        else { return }
        switch text.bytes[1] {
        case .space, .tab: tasks[item.line] = (item.column, .open)
        case UInt8(ascii: "x"), UInt8(ascii: "X"): tasks[item.line] = (item.column, .done)
        default: return
        }
        let spaces = text.bytes.dropFirst(3).prefix(while: \.isWhitespace).count
        text.dropFirst(3 + spaces)
    }

    /// - Parameter hasMore: whether the quote continues behind the paragraph.
    private mutating func takeCallout(
        _ text: inout LeafText,
        _ quote: (line: Int, column: Int),
        hasMore: Bool
    ) {
        let first = text.bytes.prefix { !$0.isLineEnd }
        guard let mark = Callout.mark(in: first) else { return }
        var found = Quote(column: quote.column, callout: mark.callout)
        let lineEnd = min(first.count + 1, text.bytes.count)
        if let start = mark.wordsStart {
            // Words without text below them are the text of the alert, not its title.
            if mark.isObsidian, hasMore || lineEnd < text.bytes.count {
                let location = text.location(at: start)
                var title = LeafText()
                title.append(first[start...], line: location.line, column: location.column)
                found.title = title
                text.dropFirst(lineEnd)
            } else {
                text.dropFirst(start)
            }
        } else {
            text.dropFirst(lineEnd)
        }
        callouts[quote.line] = found
    }

    /// The id that a heading ends with: `## Heading {#id}`, `## Heading {: #id .class }`.
    private mutating func takeID(_ text: inout LeafText, _ line: Int) {
        text.trim()
        guard let list = HeadingAttributes(at: text.bytes) else { return }
        headingIDs[line] = list.id
        text.dropLast(text.bytes.count - list.start)
        text.trim()
    }

    private mutating func cells(_ structure: BlockStructure, _ line: Int) -> [Table.Cell] {
        guard let table = structure.tables[line],
            let row = structure.rows[
                table.hasLazyHeader && line == table.line + 1 ? table.line : line
            ],
            line != table.line + 1 || table.hasLazyHeader
        else { return [] }
        let cells = TableSyntax.cells(row.text) ?? []
        if cells.dropFirst(table.alignments.count).contains(where: { !$0.text.isEmpty }) {
            overfullRows[line] = (row.offset + 1, cells.count)
        }
        return table.alignments.enumerated().map { index, alignment in
            var text = LeafText()
            if index < cells.count {
                let column = row.offset + cells[index].offset + 1
                text.append(cells[index].text, line: line, column: column)
            }
            return Table.Cell(text: text, alignment: alignment)
        }
    }

    /// Whether anything in the range may be an extension; a quick check that may say yes too often.
    private func mayExtend(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        let span = bytes.span
        func byte(_ index: Int) -> UInt8 { index < range.upperBound ? span[index] : 0 }
        // Whether the address at `start` has a space that no title follows.
        func hasSpace(_ start: Int) -> Bool {
            var index = start
            while index < range.upperBound, span[index] > .space, span[index] != UInt8(ascii: ")"),
                span[index] != UInt8(ascii: "]")
            {
                index += 1
            }
            return byte(index) == .space && !"\"')".utf8.contains(byte(index + 1))
        }
        for index in range {
            switch span[index] {
            case UInt8(ascii: "~"), UInt8(ascii: "@"): return true
            case UInt8(ascii: "<"): if wantsHTML { return true }
            case UInt8(ascii: ":"):
                let slash = UInt8(ascii: "/")
                // ': text' may define a term.
                if byte(index + 1).isSpaceOrTab,
                    index == range.lowerBound || span[index - 1].isWhitespace
                        || span[index - 1] == UInt8(ascii: ">")
                {
                    return true
                }
                if byte(index + 1) == slash, byte(index + 2) == slash { return true }
                if byte(index + 1) == span[index], byte(index + 2) == span[index] { return true }
            case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="):
                let next = byte(index + 1)
                if span[index] == UInt8(ascii: "="), next.isDigit || next == UInt8(ascii: "x"),
                    index > range.lowerBound, span[index - 1] == .space
                {
                    return true
                }
                if next == span[index], byte(index + 2) == next, !byte(index + 3).isLineEnd {
                    return true
                }
            case UInt8(ascii: ")"):
                if byte(index + 1) == UInt8(ascii: "=") { return true }
            case UInt8(ascii: "-"):
                if byte(index + 1) == UInt8(ascii: "8") { return true }
                if isSmart, byte(index + 1) == span[index] { return true }
            case UInt8(ascii: "'"), UInt8(ascii: "\""): if isSmart { return true }
            case UInt8(ascii: "."): if isSmart, byte(index + 1) == span[index] { return true }
            case UInt8(ascii: "i"), UInt8(ascii: "e"):
                let isFirst = index == range.lowerBound || span[index - 1].isLineEnd
                if isFirst, byte(index + 6) == .space { return true }
            case UInt8(ascii: "r"):
                if byte(index + 1) == UInt8(ascii: "[") { return true }
            case UInt8(ascii: "w"):
                let w = UInt8(ascii: "w")
                if byte(index + 1) == w, byte(index + 2) == w, byte(index + 3) == UInt8(ascii: ".")
                {
                    return true
                }
            case UInt8(ascii: "&"):
                // '&#64;' and '&commat;' are at signs.
                if byte(index + 1) == UInt8(ascii: "#") || byte(index + 1) == UInt8(ascii: "c") {
                    return true
                }
            case UInt8(ascii: "{"):
                if "{{%:#. /".utf8.contains(byte(index + 1)) { return true }
            case UInt8(ascii: "%"): if byte(index + 1) == span[index] { return true }
            case UInt8(ascii: "]"):
                if byte(index + 1) == UInt8(ascii: "("), hasSpace(index + 2) { return true }
            case UInt8(ascii: "["):
                if "^![".utf8.contains(byte(index + 1)) || byte(index + 2) == UInt8(ascii: "]") {
                    return true
                }
                // '[TOC]'
                if byte(index + 1) == UInt8(ascii: "T"), byte(index + 2) == UInt8(ascii: "O"),
                    byte(index + 4) == UInt8(ascii: "]")
                {
                    return true
                }
            default: continue
            }
        }
        return false
    }
}
