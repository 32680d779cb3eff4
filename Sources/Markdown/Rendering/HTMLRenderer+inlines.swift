import Bytes
import HTML

/// Inline content.
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
        if tree.abbreviations.isEmpty, InlineParser.isPlain(leaf.bytes) {
            output.html += leaf.bytes
            return write(text: authorHTML.elements.leave())
        }
        inlines.parse(leaf.bytes)
        if leaf.mayBeForeign || !inlines.leftovers.isEmpty, !options.commonMarkOnly {
            noteForeignConstructs(leaf, mayBeDefinition: mayBeDefinition)
        }
        var cursor = InlineTree.Cursor()
        while inlines.tree.advance(&cursor) {
            write(inlines.tree[cursor.index], cursor.isEntering, leaf)
        }
        if let id = inlines.blockID.flatMap(AuthorAnchor.id), authorHTML.ids.insert(id).inserted {
            lists.anchors.append(id)
            write(text: "<span id=\"\(id)\"></span>")
        }
        write(text: authorHTML.elements.leave())
        authorHTML.gap = nil
    }

    private mutating func noteForeignConstructs(_ leaf: LeafText, mayBeDefinition: Bool) {
        var finder = ForeignConstructFinder(
            leaf.bytes,
            inlines.tree,
            addresses: inlines.templateAddresses,
            leftovers: inlines.leftovers,
            mayBeDefinition: mayBeDefinition
        )
        for found in finder.found() {
            let location = leaf.location(at: found.offset)
            lists.note(found.construct, line: location.line, column: location.column)
            if found.construct == .ruleMarker { lists.markers.append(found.name) }
        }
    }

    private func sourceRange(of node: InlineTree.Node, in leaf: LeafText) -> SourceRange {
        let (line, column) = leaf.location(at: node.offset)
        let end = leaf.location(at: max(node.offset, node.end))
        return SourceRange(
            line: line,
            column: column,
            length: end.line == line && node.end > node.offset ? end.column - column : nil
        )
    }

    private mutating func write(_ node: InlineTree.Node, _ entering: Bool, _ leaf: LeafText) {
        if imageDepth > 0, node.kind != .image {
            switch node.kind {
            case .text, .code, .html, .formula, .keys: escape(node.text)
            case .softBreak, .lineBreak: write(" ")
            case .footnoteReference: escape(Array("[^".utf8) + inlines.bytes(node.text) + [93])
            default: break
            }
            return
        }
        if authorHTML.isInPlayer, [.text, .code, .softBreak, .lineBreak].contains(node.kind) {
            return
        }
        if entering, !authorHTML.elements.areDone { makeRoom(for: node) }
        switch node.kind {
        case .root: break
        case .dropped:
            if inlines.bytes(node.text).first == UInt8(ascii: ":") {
                let place = leaf.location(at: node.offset)
                lists.note(.icon, line: place.line, column: place.column)
            }
        case .text:
            if tree.abbreviations.isEmpty {
                escape(node.text)
            } else {
                writeAbbreviated(Array(inlines.bytes(node.text)))
            }
        case .softBreak: write("\n")
        case .lineBreak: write("<br />\n")
        case .code:
            write("<code>")
            escape(node.text)
            write("</code>")
        case .formula: writeFormula(node.text, sourceRange(of: node, in: leaf))
        case .html:
            let range = sourceRange(of: node, in: leaf)
            authorHTML.source = leaf.bytes
            write(html: Array(inlines.bytes(node.text)), range) {
                leaf.location(at: node.offset + $0)
            }
        case .emphasis: entering ? open("<em>") : close("</em>")
        case .strong: entering ? open("<strong>") : close("</strong>")
        case .strikethrough: entering ? open("<del>") : close("</del>")
        case .marked: entering ? open("<mark>") : close("</mark>")
        case .keys: write(keys: node.text)
        case .link, .wikiLink:
            let range = sourceRange(of: node, in: leaf)
            guard entering ? enterLink(range) : leaveLink() else { break }
            if !entering {
                endMention()
                return write("</a>")
            }
            let (destination, title) = inlines.addresses[node.address]
            // GitBook.
            let isMention = options.borrowedBlocks && title == "mention"
            let kind = node.kind == .link ? RenderedDocument.Reference.Kind.link : .wikiLink
            openLink(destination, isMention ? "" : title, range, kind: kind)
            if isMention || hasMentions { mention = (output.html.count, destination, range) }
        case .image:
            let (destination, title) = inlines.addresses[node.address]
            let range = sourceRange(of: node, in: leaf)
            let look = inlines.looks[node.address]
            entering ? openImage(destination, range, look) : closeImage(title, range)
        case .footnoteReference: writeFootnoteReference(Array(inlines.bytes(node.text)))
        case .note: visitInlineNote(entering)
        }
    }

    private mutating func makeRoom(for node: InlineTree.Node) {
        switch node.kind {
        case .root, .html, .softBreak, .dropped: return
        case .text: if inlines.bytes(node.text).allSatisfy(\.isWhitespace) { return }
        default: break
        }
        write(text: authorHTML.elements.makeRoomForText())
    }

    private mutating func open(_ tag: StaticString) {
        write(tag)
        authorHTML.elements.enterText()
    }

    private mutating func close(_ tag: StaticString) {
        write(text: authorHTML.elements.leave())
        write(tag)
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

    mutating func openImage(
        _ destination: String,
        _ sourceRange: SourceRange,
        _ look: ImageLook? = nil,
        isFrame: Bool = false
    ) {
        imageDepth += 1
        guard imageDepth == 1 else { return }
        embedding = Embedding(destination, isFrame: isFrame)
        switch embedding {
        case .link(let name, _):
            let isWritten = enterLink(sourceRange)
            embedding = .link(name: name, isWritten: isWritten)
            if isWritten {
                write("<a class=\"frame\" href=\"")
                placeholder(.link, destination, sourceRange)
                write("\">")
            }
        case .player(let element):
            write("<")
            write(element)
            write(" controls preload=\"metadata\" src=\"")
            placeholder(.htmlSource, destination, sourceRange)
            write("\"")
            if let look { write(look) }
            write(" aria-label=\"")
        case .picture:
            write("<img src=\"")
            let isSized = look?.width != nil || look?.height != nil
            placeholder(isSized ? .htmlSource : .image, destination, sourceRange)
            write("\"")
            if let look { write(look) }
            write(" alt=\"")
        }
        alternativeStart = output.html.count
    }

    mutating func closeImage(_ title: String, _ sourceRange: SourceRange) {
        imageDepth -= 1
        guard imageDepth == 0 else { return }
        let isEmpty = output.html.count == alternativeStart
        if case .link(let name, let isWritten) = embedding {
            if isEmpty { escape(Array(name.utf8)) }
            if leaveLink(), isWritten { write("</a>") }
            return
        }
        if isEmpty { find(.missingAlternativeText, sourceRange) }
        write("\"")
        if caption == nil { writeTitle(title) }
        guard case .player(let element) = embedding else { return write(" />") }
        write("></")
        write(element)
        write(">")
    }

    private mutating func write(_ look: ImageLook) {
        if let width = look.width { write(text: " width=\"\(width)\"") }
        if let height = look.height { write(text: " height=\"\(height)\"") }
        if case .picture = embedding, look.width != nil || look.height != nil {
            write(" loading=\"lazy\"")
        }
        if !look.classes.isEmpty { write(text: " class=\"\(look.classes)\"") }
    }

    private mutating func write(keys: Range<Int>) {
        let text = String(decoding: inlines.bytes(keys), as: UTF8.self)
        let labels = KeyNames.labels(text).map { "<kbd>\(HTMLText.escape($0))</kbd>" }
        write(text: labels.joined(separator: "+"))
    }

    /// Finds the title of an image that stands alone in its paragraph: it becomes a caption.
    mutating func findCaption(of leaf: LeafText) {
        guard options.borrowedBlocks, leaf.bytes.starts(with: "![".utf8) else { return }
        inlines.parse(leaf.bytes)
        guard let image = inlines.tree.onlyNode, image.kind == .image else { return }
        let title = inlines.addresses[image.address].title
        caption = title.isEmpty ? nil : title
    }

    mutating func endFigure() {
        write("\n<figcaption>")
        write(text: HTMLText.escape(caption ?? ""))
        write("</figcaption>\n</figure>\n")
        caption = nil
    }

    private mutating func writeTitle(_ title: String) {
        if title.isEmpty { return }
        write(" title=\"")
        HTMLText.escape(title.utf8.span, into: &output.html)
        write("\"")
    }

    /// Lets the page's title stand for a text that is the end of its address.
    mutating func endMention() {
        guard let (offset, destination, range) = mention else { return }
        mention = nil
        guard offset < output.html.count else { return }
        let path = destination.hasSuffix("/") ? destination.dropLast() : destination[...]
        let text = String(decoding: output.html[offset...], as: UTF8.self)
        guard "/\(HTMLText.escape(String(path)))".hasSuffix("/\(text)") else { return }
        output.references.append(
            .init(
                kind: .title,
                destination: text,
                range: range,
                offset: offset,
                length: output.html.count - offset
            )
        )
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
                offset: output.html.count,
                length: 0
            )
        )
    }

    /// Writes a text in which abbreviations are told what they mean.
    private mutating func writeAbbreviated(_ text: [UInt8]) {
        closeGap(before: text.first)
        if isInHeading { return escape(text) }
        tree.abbreviations.append(text.span, to: &output.html)
    }

    mutating func escape(_ text: [UInt8]) {
        closeGap(before: text.first)
        HTMLText.escape(text.span, into: &output.html)
    }

    /// - Parameter text: of a node of ``inlines``.
    mutating func escape(_ text: Range<Int>) {
        if authorHTML.gap != nil { closeGap(before: inlines.bytes(text).first) }
        inlines.escape(text, into: &output.html)
    }
}
