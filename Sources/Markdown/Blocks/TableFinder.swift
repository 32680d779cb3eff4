import CommonMark

/// A table, by the lines it stands on.
struct Table {
    struct Cell {
        let text: LeafText
        let alignment: TableSyntax.Alignment?
    }

    /// Of the header row.
    let line: Int
    let alignments: [TableSyntax.Alignment?]
    /// Whether the header row is the lazy continuation of a paragraph in a quote or a list.
    ///
    /// The row then stays in libcmark's paragraph: any stand-in would end the quote.
    let hasLazyHeader: Bool
    var lastLine: Int

    /// The line on which the header row is rendered.
    var headerLine: Int { hasLazyHeader ? line + 1 : line }
}

/// Finds the tables of a document round by round.
///
/// A table begins in a paragraph of libcmark's tree: a line, and below it a delimiter row with as
/// many cells. Its rows continue until another block begins. libcmark tells in the next round
/// whether one does: then the rows found so far stand in its text as headings.
///
/// Most tables stand alone between blank lines. They are taken before the first round, and its tree
/// confirms them.
struct TableFinder {
    /// The text with empty headings for the rows found so far.
    private(set) var shown: SourceText
    private(set) var tables = LineMap<Table>()

    private struct StandIn {
        let line: [UInt8]
        /// Where the row begins on its line in the source.
        let start: Int
    }

    let source: SourceText
    private let rejected: Set<Int>
    /// The lines that may be delimiter rows, in order.
    private let delimiters: [Int]
    /// How many bytes stand before the rows on their lines.
    private var rowStarts = LineMap<Int>()
    private var standIns = LineMap<[UInt8]>()
    private var lazyHeaders: Set<Int> = []
    private var cellCount = 0
    /// How many stand-ins are headings in the tree that was looked through last.
    private var confirmed = 0

    /// - Parameter document: the tree of the text, where there is one already.
    /// - Returns: also the tree of the text with stand-ins.
    static func find(
        in source: SourceText,
        _ document: Document?
    ) throws(RenderLimitError) -> (TableFinder, Document) {
        let delimiters = source.traits.indices.filter { source.traits[$0].mayBeDelimiterRow }
            .map { $0 + 1 }
        if document == nil, !delimiters.isEmpty {
            var finder = TableFinder(source, delimiters)
            try finder.takeSeparateTables()
            let found = try finder.findAll(Document(finder.shown.bytes, isValid: true))
            if found.lost.isEmpty { return (finder, found.document) }
        }
        let unchanged = document ?? Document(source.bytes, isValid: true)
        var rejected: Set<Int> = []
        for _ in 0..<(delimiters.isEmpty ? 0 : 8) {
            var finder = TableFinder(source, delimiters, rejected: rejected)
            let found = try finder.findAll(unchanged)
            if found.lost.isEmpty { return (finder, found.document) }
            rejected.formUnion(found.lost)
        }
        return (TableFinder(source, delimiters), unchanged)
    }

    /// - Parameter rejected: lines on which no table begins.
    init(_ source: SourceText, _ delimiters: [Int], rejected: Set<Int> = []) {
        self.source = source
        self.delimiters = delimiters
        self.rejected = rejected
        shown = source
    }

    /// The bytes of a row on its line, as the author wrote it.
    func row(_ line: Int) -> Range<Int>? {
        rowStarts[line].map { range(line, from: $0) }
    }

    /// Looks for tables until there are no more.
    ///
    /// - Returns: also the first lines of tables that another table has moved into another block,
    ///   such as code.
    private mutating func findAll(
        _ first: Document
    ) throws(RenderLimitError) -> (document: Document, lost: Set<Int>) {
        var document = first
        for _ in 0..<16 {
            guard try look(in: document) else {
                let isComplete = confirmed == standIns.values.count
                return (document, isComplete ? [] : lost(in: document))
            }
            document = Document(shown.bytes, isValid: true)
        }
        return (document, lost(in: document))
    }

    /// Takes the tables that stand alone, from one blank line to the next, in no container: each
    /// line begins with a pipe.
    ///
    /// Whether they are tables or paragraphs, all other lines mean the same. Those in code or HTML
    /// are lost.
    private mutating func takeSeparateTables() throws(RenderLimitError) {
        var found: [(Table, [(Int, StandIn)])] = []
        var fence: UInt8?
        var reached = 1
        for delimiter in delimiters {
            while reached < delimiter {
                let line = source.line(reached)
                let mark = line.isEmpty ? 0 : source.bytes[line.lowerBound]
                if mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~"),
                    fence == nil || fence == mark,
                    source.bytes[line].starts(with: [mark, mark, mark])
                {
                    fence = fence == nil ? mark : nil
                }
                reached += 1
            }
            if fence == nil, let table = separateTable(delimiter) { found.append(table) }
        }
        if !found.isEmpty { try take(found) }
    }

    private func separateTable(_ delimiter: Int) -> (Table, [(Int, StandIn)])? {
        func isRow(_ line: Int) -> Bool {
            let range = source.line(line)
            return !range.isEmpty && source.bytes[range.lowerBound] == UInt8(ascii: "|")
        }
        let header = delimiter - 1
        guard header > 0, header == 1 || source.isBlank(header - 1), isRow(header),
            isRow(delimiter),
            let alignments = TableSyntax.alignments(source.bytes[source.line(delimiter)]),
            TableSyntax.cells(source.bytes, source.line(header))?.count == alignments.count
        else { return nil }
        var last = delimiter
        while last < source.lines.count, isRow(last + 1),
            TableSyntax.cells(source.bytes, source.line(last + 1)) != nil
        {
            last += 1
        }
        guard last == source.lines.count || source.isBlank(last + 1) else { return nil }
        let standIn = StandIn(line: [UInt8(ascii: "#")], start: 0)
        let table = Table(
            line: header,
            alignments: alignments,
            hasLazyHeader: false,
            lastLine: last
        )
        return (table, (header...last).map { ($0, standIn) })
    }

    /// Looks for tables and further rows.
    ///
    /// - Returns: whether there are any, so that the text has to be parsed again.
    private mutating func look(in document: Document) throws(RenderLimitError) -> Bool {
        var stack = ContainerStack(shown)
        var found: [(Table, [(Int, StandIn)])] = []
        var visited: Set<Int> = []
        var lastFound: Int?
        confirmed = 0
        let delimiters = delimiters
        document.walk { node, entering in
            switch node.kind {
            case .blockQuote, .item:
                if entering { stack.enter(node) } else { stack.leave() }
                return .descend
            case .paragraph, .heading:
                guard entering else { return .descend }
                let line = node.line
                if node.kind == .heading, standIns.contains(line) {
                    confirmed += 1
                    return .skip
                }
                // A paragraph directly behind a table may be more rows; the next round tells.
                if let lastFound, lastFound == node.previousSibling?.line,
                    !shown.isBlank(line - 1)
                {
                    return .skip
                }
                let mayBeTable =
                    tables.contains(line - 1) || Self.hasDelimiter(node, delimiters)
                if mayBeTable, !standIns.contains(line), visited.insert(line).inserted,
                    let next = table(node, &stack)
                {
                    found.append(next)
                    lastFound = line
                }
                return .skip
            default: return .descend
            }
        }
        if found.isEmpty { return false }
        try take(found)
        return true
    }

    /// Whether a delimiter row may stand in a paragraph.
    ///
    /// - Parameter delimiters: a method of the finder would copy it.
    private static func hasDelimiter(_ node: Node, _ delimiters: [Int]) -> Bool {
        let line = node.line
        var low = 0
        var high = delimiters.count
        while low < high {
            let middle = (low + high) / 2
            if delimiters[middle] <= line { low = middle + 1 } else { high = middle }
        }
        // libcmark is one line off where a setext heading ends.
        return low < delimiters.count && delimiters[low] <= max(line, node.endLine) + 1
    }

    private mutating func take(_ found: [(Table, [(Int, StandIn)])]) throws(RenderLimitError) {
        for (table, lines) in found {
            if table.hasLazyHeader { lazyHeaders.insert(table.line) }
            tables.set(table, on: table.line...table.lastLine)
            for (line, standIn) in lines {
                rowStarts[line] = standIn.start
                if !lazyHeaders.contains(line) { standIns[line] = standIn.line }
            }
            cellCount += table.alignments.count * (table.lastLine - table.line)
            if cellCount > 100_000 + 4 * source.bytes.count {
                let message = "the table has \(cellCount) cells, and most of them are empty"
                throw RenderLimitError(message: message, line: table.line)
            }
        }
        shown = source.replacing { standIns[$0] }
    }

    private func lost(in document: Document) -> Set<Int> {
        var headings: Set<Int> = []
        document.walk { node, entering in
            if entering, node.kind == .heading { headings.insert(node.line) }
            return node.kind == .heading || node.kind == .paragraph ? .skip : .descend
        }
        let lines = source.lines.indices.map { $0 + 1 }
        return Set(
            lines.filter { standIns.contains($0) && !headings.contains($0) }
                .compactMap { tables[$0]?.line }
        )
    }

    /// The table that begins or continues in a paragraph.
    private func table(_ node: Node, _ stack: inout ContainerStack) -> (Table, [(Int, StandIn)])? {
        guard let lines = stack.textLines(of: node) else { return nil }
        if var table = tables[node.line - 1], let last = node.previousSibling,
            last.kind == .heading, last.line == node.line - 1
        {
            let rows = rows(from: node.line, through: lines.upperBound, &stack)
            if !rows.isEmpty {
                table.lastLine += rows.count
                return (table, rows)
            }
        }
        guard lines.count > 1, !tables.contains(lines.upperBound) else { return nil }
        for line in lines.dropFirst() where source.traits[line - 1].mayBeDelimiterRow {
            let delimiter = stack.content(ofLine: line)
            guard !delimiter.isLazy, delimiter.indent < 4,
                let alignments = TableSyntax.alignments(text(line, from: delimiter.start))
            else { continue }
            let header = stack.content(ofLine: line - 1)
            let headerStart = header.isLazy ? header.marks : header.start
            let row = range(line - 1, from: headerStart)
            guard TableSyntax.cells(source.bytes, row)?.count == alignments.count,
                !rejected.contains(line - 1)
            else { continue }
            var standIns = rows(from: line + 1, through: lines.upperBound, &stack)
            let table = Table(
                line: line - 1,
                alignments: alignments,
                hasLazyHeader: header.isLazy,
                lastLine: line + standIns.count
            )
            standIns.append((line - 1, standIn(line - 1, header)))
            standIns.append((line, standIn(line, delimiter)))
            return (table, standIns)
        }
        return nil
    }

    private func text(_ line: Int, from start: Int) -> ArraySlice<UInt8> {
        source.bytes[range(line, from: start)]
    }

    private func range(_ line: Int, from start: Int) -> Range<Int> {
        let line = source.line(line)
        return min(line.lowerBound + start, line.upperBound)..<line.upperBound
    }

    /// The lines that are certainly rows; the first line always is.
    private func rows(
        from first: Int,
        through last: Int,
        _ stack: inout ContainerStack
    ) -> [(Int, StandIn)] {
        var rows: [(Int, StandIn)] = []
        var line = first
        while line <= last {
            let location = stack.content(ofLine: line)
            let content = text(line, from: location.start)
            let mayEnd = line > first || !tables.contains(line - 1)
            if location.isLazy || location.indent >= 4
                || TableSyntax.cells(source.bytes, content.startIndex..<content.endIndex) == nil
                || mayEnd && beginsBlock(content)
            {
                break
            }
            rows.append((line, standIn(line, location)))
            line += 1
        }
        return rows
    }

    /// Whether a block begins that ends a table, although it cannot interrupt a paragraph.
    private func beginsBlock(_ content: ArraySlice<UInt8>) -> Bool {
        guard let first = content.first else { return true }
        if first == UInt8(ascii: "<") {
            guard let end = HTMLTagScanner.endOfTag(content, at: content.startIndex) else {
                return false
            }
            return content[end...].allSatisfy(\.isWhitespace)
        }
        var rest = content.drop(while: \.isDigit)
        let isNumber = rest.startIndex > content.startIndex
        guard let mark = rest.popFirst(), (isNumber ? ".)" : "-+*").utf8.contains(mark) else {
            return false
        }
        return rest.first.map(\.isSpaceOrTab) ?? true
    }

    /// An empty heading behind the marks of the containers.
    ///
    /// Without its indentation: a line that goes on may be indented as code is, a heading may not.
    private func standIn(_ line: Int, _ content: ContainerStack.Content) -> StandIn {
        let marks = source.bytes[source.line(line)].prefix(content.marks)
        let tab = Array(repeating: UInt8.space, count: content.columnsOfTab)
        return StandIn(
            line: marks + tab + [UInt8(ascii: "#")],
            start: content.isLazy ? content.marks : content.start
        )
    }
}
