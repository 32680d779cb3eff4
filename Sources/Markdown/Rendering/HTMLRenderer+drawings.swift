import CodeBlocks
import HTML

/// Formulas and diagrams: their source, in whose place a drawing comes.
extension HTMLRenderer {
    /// - Parameter text: of a node of ``inlines``, with its dollar signs.
    mutating func writeFormula(_ text: Range<Int>, _ source: SourceRange) {
        let isDisplay = inlines.bytes(text).starts(with: "$$".utf8)
        write(isDisplay ? "<span class=\"math is-display\">" : "<span class=\"math\">")
        let start = output.html.count
        escape(text)
        addDrawing(.math, from: start, source)
        write("</span>")
    }

    /// Writes a block of code that is drawn.
    mutating func writeDrawing(_ node: Block, _ language: DrawnLanguage, _ info: String) {
        let title = CodeInfo.saysMore(info) ? CodeInfo(info).title : nil
        if language == .math {
            write("<div class=\"math is-display\">")
        } else {
            write("<figure class=\"diagram\">\n<div class=\"drawing\">")
        }
        let start = output.html.count
        if language == .math { write("$$\n") }
        escape(node.code)
        if language == .math { write("$$") }
        let line = language == .math ? node.line : node.line + 1
        addDrawing(language, from: start, SourceRange(line: line, column: 1))
        write("</div>\n")
        guard language != .math else { return }
        if let title, !title.isEmpty {
            write("<figcaption>")
            write(text: HTMLText.escape(title))
            write("</figcaption>\n")
        }
        write("</figure>\n")
    }

    private mutating func addDrawing(
        _ language: DrawnLanguage,
        from start: Int,
        _ source: SourceRange
    ) {
        output.codeBlocks.append(
            .init(
                language: language.codeBlock,
                source: source,
                range: start..<output.html.count
            )
        )
    }
}
