import CommonMark

/// Renders a document with placeholders for URLs, byte for byte as libcmark and cmark-gfm do except
/// for the differences that the handbook lists (markdown-differences.md).
///
/// It is written by hand because libcmark's own renderer gives headings no ids, and because the
/// extensions of GitHub Flavored Markdown have no place in it.
struct HTMLRenderer {
    let structure: BlockStructure
    let leaves: Leaves
    let options: MarkdownOptions
    let context: InlineParser.Context

    /// The output of the document, then those of the open footnotes.
    var outputs = [RenderedDocument()]
    var footnotes: Footnotes
    /// The lines of the definitions of the open footnotes.
    var footnoteLines: [Int] = []
    var tabs = TabGroups()
    var ids: DocumentIDs
    /// Above 0 inside an image, whose content becomes plain text in `alt`.
    var imageDepth = 0
    var alternativeStart = 0
    private var headingStart = 0
    var headingText = ""
    var isInHeading = false
    /// The end tags of the open quotes.
    private var quoteEnds: [String] = []
    /// Offsets in the document where tables of contents go.
    private var contentsOffsets: [Int] = []

    var authorHTML = HTMLOutput()

    private let unusedDefinitions: [MarkdownDiagnostic]

    init(_ structure: BlockStructure, _ source: SourceText, _ options: MarkdownOptions) {
        self.structure = structure
        self.options = options
        leaves =
            options.commonMarkOnly
            ? Leaves(none: source)
            : Leaves(
                of: structure,
                in: source,
                wantsHTML: options.placesHTML,
                isSmart: options.smartPunctuation
            )
        footnotes = Footnotes(structure.footnotes)
        ids = DocumentIDs(chosen: leaves.headingIDs.values)
        unusedDefinitions = options.commonMarkOnly ? [] : UnusedDefinitions.diagnostics(in: source)
        var context = InlineParser.Context()
        context.smartPunctuation = options.smartPunctuation
        context.wikiLinks = options.wikiLinks
        context.labels = LinkLabels(of: leaves.allTexts, in: structure.source)
        self.context = context
    }

    /// Renders the document; call it once.
    func rendered() throws(RenderLimitError) -> RenderedDocument {
        var renderer = self
        structure.document.walk { node, entering in renderer.visit(node, entering) }
        renderer.endTabs(in: nil)
        renderer.endHTML()
        renderer.writeFootnotes()
        try renderer.writeContents()
        renderer.outputs[0].diagnostics += renderer.unusedDefinitions
        renderer.outputs[0].sortForeignUses()
        return renderer.outputs[0]
    }

    private mutating func visit(_ node: Node, _ entering: Bool) -> Document.Step {
        if imageDepth > 0, node.kind != .image {
            visitInsideImage(node)
            return .descend
        }
        if entering { makeRoom(for: node) }
        switch node.kind {
        case .document, .custom: break
        case .blockQuote: visitBlockQuote(node, entering)
        case .list: return visitList(node, entering)
        case .item: visitItem(node, entering)
        case .heading: return visitHeading(node, entering)
        case .codeBlock: visitCodeBlock(node)
        case .htmlBlock:
            startLine()
            write(htmlBlock: node)
            startLine()
        case .thematicBreak:
            if !endTabs(in: node.parent) { block(true, "<hr />\n", "") }
        case .paragraph: return visitParagraph(node, entering)
        case .text: escape(node)
        case .lineBreak: writeBreak("<br />\n")
        case .softBreak: writeBreak("\n")
        case .code:
            write("<code>")
            escape(node)
            write("</code>")
        case .htmlInline:
            write(html: Array(node.literal.utf8), SourceRange(node)) { _ in (node.line, node.column)
            }
        case .strong: write(entering ? "<strong>" : "</strong>")
        case .emphasis: write(entering ? "<em>" : "</em>")
        case .link:
            entering
                ? openLink(node.destination, node.title, SourceRange(node))
                : write("</a>")
        case .image:
            entering
                ? openImage(node.destination, SourceRange(node))
                : closeImage(node.title, SourceRange(node))
        }
        return .descend
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

    private mutating func visitBlockQuote(_ node: Node, _ entering: Bool) {
        startLine()
        guard entering else {
            endTabs(in: node)
            write(authorHTML.elements.leave())
            return write(quoteEnds.popLast() ?? "")
        }
        // Several quotes may begin on one line; the innermost holds the paragraph.
        let found = leaves.callouts[node.line].flatMap { $0.column == node.column ? $0 : nil }
        switch found?.callout {
        case .alert(let name):
            write("<div class=\"markdown-alert markdown-alert-\(name)\">\n")
            write("<p class=\"markdown-alert-title\">")
            if let title = found?.title {
                write(inlinesOf: title)
            } else {
                write(name.prefix(1).uppercased() + name.dropFirst())
            }
            write("</p>\n")
            quoteEnds.append("</div>\n")
        case .division(let classes):
            write("<div class=\"\(classes)\">\n")
            quoteEnds.append("</div>\n")
        case nil:
            write("<blockquote>\n")
            quoteEnds.append("</blockquote>\n")
        }
        authorHTML.elements.enter(allowsBlocks: true)
    }

    private mutating func visitList(_ node: Node, _ entering: Bool) -> Document.Step {
        // Footnotes are lists in libcmark's tree.
        if structure.isFootnoteList(node) { return .descend }
        guard entering else {
            write(node.isOrdered ? "</ol>\n" : "</ul>\n")
            return .descend
        }
        startLine()
        if !node.isOrdered {
            write("<ul>\n")
        } else if node.listStart == 1 {
            write("<ol>\n")
        } else {
            write("<ol start=\"\(node.listStart)\">\n")
        }
        return .descend
    }

    private mutating func visitItem(_ node: Node, _ entering: Bool) {
        if !entering { endTabs(in: node) }
        if structure.isFootnote(node) {
            entering ? beginFootnote(node.line) : endFootnote()
            return
        }
        guard entering else { return write(authorHTML.elements.leave() + "</li>\n") }
        startLine()
        if let (column, task) = leaves.tasks[node.line], column == node.column {
            write(Self.task(isDone: task == .done))
        } else {
            write("<li>")
        }
        authorHTML.elements.enter(allowsBlocks: true)
    }

    /// An item with GitHub's box; the label is for screen readers.
    private static func task(isDone: Bool) -> String {
        let state =
            isDone ? "checked disabled aria-label=\"Completed" : "disabled aria-label=\"Incomplete"
        return "<li class=\"task\"><input type=\"checkbox\" \(state) task\" /> "
    }

    private mutating func visitHeading(_ node: Node, _ entering: Bool) -> Document.Step {
        if structure.tables[node.line] != nil {
            writeRow(node.line)
            return .skip
        }
        if structure.footnotes[node.line]?.isEmpty == true, node.endLine == node.line,
            let parent = node.parent, structure.isFootnote(parent)
        {
            return .skip
        }
        guard entering else {
            endHeading(node, id: nil)
            return .descend
        }
        let endsTab = tabs.isOpen(in: node.parent)
        if let tab = tabs.open(node) {
            if endsTab { write(authorHTML.elements.leave()) }
            startLine()
            write(tab)
            authorHTML.elements.enter(allowsBlocks: true)
            return .skip
        }
        startLine()
        write("<h\(node.headingLevel)")
        headingStart = output.html.count
        headingText = ""
        isInHeading = true
        write(">")
        guard let leaf = leaves.texts[node.line] else { return .descend }
        write(inlinesOf: leaf)
        endHeading(node, id: leaves.headingIDs[node.line])
        return .skip
    }

    private mutating func endHeading(_ node: Node, id chosen: String?) {
        let level = node.headingLevel
        isInHeading = false
        write("</h\(level)>\n")
        guard !options.commonMarkOnly else { return }
        checkLevel(node)
        let (id, problem) = ids.next(chosen: chosen, text: headingText)
        if let problem { find(problem, SourceRange(node)) }
        output.headings.append(.init(level: level, id: id, text: headingText))
        let attribute = HTMLText.escape(id)
        output.insert(Array(" id=\"\(attribute)\"".utf8), at: headingStart)
        // Beside the heading: a link inside would be read as part of the heading.
        guard options.themed, level > 1 else { return }
        let url = HTMLText.escapeURL("#" + id)
        write("<a class=\"anchor\" href=\"\(url)\" aria-labelledby=\"\(attribute)\"></a>\n")
    }

    private mutating func checkLevel(_ node: Node) {
        let level = node.headingLevel
        let last = output.headings.last?.level ?? 1
        if level > last + 1 { find(.skippedHeadingLevel(from: last, to: level), SourceRange(node)) }
        if level == 1 {
            if output.hasTopHeading { find(.secondTopHeading, SourceRange(node)) }
            output.hasTopHeading = true
        }
    }

    private mutating func visitCodeBlock(_ node: Node) {
        startLine()
        let language = node.info.utf8.prefix { !$0.isWhitespace }
        if language.first == UInt8(ascii: "{"), language.dropFirst().first?.isLetter == true {
            outputs[0].note(.directive, line: node.line, column: node.column)
        }
        let name = CodeLanguage.name(inInfo: node.info)
        let isDiagram = !options.commonMarkOnly && language.elementsEqual("mermaid".utf8)
        if options.themed, !isDiagram {
            let label = name.flatMap(CodeLanguage.label).map { " data-language=\"\($0)\"" } ?? ""
            write("<div class=\"code\"\(label)>\n")
        }
        if isDiagram {
            write("<pre class=\"mermaid\"><code class=\"language-mermaid\">")
        } else if language.isEmpty {
            write("<pre><code>")
        } else {
            write(
                "<pre><code class=\"language-\(HTMLText.escape(String(decoding: language, as: UTF8.self)))\">"
            )
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
            outputs[0].note(.includeInCode, line: line, column: marks + include.indent + 1)
        }
    }

    private mutating func visitParagraph(_ node: Node, _ entering: Bool) -> Document.Step {
        // In a tight list an item's paragraphs are its text.
        let isTight: Bool
        if let parent = node.parent, let list = parent.parent, list.kind == .list {
            isTight = list.isTight && !structure.isFootnote(parent)
        } else {
            isTight = false
        }
        guard entering, let leaf = leaves.texts[node.line] else {
            if !isTight { block(entering, "<p>", "</p>\n") }
            return .descend
        }
        // The first line of an alert may be the whole paragraph.
        if leaf.bytes.isEmpty { return .skip }
        if node.parent?.kind == .blockQuote, Callout.isUnknown(leaf.bytes) {
            outputs[0].note(.alert, line: node.line, column: node.column)
        }
        if wantsContents(leaf), node.parent?.kind == .document {
            contentsOffsets.append(output.html.count)
            return .skip
        }
        if !isTight { block(true, "<p>", "") }
        write(
            inlinesOf: leaf,
            mayBeDefinition: node.previousSibling?.kind == .paragraph,
            allowsBlocks: isTight
        )
        if !isTight { write("</p>\n") }
        return .skip
    }

    /// `[TOC]`, unless a definition makes a link of it.
    private func wantsContents(_ leaf: LeafText) -> Bool {
        guard leaf.bytes.count < 16 else { return false }
        var text = leaf.bytes[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        switch String(decoding: text, as: UTF8.self) {
        case "[TOC]", "[[TOC]]": return context.labels[Array("TOC".utf8)[...]] == nil
        case "[[_TOC_]]": return context.labels[Array("_TOC_".utf8)[...]] == nil
        default: return false
        }
    }

    /// - Throws: before so many lists are written that the page would be refused.
    private mutating func writeContents() throws(RenderLimitError) {
        guard !contentsOffsets.isEmpty else { return }
        let list = ContentsList.html(outputs[0].headings, depth: options.contentsDepth)
        let contents = Array((list.isEmpty ? "" : "<nav class=\"toc\">\n\(list)</nav>\n").utf8)
        let count = outputs[0].html.count + contentsOffsets.count * contents.count
        if let refusal = RenderLimitCheck.refusal(ofHTML: count, from: structure.source) {
            throw refusal
        }
        outputs[0].insert(contents, at: contentsOffsets)
    }
}

extension HTMLRenderer {
    /// The output that is written to.
    var output: RenderedDocument {
        get { outputs[outputs.count - 1] }
        _modify { yield &outputs[outputs.count - 1] }
    }

    mutating func write(_ text: String) { output.html.append(contentsOf: text.utf8) }

    /// - Returns: whether there were some.
    @discardableResult
    fileprivate mutating func endTabs(in container: Node?) -> Bool {
        guard let end = tabs.end(in: container) else { return false }
        write(authorHTML.elements.leave())
        startLine()
        write(end)
        return true
    }

    /// Closes the elements of the author that no block can stand in.
    private mutating func makeRoom(for node: Node) {
        switch node.kind {
        case .blockQuote, .list, .heading, .codeBlock, .thematicBreak, .paragraph:
            let isHeading = node.kind == .heading && structure.tables[node.line] == nil
            write(authorHTML.elements.makeRoomForBlock(isHeading: isHeading))
        default: break
        }
    }

    mutating func startLine() {
        if let last = output.html.last, last != 10 { output.html.append(10) }
    }

    mutating func find(_ kind: MarkdownDiagnostic.Kind, _ sourceRange: SourceRange) {
        output.diagnostics.append(MarkdownDiagnostic(kind, at: sourceRange))
    }
}
