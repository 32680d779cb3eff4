/// Tables, which stand in libcmark's tree as rows of empty headings.
extension HTMLRenderer {
    mutating func writeRow(_ line: Int) {
        guard let table = structure.tables[line] else { return }
        // The delimiter row shows nothing, unless it stands for the header.
        let isHeader = line == table.headerLine
        if isHeader || line > table.line + 1, let cells = leaves.rows[line] {
            startLine()
            if !leaves.overfullRows.isEmpty, let (column, count) = leaves.overfullRows[line] {
                find(
                    .extraCells(header: table.alignments.count, row: count),
                    SourceRange(line: line, column: column)
                )
            }
            if isHeader {
                if options.themed { write("<div class=\"table\">\n") }
                write("<table>\n<thead>\n")
            }
            if line == table.line + 2 { write("<tbody>\n") }
            write("<tr>")
            for cell in cells { write(cell, isHeader: isHeader) }
            write("\n</tr>")
            if isHeader { write("\n</thead>") }
        }
        guard line == table.lastLine else { return }
        startLine()
        if table.lastLine > table.line + 1 { write("</tbody>\n") }
        write("</table>\n")
        if options.themed { write("</div>\n") }
    }

    private mutating func write(_ cell: Table.Cell, isHeader: Bool) {
        // A class, for a strict Content-Security-Policy; 'align' is no HTML any more.
        if let alignment = cell.alignment {
            isHeader ? write("\n<th class=\"align-") : write("\n<td class=\"align-")
            write(text: alignment.rawValue)
            write("\">")
        } else {
            isHeader ? write("\n<th>") : write("\n<td>")
        }
        write(inlinesOf: cell.text, allowsBlocks: true)
        isHeader ? write("</th>") : write("</td>")
    }
}
