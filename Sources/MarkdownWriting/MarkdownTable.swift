/// A table: Markdown where that can hold it, else harmless HTML with Markdown in its cells.
struct MarkdownTable {
    private let rows: [[Markup]]
    /// What is in no cell: the caption, and what a browser shows in front of the table.
    private let outside: [Markup]
    private let writer: MarkdownWriter

    init(_ table: Markup, writer: MarkdownWriter) {
        self.writer = writer
        outside = Self.outside(table)
        rows = Self.rows(of: table).map { row in
            row.children.filter { $0.name == "td" || $0.name == "th" }
        }.filter { !$0.isEmpty }
    }

    private static func outside(_ piece: Markup) -> [Markup] {
        piece.children.flatMap { child in
            switch child.name {
            case "caption": return child.children
            case "td", "th": return piece.name == "tr" ? [] : [child]
            case "tr", "thead", "tbody", "tfoot": return outside(child)
            case "col", "colgroup": return []
            default: return [child]
            }
        }
    }

    private static func rows(of piece: Markup) -> [Markup] {
        piece.children.flatMap { child in
            switch child.name {
            case "tr": return [child]
            case "thead", "tbody", "tfoot": return rows(of: child)
            default: return []
            }
        }
    }

    var blocks: [MarkdownWriter.Block] {
        let title = writer.blocks(outside)
        if rows.isEmpty { return title }
        return title + (markdown.map { [$0] } ?? html)
    }

    private var markdown: MarkdownWriter.Block? {
        guard let header = rows.first else { return nil }
        let fits =
            header.allSatisfy { $0.name == "th" }
            && rows.dropFirst().joined().allSatisfy { $0.name == "td" }
            && rows.allSatisfy { $0.count <= header.count && $0.allSatisfy(isSimple) }
        guard fits || writer.dialect == .gitHub else { return nil }
        var lines = rows.map { row in "| " + row.map(line).joined(separator: " | ") + " |" }
        lines.insert("| " + header.map(Self.delimiter).joined(separator: " | ") + " |", at: 1)
        return MarkdownWriter.Block(text: lines.joined(separator: "\n"))
    }

    private static func delimiter(_ cell: Markup) -> String {
        for name in cell.classes {
            switch name {
            case "align-left": return ":---"
            case "align-center": return ":---:"
            case "align-right": return "---:"
            default: continue
            }
        }
        return "---"
    }

    private func isSimple(_ cell: Markup) -> Bool {
        Self.span(cell, "colspan") == 1 && Self.span(cell, "rowspan") == 1
            && cell.children.allSatisfy { child in
                writer.isInline(child)
                    || ["p", "div"].contains(child.name)
                        && child.children.allSatisfy(writer.isInline)
            }
    }

    /// What a cell says, on one line.
    private func line(_ cell: Markup) -> String {
        var lines: [String] = []
        var run: [Markup] = []
        func endRun() {
            let text = writer.inline(run, lineBreak: "<br>").trimmedSpaces
            if !text.isEmpty { lines.append(text) }
            run = []
        }
        func add(_ pieces: [Markup]) {
            for piece in pieces {
                if piece.name.isEmpty || writer.isInline(piece) {
                    run.append(piece)
                } else {
                    endRun()
                    add(piece.children)
                    endRun()
                }
            }
        }
        add(cell.children)
        endRun()
        let text = lines.joined(separator: writer.dialect == .gitHub ? " " : "<br>")
        return text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: "\\|")
    }

    private var html: [MarkdownWriter.Block] {
        var blocks: [MarkdownWriter.Block] = []
        // Tags without an empty line between them are one block.
        var tags = "<table>"
        for row in rows {
            tags += "\n<tr>"
            for cell in row {
                tags += "\n<\(cell.name)"
                for name in ["colspan", "rowspan"] where Self.span(cell, name) > 1 {
                    tags += " \(name)=\"\(Self.span(cell, name))\""
                }
                tags += ">"
                let content = writer.blocks(cell.children)
                if !content.isEmpty {
                    blocks.append(.init(text: tags))
                    blocks += content
                    tags = "</\(cell.name)>"
                } else {
                    tags += "</\(cell.name)>"
                }
            }
            tags += "\n</tr>"
        }
        blocks.append(.init(text: tags + "\n</table>"))
        return blocks
    }

    private static func span(_ cell: Markup, _ name: String) -> Int {
        min(max(Int(cell[name]) ?? 1, 1), 100)
    }
}
