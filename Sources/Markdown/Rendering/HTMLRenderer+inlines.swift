import CommonMark

/// Inline content, from libcmark's tree or from ours.
extension HTMLRenderer {
    mutating func write(inlinesOf leaf: LeafText) {
        let tree = InlineParser.parse(leaf.bytes, context)
        tree.walk { node, entering in
            let place = leaf.place(at: node.offset)
            write(node, entering, line: place.line, column: place.column)
        }
    }

    private mutating func write(
        _ node: InlineTree.Node,
        _ entering: Bool,
        line: Int,
        column: Int
    ) {
        if imageDepth > 0, node.kind != .image {
            switch node.kind {
            case .text, .code, .html: escape(node.text)
            case .softBreak, .lineBreak: write(" ")
            case .footnoteReference: escape(Array("[^".utf8)[...] + node.text + [93])
            default: break
            }
            return
        }
        switch node.kind {
        case .root: break
        case .text: escape(node.text)
        case .softBreak: write("\n")
        case .lineBreak: write("<br />\n")
        case .code:
            write("<code>")
            escape(node.text)
            write("</code>")
        case .html: html(String(decoding: node.text, as: UTF8.self), line, column)
        case .emphasis: write(entering ? "<em>" : "</em>")
        case .strong: write(entering ? "<strong>" : "</strong>")
        case .strikethrough: write(entering ? "<del>" : "</del>")
        case .link:
            entering ? openLink(node.destination, node.title, line, column) : write("</a>")
        case .wikiLink:
            entering
                ? openLink(node.destination, "", line, column, kind: .wikiLink) : write("</a>")
        case .image:
            entering ? openImage(node.destination, line, column) : closeImage(node.title)
        case .footnoteReference: writeFootnoteReference(node.text, line, column)
        }
    }

    mutating func openLink(
        _ destination: String,
        _ title: String,
        _ line: Int,
        _ column: Int,
        kind: RenderedDocument.Reference.Kind = .link
    ) {
        write("<a href=\"")
        hole(kind, destination, line, column)
        write("\"")
        writeTitle(title)
        write(">")
    }

    mutating func openImage(_ destination: String, _ line: Int, _ column: Int) {
        imageDepth += 1
        guard imageDepth == 1 else { return }
        write("<img src=\"")
        hole(.image, destination, line, column)
        write("\" alt=\"")
    }

    mutating func closeImage(_ title: String) {
        imageDepth -= 1
        guard imageDepth == 0 else { return }
        write("\"")
        writeTitle(title)
        write(" />")
    }

    mutating func visitInsideImage(_ node: Node) {
        switch node.kind {
        case .text, .code, .htmlInline: escape(node)
        case .lineBreak, .softBreak: write(" ")
        default: break
        }
    }

    private mutating func writeTitle(_ title: String) {
        if !title.isEmpty { write(" title=\"\(HTMLText.escape(title))\"") }
    }

    mutating func hole(
        _ kind: RenderedDocument.Reference.Kind,
        _ destination: String,
        _ line: Int,
        _ column: Int
    ) {
        output.references.append(
            .init(
                kind: kind,
                destination: destination,
                line: line,
                column: column,
                offset: output.html.count
            )
        )
    }

    mutating func escape(_ node: Node) {
        if isInHeading { headingText += node.literal }
        node.withLiteral { HTMLText.escape($0, into: &output.html) }
    }

    mutating func escape(_ text: ArraySlice<UInt8>) {
        if isInHeading { headingText += String(decoding: text, as: UTF8.self) }
        HTMLText.escape(text.span, into: &output.html)
    }
}
