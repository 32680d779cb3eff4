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
struct TableFinder {
    /// The text with empty headings for the rows found so far.
    private(set) var shown: SourceText
    private(set) var tables: [Int: Table] = [:]

    private struct StandIn {
        let line: [UInt8]
        /// Where the row begins on its line in the source.
        let start: Int
    }

    private let source: SourceText
    private let rejected: Set<Int>
    /// The rows as the author wrote them, with the bytes that stand before them on their lines.
    private(set) var rows: [Int: (text: ArraySlice<UInt8>, offset: Int)] = [:]
    private var standIns: [Int: [UInt8]] = [:]
    private var lazyHeaders: Set<Int> = []
    private var cellCount = 0

    /// - Parameter rejected: lines on which no table begins.
    init(_ source: SourceText, rejected: Set<Int>) {
        self.source = source
        self.rejected = rejected
        shown = source
    }

    /// Looks for tables and further rows.
    ///
    /// - Returns: whether there are any, so that the text has to be parsed again.
    mutating func look(in document: Document) throws(RenderLimitError) -> Bool {
        var stack = ContainerStack(shown)
        var found: [(Table, [Int: StandIn])] = []
        var visited: Set<Int> = []
        var lastFound: Int?
        document.walk { node, entering in
            switch node.kind {
            case .blockQuote, .item:
                if entering { stack.enter(node) } else { stack.leave() }
                return .descend
            case .paragraph, .heading:
                guard entering else { return .descend }
                // A paragraph directly behind a table may be more rows; the next round tells.
                if let lastFound, lastFound == node.previousSibling?.line,
                    !shown.isBlank(node.line - 1)
                {
                    return .skip
                }
                if standIns[node.line] == nil, visited.insert(node.line).inserted,
                    let next = table(node, stack)
                {
                    found.append(next)
                    lastFound = node.line
                }
                return .skip
            default: return .descend
            }
        }
        if found.isEmpty { return false }
        for (table, lines) in found {
            if table.hasLazyHeader { lazyHeaders.insert(table.line) }
            standIns.merge(lines.filter { !lazyHeaders.contains($0.key) }.mapValues(\.line)) { $1 }
            for line in table.line...table.lastLine { tables[line] = table }
            for (line, standIn) in lines {
                rows[line] = (text(line, from: standIn.start), standIn.start)
            }
            cellCount += table.alignments.count * (table.lastLine - table.line)
            if cellCount > 100_000 + 4 * source.bytes.count {
                let message = "the table has \(cellCount) cells, and most of them are empty"
                throw RenderLimitError(message: message, line: table.line)
            }
        }
        shown = source.replacing(standIns)
        return true
    }

    /// The first lines of tables that another table has moved into another block, such as code.
    func lost(in document: Document) -> Set<Int> {
        var headings: Set<Int> = []
        document.walk { node, entering in
            if entering, node.kind == .heading { headings.insert(node.line) }
            return node.kind == .heading || node.kind == .paragraph ? .skip : .descend
        }
        return Set(standIns.keys.filter { !headings.contains($0) }.compactMap { tables[$0]?.line })
    }

    /// The table that begins or continues in a paragraph.
    private func table(_ node: Node, _ stack: ContainerStack) -> (Table, [Int: StandIn])? {
        guard let lines = stack.textLines(of: node) else { return nil }
        if var table = tables[node.line - 1], let last = node.previousSibling,
            last.kind == .heading, last.line == node.line - 1
        {
            let rows = rows(from: node.line, through: lines.upperBound, stack)
            if !rows.isEmpty {
                table.lastLine += rows.count
                return (table, rows)
            }
        }
        guard lines.count > 1, tables[lines.upperBound] == nil else { return nil }
        for line in lines.dropFirst()
        where TableSyntax.mayBeDelimiterRow(source.bytes, source.line(line)) {
            let delimiter = stack.content(ofLine: line)
            guard !delimiter.isLazy, delimiter.indent < 4,
                let alignments = TableSyntax.alignments(text(line, from: delimiter.start))
            else { continue }
            let header = stack.content(ofLine: line - 1)
            let headerStart = header.isLazy ? header.marks : header.start
            guard let cells = TableSyntax.cells(text(line - 1, from: headerStart)),
                cells.count == alignments.count, !rejected.contains(line - 1)
            else { continue }
            var standIns = rows(from: line + 1, through: lines.upperBound, stack)
            let table = Table(
                line: line - 1,
                alignments: alignments,
                hasLazyHeader: header.isLazy,
                lastLine: line + standIns.count
            )
            standIns[line - 1] = standIn(line - 1, header)
            standIns[line] = standIn(line, delimiter)
            return (table, standIns)
        }
        return nil
    }

    private func text(_ line: Int, from start: Int) -> ArraySlice<UInt8> {
        source.bytes[source.line(line)].dropFirst(start)
    }

    /// The lines that are certainly rows; the first line always is.
    private func rows(from first: Int, through last: Int, _ stack: ContainerStack) -> [Int: StandIn]
    {
        var rows: [Int: StandIn] = [:]
        var line = first
        while line <= last {
            let location = stack.content(ofLine: line)
            let content = text(line, from: location.start)
            let mayEnd = line > first || tables[line - 1] == nil
            if location.isLazy || location.indent >= 4 || TableSyntax.cells(content) == nil
                || mayEnd && beginsBlock(content)
            {
                break
            }
            rows[line] = standIn(line, location)
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
