/// Tables.
extension HTMLRenderer {
    mutating func visitTable(_ block: Block) {
        guard case .table(let index) = block.details else { return }
        let table = tree.tables[index]
        startLine()
        if options.themed { write("<div class=\"table\">\n") }
        write("<table>\n")
        for (index, row) in table.rows.enumerated() {
            let isHeader = index == 0
            if isHeader { write("<thead>\n") }
            if index == 1 { write("<tbody>\n") }
            write(row, of: table, isHeader: isHeader)
            if isHeader { write("</thead>\n") }
        }
        if table.rows.count > 1 { write("</tbody>\n") }
        write("</table>\n")
        if options.themed { write("</div>\n") }
    }

    private mutating func write(_ row: Table.Row, of table: Table, isHeader: Bool) {
        let count = table.alignments.count
        if row.cells.dropFirst(count).contains(where: { !$0.isEmpty }) {
            find(
                .extraCells(header: count, row: row.cells.count),
                SourceRange(line: row.line, column: row.column)
            )
        }
        write("<tr>\n")
        for (index, alignment) in table.alignments.enumerated() {
            write(isHeader ? "<th" : "<td")
            // A class, for a strict Content-Security-Policy; 'align' is no HTML any more.
            if let alignment { write(text: " class=\"align-\(alignment.rawValue)\"") }
            write(">")
            if index < row.cells.count {
                write(inlinesOf: text(row.cells[index], onLine: row.line), allowsBlocks: true)
            }
            write(isHeader ? "</th>\n" : "</td>\n")
        }
        write("</tr>\n")
    }

    private func text(_ cell: Range<Int>, onLine line: Int) -> LeafText {
        let source = tree.source
        var bytes = source.bytes[cell]
        if bytes.contains(UInt8(ascii: "\\")) { bytes = TableSyntax.unescaped(bytes)[...] }
        var text = LeafText()
        text.mayBeForeign = source.traits[line - 1].contains(.foreign)
        text.append(bytes, line: line, column: cell.lowerBound - source.line(line).lowerBound + 1)
        return text
    }
}
