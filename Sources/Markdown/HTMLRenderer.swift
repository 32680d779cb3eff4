import CommonMark

/// Renders a document as libcmark does, byte for byte, with ids on headings and holes for URLs.
///
/// It is written by hand because libcmark's own renderer gives headings no ids, and because the
/// extensions of GitHub Flavored Markdown have no place in it.
struct HTMLRenderer {
    private var output = RenderedDocument()
    private let options: MarkdownOptions
    private var slugs = HeadingSlugs()
    /// Above 0 inside an image, whose content becomes plain text in `alt`.
    private var imageDepth = 0
    private var alternativeStart = 0
    private var headingStart = 0
    private var headingText = ""
    private var isInHeading = false

    static func render(_ document: Document, _ options: MarkdownOptions) -> RenderedDocument {
        var renderer = HTMLRenderer(options: options)
        document.walk { node, entering in renderer.visit(node, entering) }
        return renderer.output
    }

    private init(options: MarkdownOptions) { self.options = options }

    private mutating func visit(_ node: Node, _ entering: Bool) {
        if imageDepth > 0, !(node.kind == .image) {
            visitInsideImage(node)
            return
        }
        switch node.kind {
        case .document, .custom: break
        case .blockQuote: block(entering, "<blockquote>\n", "</blockquote>\n", breaksAfter: true)
        case .list: visitList(node, entering)
        case .item: block(entering, "<li>", "</li>\n")
        case .heading: visitHeading(node, entering)
        case .codeBlock: visitCodeBlock(node)
        case .htmlBlock:
            startLine()
            html(node)
            startLine()
        case .thematicBreak: block(true, "<hr />\n", "")
        case .paragraph: visitParagraph(node, entering)
        case .text: escape(node)
        case .lineBreak: write("<br />\n")
        case .softBreak: write("\n")
        case .code:
            write("<code>")
            escape(node)
            write("</code>")
        case .htmlInline: html(node)
        case .strong: write(entering ? "<strong>" : "</strong>")
        case .emphasis: write(entering ? "<em>" : "</em>")
        case .link: visitLink(node, entering)
        case .image: visitImage(node, entering)
        }
    }

    private mutating func block(
        _ entering: Bool,
        _ open: String,
        _ close: String,
        breaksAfter: Bool = false
    ) {
        if entering || breaksAfter { startLine() }
        write(entering ? open : close)
    }

    private mutating func visitList(_ node: Node, _ entering: Bool) {
        guard entering else { return write(node.isOrdered ? "</ol>\n" : "</ul>\n") }
        startLine()
        if !node.isOrdered {
            write("<ul>\n")
        } else if node.listStart == 1 {
            write("<ol>\n")
        } else {
            write("<ol start=\"\(node.listStart)\">\n")
        }
    }

    private mutating func visitHeading(_ node: Node, _ entering: Bool) {
        if entering {
            startLine()
            write("<h\(node.headingLevel)")
            headingStart = output.html.count
            headingText = ""
            isInHeading = true
            write(">")
            return
        }
        isInHeading = false
        write("</h\(node.headingLevel)>\n")
        guard !options.commonMarkOnly else { return }
        checkLevel(node)
        let id = slugs.next(for: headingText)
        output.headings.append(.init(level: node.headingLevel, id: id, text: headingText))
        let attribute = Array(" id=\"\(HTMLText.escape(id))\"".utf8)
        output.html.insert(contentsOf: attribute, at: headingStart)
        for index in output.references.indices.reversed() {
            guard output.references[index].offset > headingStart else { break }
            output.references[index].offset += attribute.count
        }
    }

    private mutating func checkLevel(_ node: Node) {
        let level = node.headingLevel
        let last = output.headings.last?.level ?? 1
        if level > last + 1 { find(.skippedHeadingLevel(from: last, to: level), node) }
        if level == 1, output.headings.contains(where: { $0.level == 1 }) {
            find(.secondTopHeading, node)
        }
    }

    private mutating func visitCodeBlock(_ node: Node) {
        startLine()
        let language = node.info.prefix { !$0.isWhitespace }
        if language.isEmpty {
            write("<pre><code>")
        } else {
            write("<pre><code class=\"language-\(HTMLText.escape(String(language)))\">")
        }
        escape(node)
        write("</code></pre>\n")
    }

    private mutating func visitParagraph(_ node: Node, _ entering: Bool) {
        // In a tight list an item's paragraphs are its text.
        if let list = node.parent?.parent, list.kind == .list, list.isTight { return }
        block(entering, "<p>", "</p>\n")
    }

    private mutating func visitLink(_ node: Node, _ entering: Bool) {
        guard entering else { return write("</a>") }
        write("<a href=\"")
        hole(.link, node)
        write("\"")
        writeTitle(node)
        write(">")
    }

    private mutating func visitImage(_ node: Node, _ entering: Bool) {
        imageDepth += entering ? 1 : -1
        if entering, imageDepth == 1 {
            write("<img src=\"")
            hole(.image, node)
            write("\" alt=\"")
            alternativeStart = output.html.count
        } else if !entering, imageDepth == 0 {
            if output.html.count == alternativeStart { find(.missingAlternativeText, node) }
            write("\"")
            writeTitle(node)
            write(" />")
        }
    }

    private mutating func visitInsideImage(_ node: Node) {
        switch node.kind {
        case .text, .code, .htmlInline: escape(node)
        case .lineBreak, .softBreak: write(" ")
        default: break
        }
    }

    private mutating func writeTitle(_ node: Node) {
        let title = node.title
        if !title.isEmpty { write(" title=\"\(HTMLText.escape(title))\"") }
    }

    private mutating func hole(_ kind: RenderedDocument.Reference.Kind, _ node: Node) {
        output.references.append(
            .init(
                kind: kind,
                destination: node.destination,
                line: node.line,
                column: node.column,
                length: length(of: node),
                offset: output.html.count
            )
        )
    }

    private mutating func html(_ node: Node) {
        if options.rawHTML {
            write(node.literal)
            return
        }
        write("<!-- raw HTML omitted -->")
        // Comments say nothing to readers, and a closing tag was told where it was opened.
        if !node.literal.hasPrefix("<!--"), !node.literal.hasPrefix("</") {
            find(.rawHTML, node)
        }
    }

    private mutating func find(_ kind: Finding.Kind, _ node: Node) {
        output.findings.append(
            Finding(kind, line: node.line, column: node.column, length: length(of: node))
        )
    }

    private func length(of node: Node) -> Int? {
        guard node.endLine == node.line, node.endColumn >= node.column else { return nil }
        return node.endColumn - node.column + 1
    }

    private mutating func escape(_ node: Node) {
        if isInHeading { headingText += node.literal }
        node.withLiteral { HTMLText.escape($0, into: &output.html) }
    }

    private mutating func write(_ text: String) { output.html.append(contentsOf: text.utf8) }

    private mutating func startLine() {
        if let last = output.html.last, last != 10 { output.html.append(10) }
    }
}
