import CommonMark

/// Renders a document with placeholders for URLs, byte for byte as libcmark and cmark-gfm do except
/// for the differences that the handbook lists (markdown-differences.md).
///
/// It is written by hand because libcmark's own renderer gives headings no ids, and because the
/// extensions of GitHub Flavored Markdown have no place in it.
struct HTMLRenderer: ~Copyable {
    let structure: BlockStructure
    let leaves: Leaves
    let options: MarkdownOptions
    var inlines: InlineParser

    /// The output of the document, or of the innermost open footnote.
    var output = RenderedDocument()
    /// The outputs around the innermost open footnote.
    var outerOutputs: [RenderedDocument] = []
    /// What is listed for the whole document, wherever it stands: anchors, markers and syntax of
    /// other tools.
    var lists = RenderedDocument()
    var footnotes: Footnotes
    /// The lines of the definitions of the open footnotes.
    var footnoteLines: [Int] = []
    var blocks = OpenBlocks()
    var ids: DocumentIDs
    /// Above 0 inside an image, whose content becomes plain text in `alt`.
    var imageDepth = 0
    let abbreviations: Abbreviations
    var alternativeStart = 0
    /// The caption of the image that stands alone in its paragraph.
    var caption: String?
    var headingStart = 0
    var isInHeading = false
    var quotes: [Quote] = []
    /// Offsets in the document where tables of contents go.
    var contentsOffsets: [Int] = []

    var authorHTML = HTMLOutput()

    /// Probable mistakes in lines, whatever block they stand in.
    private let mistakesInLines: [MarkdownDiagnostic]

    enum Quote { case division, folded, quotation }

    init(_ structure: BlockStructure, _ source: SourceText, _ options: MarkdownOptions) {
        let leaves =
            options.commonMarkOnly
            ? Leaves(none: source)
            : Leaves(
                of: structure,
                in: source,
                wantsHTML: options.placesHTML,
                borrowedBlocks: options.borrowedBlocks,
                isSmart: options.smartPunctuation
            )
        var context = InlineParser.Context()
        context.smartPunctuation = options.smartPunctuation
        context.wikiLinks = options.wikiLinks
        context.formulas = options.formulas
        context.borrowed = options.borrowedBlocks
        context.labels = LinkLabels(of: leaves.allTexts, in: structure.source)
        self.structure = structure
        self.options = options
        self.leaves = leaves
        abbreviations = structure.hasBorrowedBlocks ? structure.abbreviations : Abbreviations()
        inlines = InlineParser(context)
        footnotes = Footnotes(structure.footnotes)
        ids = DocumentIDs(chosen: leaves.headingIDs.values)
        mistakesInLines =
            options.commonMarkOnly
            ? []
            : UnusedDefinitions.diagnostics(in: source)
                + ConflictMarks.diagnostics(in: source, structure.document)
        // Most pages fit.
        output.html.reserveCapacity(source.bytes.count / 4 * 5 + 512)
    }

    /// Renders the document.
    consuming func rendered() throws(RenderLimitError) -> RenderedDocument {
        let document = structure.document
        document.walk { node, entering in visit(node, entering) }
        endBlocks(in: nil)
        endHTML()
        writeFootnotes()
        try writeContents()
        output.diagnostics += mistakesInLines
        lists.sortForeignUses()
        output.foreignUses = lists.foreignUses
        output.markers = lists.markers
        output.anchors = lists.anchors
        output.droppedAnchors = lists.droppedAnchors
        return output
    }

    private mutating func visit(_ node: Node, _ entering: Bool) -> Document.Step {
        let kind = node.kind
        if imageDepth > 0, kind != .image {
            visitInsideImage(node)
            return .descend
        }
        if entering, !authorHTML.elements.areDone { makeRoom(for: node) }
        switch kind {
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
            if !endTabs(in: node.parent) {
                startLine()
                write("<hr />\n")
            }
        case .paragraph: return visitParagraph(node, entering)
        case .text: write(textOf: node)
        case .lineBreak: write("<br />\n")
        case .softBreak: write("\n")
        case .code:
            write("<code>")
            escape(node)
            write("</code>")
        case .htmlInline:
            write(html: Array(node.literal.utf8), SourceRange(node)) { _ in (node.line, node.column)
            }
        case .strong: entering ? write("<strong>") : write("</strong>")
        case .emphasis: entering ? write("<em>") : write("</em>")
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

    /// - Throws: before so many lists are written that the page would be refused.
    private mutating func writeContents() throws(RenderLimitError) {
        guard !contentsOffsets.isEmpty else { return }
        let list = ContentsList.html(output.headings, depth: options.contentsDepth)
        let contents = Array((list.isEmpty ? "" : "<nav class=\"toc\">\n\(list)</nav>\n").utf8)
        let count = output.html.count + contentsOffsets.count * contents.count
        if let refusal = RenderLimitCheck.refusal(ofHTML: count, from: structure.source) {
            throw refusal
        }
        output.insert(contents, at: contentsOffsets)
    }
}

extension HTMLRenderer {
    mutating func write(_ text: StaticString) { output.html.append(text) }

    mutating func write(text: String) {
        if !text.isEmpty { output.html.append(contentsOf: text.utf8) }
    }

    /// - Parameter digit: from 0 to 9.
    mutating func write(digit: Int) {
        output.html.append(UInt8(ascii: "0") + UInt8(digit))
    }

    /// Closes the elements of the author that no block can stand in.
    private mutating func makeRoom(for node: Node) {
        switch node.kind {
        case .blockQuote, .list, .heading, .codeBlock, .thematicBreak, .paragraph:
            let isHeading = node.kind == .heading && structure.tables[node.line] == nil
            write(text: authorHTML.elements.makeRoomForBlock(isHeading: isHeading))
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
