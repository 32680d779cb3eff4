import CommonMark

/// The source text of the leaves whose inlines libcmark cannot parse.
struct Leaves {
    enum Task { case open, done }

    /// By the line on which the paragraph or heading begins.
    private(set) var texts = LineMap<LeafText>()
    /// By the line of the task's list item, with the item's column: several may begin on a line.
    private(set) var tasks = LineMap<(column: Int, task: Task)>()
    /// The kind of a quote, its column, and the title that its author gave it.
    struct Quote {
        let column: Int
        let callout: Callout
        var title: LeafText?
    }

    /// By the lines of quotes that are callouts; the mark is removed from their text.
    private(set) var callouts = LineMap<Quote>()
    /// The ids that authors chose, by the lines of the headings.
    private(set) var headingIDs = LineMap<String>()
    /// The cells of tables, by the lines of the rows.
    private(set) var rows = LineMap<[Table.Cell]>()
    /// The column and number of cells of rows that have more cells than the header, by line.
    private(set) var overfullRows = LineMap<(column: Int, cells: Int)>()

    private let source: SourceText
    private let borrowedBlocks: Bool
    /// The traits of a text that libcmark's inlines are not enough for.
    private let wanted: LineTraits

    /// All texts whose inlines `InlineParser` parses.
    var allTexts: [[UInt8]] {
        texts.values.map(\.bytes) + callouts.values.compactMap { $0.title?.bytes }
            + rows.values.flatMap { $0.map(\.text.bytes) }
    }

    init(none source: SourceText) {
        self.source = source
        borrowedBlocks = false
        wanted = []
    }

    /// - Parameters:
    ///   - wantsHTML: whether HTML needs places that libcmark does not tell.
    ///   - borrowedBlocks: whether quotes may be admonitions of Obsidian.
    ///   - isSmart: whether quotes, `--` and `...` become typographic.
    init(
        of structure: BlockStructure,
        in original: SourceText,
        wantsHTML: Bool,
        borrowedBlocks: Bool,
        isSmart: Bool
    ) {
        source = structure.source
        self.borrowedBlocks = borrowedBlocks
        wanted = LineTraits([.extensions, .foreign]).union(wantsHTML ? .html : [])
            .union(isSmart ? .punctuation : [])
        guard !structure.isPlain || !original.allTraits.isDisjoint(with: wanted) else { return }
        let tables = structure.tables
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
                if tables.contains(node.line), let table = tables[node.line] {
                    rows[node.line] = cells(structure, table, node.line)
                } else {
                    collect(node, tables, &stack, item: item, quote: quote)
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
        _ tables: LineMap<Table>,
        _ stack: inout ContainerStack,
        item: (line: Int, column: Int)?,
        quote: (line: Int, column: Int)?
    ) {
        let line = node.line
        // libcmark is one line off where a setext heading ends.
        let last = min(max(line, node.endLine) + 1, source.lines.count)
        guard
            source.has(wanted, on: line...last) || tables.contains(last)
                || tables.contains(last - 1)
        else { return }
        let textLines = stack.textLines(of: node)
        var lines = textLines ?? line...line
        // A table's header row that libcmark holds for the paragraph's last line.
        let isCut = tables[lines.upperBound]?.hasLazyHeader == true && lines.count > 1
        if isCut { lines = lines.lowerBound...lines.upperBound - 1 }
        guard isCut || source.has(wanted, on: lines) else { return }
        if textLines == nil {
            var text = heading(line, &stack)
            if source.has(.foreign, on: lines) { text.mayBeForeign = true }
            takeID(&text, line)
            texts[line] = text
            return
        }
        var text = stack.text(lines)
        if source.has(.foreign, on: lines) { text.mayBeForeign = true }
        text.dropFirst(ReferenceDefinition.end(of: text.bytes))
        if let item, item.line == node.line { takeTask(&text, item) }
        if node.kind == .heading {
            takeID(&text, node.line)
        } else if let quote {
            takeCallout(&text, quote, hasMore: node.hasNextSibling)
        }
        texts[node.line] = text
    }

    private func heading(_ line: Int, _ stack: inout ContainerStack) -> LeafText {
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
        guard let mark = Callout.mark(in: first, borrowed: borrowedBlocks) else { return }
        var found = Quote(column: quote.column, callout: mark.callout)
        let lineEnd = min(first.count + 1, text.bytes.count)
        if let start = mark.wordsStart {
            // Words without text below them are the text of the alert, not its title.
            if mark.isObsidian, hasMore || lineEnd < text.bytes.count {
                let location = text.location(at: start)
                var title = LeafText()
                title.mayBeForeign = text.mayBeForeign
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

    private mutating func cells(
        _ structure: BlockStructure,
        _ table: Table,
        _ line: Int
    ) -> [Table.Cell] {
        let rowLine = table.hasLazyHeader && line == table.line + 1 ? table.line : line
        guard line != table.line + 1 || table.hasLazyHeader, let row = structure.row(rowLine)
        else { return [] }
        let source = structure.rowSource
        let start = source.line(rowLine).lowerBound
        let cells = TableSyntax.cells(source.bytes, row) ?? []
        if cells.dropFirst(table.alignments.count).contains(where: { !$0.isEmpty }) {
            overfullRows[line] = (row.lowerBound - start + 1, cells.count)
        }
        let mayBeForeign = source.has(.foreign, on: rowLine...rowLine)
        return table.alignments.indices.map { index in
            var text = LeafText()
            text.mayBeForeign = mayBeForeign
            if index < cells.count {
                let cell = source.bytes[cells[index]]
                let column = cell.startIndex - start + 1
                if cell.contains(UInt8(ascii: "\\")) {
                    text.append(TableSyntax.unescaped(cell), line: line, column: column)
                } else {
                    text.append(cell, line: line, column: column)
                }
            }
            return Table.Cell(text: text, alignment: table.alignments[index])
        }
    }
}
