import CommonMark

/// HTML in Markdown.
extension HTMLRenderer {
    /// A block of HTML, each line of which is the end of a line of the document.
    mutating func write(htmlBlock node: Node) {
        let literal = Array(node.literal.utf8)
        let source = structure.source
        html(literal, Extent(node)) { offset in
            let line = node.line + literal[..<offset].count { $0 == .newline }
            let start = literal[..<offset].lastIndex(of: .newline).map { $0 + 1 } ?? 0
            let end = literal[offset...].firstIndex(of: .newline) ?? literal.count
            guard line <= source.lines.count else { return (line, 1) }
            return (line, max(0, source.line(line).count - (end - start)) + offset - start + 1)
        }
    }

    /// - Parameter place: of a byte of the HTML.
    mutating func html(
        _ html: [UInt8],
        _ extent: Extent,
        place: (Int) -> (line: Int, column: Int)
    ) {
        let literal = String(decoding: html, as: UTF8.self)
        let isComponent = !options.commonMarkOnly && HTMLTagScanner.isComponent(literal)
        if isComponent {
            outputs[0].note(.component, line: extent.line, column: extent.column)
        }
        if options.rawHTML {
            if options.rawHTMLReferences { return write(references: html, place) }
            return write(literal)
        }
        write("<!-- raw HTML omitted -->")
        if isComponent { return }
        // Comments say nothing to readers, and a closing tag was told where it was opened.
        if !literal.hasPrefix("<!--"), !literal.hasPrefix("</") { find(.rawHTML, extent) }
    }

    private mutating func write(
        references html: [UInt8],
        _ place: (Int) -> (line: Int, column: Int)
    ) {
        var written = 0
        for tag in HTMLTokenizer.startTags(in: html) {
            for attribute in tag.attributes {
                if attribute.name == "id" || (tag.name == "a" && attribute.name == "name") {
                    outputs[0].anchors.append(attribute.value)
                }
                guard let pieces = HTMLReference.pieces(tag.name, attribute) else { continue }
                let range = attribute.valueRange
                let (line, column) = place(attribute.start)
                let end = place(range.upperBound - 1)
                let length = end.line == line ? end.column - column + 1 : nil
                output.html += html[written..<range.lowerBound]
                write("\"")
                for piece in pieces {
                    switch piece {
                    case .text(let text): write(HTMLText.escape(text))
                    case .address(let url, let kind):
                        hole(kind, url, Extent(line: line, column: column, length: length))
                    }
                }
                write("\"")
                written = range.upperBound
            }
        }
        output.html += html[written...]
    }
}
