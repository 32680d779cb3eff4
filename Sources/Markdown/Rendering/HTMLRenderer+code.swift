import CommonMark

/// Blocks of code.
extension HTMLRenderer {
    mutating func visitCodeBlock(_ node: Node) {
        startLine()
        let info = node.info
        let language = info.utf8.prefix { !$0.isWhitespace }
        if language.first == UInt8(ascii: "{"), language.dropFirst().first?.isLetter == true {
            lists.note(.directive, line: node.line, column: node.column)
        }
        let name = CodeLanguage.name(inInfo: info)
        let isDiagram = !options.commonMarkOnly && language.elementsEqual("mermaid".utf8)
        if options.themed, !isDiagram {
            write("<div class=\"code\"")
            if let label = name.flatMap(CodeLanguage.label) {
                write(" data-language=\"")
                write(text: label)
                write("\"")
            }
            write(">\n")
        }
        if isDiagram {
            write("<pre class=\"mermaid\"><code class=\"language-mermaid\">")
        } else if language.isEmpty {
            write("<pre><code>")
        } else {
            write("<pre><code class=\"language-")
            HTMLText.escape(Array(language).span, into: &output.html)
            write("\">")
        }
        if !options.commonMarkOnly { noteIncludes(in: node, language: name) }
        let start = output.html.count
        escape(node)
        if let name {
            output.codeBlocks.append(.init(language: name, range: start..<output.html.count))
        }
        write("</code></pre>\n")
        if options.themed, !isDiagram { write("</div>\n") }
    }

    /// Directives in fenced code; indented code is mostly an example.
    private mutating func noteIncludes(in node: Node, language: String?) {
        let fence = structure.source.bytes[structure.source.line(node.line)]
            .dropFirst(node.column - 1).first
        guard fence == UInt8(ascii: "`") || fence == UInt8(ascii: "~") else { return }
        for include in node.withLiteral({ CodeIncludes.found(in: $0, language: language) }) {
            let line = node.line + 1 + include.line
            guard line <= structure.source.lines.count else { continue }
            let marks = max(0, structure.source.line(line).count - include.length)
            lists.note(.includeInCode, line: line, column: marks + include.indent + 1)
        }
    }
}
