import CommonMark

/// Inline content, from libcmark's tree or from ours.
extension HTMLRenderer {
    /// - Parameters:
    ///   - mayBeDefinition: whether the text is a paragraph below another one.
    ///   - allowsBlocks: whether HTML for blocks may stand there, as in a cell.
    mutating func write(
        inlinesOf leaf: LeafText,
        mayBeDefinition: Bool = false,
        allowsBlocks: Bool = false
    ) {
        // A sparse table may have four cells for each byte of the page.
        if leaf.bytes.isEmpty { return }
        beginHTML()
        authorHTML.elements.enter(allowsBlocks: allowsBlocks)
        let tree = InlineParser.parse(leaf.bytes, context)
        var finder = ForeignConstructFinder(leaf.bytes, tree, mayBeDefinition: mayBeDefinition)
        for found in finder.found() {
            let location = leaf.location(at: found.offset)
            outputs[0].note(found.construct, line: location.line, column: location.column)
            if !found.name.isEmpty { outputs[0].markers.append(found.name) }
        }
        tree.walk { node, entering in
            write(node, entering, sourceRange(of: node, in: leaf), leaf)
        }
        write(authorHTML.elements.leave())
        authorHTML.gap = nil
    }

    private func sourceRange(of node: InlineTree.Node, in leaf: LeafText) -> SourceRange {
        let (line, column) = leaf.location(at: node.offset)
        let end = leaf.location(at: max(node.offset, node.end))
        // On a footnote's first line, libcmark got the mark of a list in place of the label.
        let shift = structure.footnotes[line]?.columnShift ?? 0
        return SourceRange(
            line: line,
            column: column + shift,
            length: end.line == line && node.end > node.offset ? end.column - column : nil
        )
    }

    private mutating func write(
        _ node: InlineTree.Node,
        _ entering: Bool,
        _ sourceRange: SourceRange,
        _ leaf: LeafText
    ) {
        if imageDepth > 0, node.kind != .image {
            switch node.kind {
            case .text, .code, .html: escape(node.text)
            case .softBreak, .lineBreak: writeBreak(" ")
            case .footnoteReference: escape(Array("[^".utf8)[...] + node.text + [93])
            default: break
            }
            return
        }
        if entering { makeRoom(for: node) }
        switch node.kind {
        case .root: break
        case .text: escape(node.text)
        case .softBreak: writeBreak("\n")
        case .lineBreak: writeBreak("<br />\n")
        case .code:
            write("<code>")
            escape(node.text)
            write("</code>")
        case .html:
            write(html: Array(node.text), sourceRange) { leaf.location(at: node.offset + $0) }
        case .emphasis: mark("em", entering)
        case .strong: mark("strong", entering)
        case .strikethrough: mark("del", entering)
        case .link, .wikiLink:
            guard entering ? enterLink(sourceRange) : leaveLink() else { break }
            if !entering { return write("</a>") }
            let isWiki = node.kind == .wikiLink
            openLink(
                node.destination,
                isWiki ? "" : node.title,
                sourceRange,
                kind: isWiki ? .wikiLink : .link
            )
        case .image:
            entering
                ? openImage(node.destination, sourceRange) : closeImage(node.title, sourceRange)
        case .footnoteReference: writeFootnoteReference(node.text)
        }
    }

    private mutating func makeRoom(for node: InlineTree.Node) {
        switch node.kind {
        case .root, .html, .softBreak: return
        case .text: if node.text.allSatisfy(\.isWhitespace) { return }
        default: break
        }
        write(authorHTML.elements.makeRoomForText())
    }

    private mutating func mark(_ name: String, _ entering: Bool) {
        if entering {
            write("<\(name)>")
            authorHTML.elements.enterText()
        } else {
            write(authorHTML.elements.leave() + "</\(name)>")
        }
    }

    mutating func openLink(
        _ destination: String,
        _ title: String,
        _ sourceRange: SourceRange,
        kind: RenderedDocument.Reference.Kind = .link
    ) {
        write("<a href=\"")
        placeholder(kind, destination, sourceRange)
        write("\"")
        writeTitle(title)
        write(">")
    }

    mutating func openImage(_ destination: String, _ sourceRange: SourceRange) {
        imageDepth += 1
        guard imageDepth == 1 else { return }
        write("<img src=\"")
        placeholder(.image, destination, sourceRange)
        write("\" alt=\"")
        alternativeStart = output.html.count
    }

    mutating func closeImage(_ title: String, _ sourceRange: SourceRange) {
        imageDepth -= 1
        guard imageDepth == 0 else { return }
        if output.html.count == alternativeStart { find(.missingAlternativeText, sourceRange) }
        write("\"")
        writeTitle(title)
        write(" />")
    }

    mutating func visitInsideImage(_ node: Node) {
        switch node.kind {
        case .text, .code, .htmlInline: escape(node)
        case .lineBreak, .softBreak: writeBreak(" ")
        default: break
        }
    }

    private mutating func writeTitle(_ title: String) {
        if !title.isEmpty { write(" title=\"\(HTMLText.escape(title))\"") }
    }

    mutating func placeholder(
        _ kind: RenderedDocument.Reference.Kind,
        _ destination: String,
        _ sourceRange: SourceRange
    ) {
        output.references.append(
            .init(
                kind: kind,
                destination: destination,
                range: sourceRange,
                offset: output.html.count
            )
        )
    }

    /// Writes a line break, which counts as a space in the text of a heading.
    mutating func writeBreak(_ html: String) {
        if isInHeading, headingText.last != " " { headingText += " " }
        write(html)
    }

    mutating func escape(_ node: Node) {
        if authorHTML.gap != nil { closeGap(before: node.literal.utf8.first) }
        if isInHeading { headingText += node.literal }
        node.withLiteral { HTMLText.escape($0, into: &output.html) }
    }

    mutating func escape(_ text: ArraySlice<UInt8>) {
        closeGap(before: text.first)
        if isInHeading { headingText += String(decoding: text, as: UTF8.self) }
        HTMLText.escape(text.span, into: &output.html)
    }
}
