import Bytes
import HTML

/// Renders a document with placeholders for URLs, byte for byte as libcmark and cmark-gfm do except
/// for the differences that the handbook lists (markdown-differences.md).
struct HTMLRenderer: ~Copyable {
    let tree: BlockTree
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
    var blocks = OpenBlocks()
    var ids: DocumentIDs
    /// Above 0 inside an image, whose content becomes plain text in `alt`.
    var imageDepth = 0
    var alternativeStart = 0
    /// What the image is for HTML.
    var embedding = Embedding.picture
    /// Where the next paragraph leads, which is the text of a component.
    var linkAddress: String?
    /// The link whose text may be a page's address, for which readers see the page's title.
    var mention: (offset: Int, destination: String, range: SourceRange)?
    /// Whether each link of the paragraph is one.
    var hasMentions = false
    /// The attributes of the next block of code that stand in a tag around it.
    var codeAttributes: String?
    /// Where the last card or step ended.
    var itemEnd = -1
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

    init(_ tree: BlockTree, _ options: MarkdownOptions) {
        self.tree = tree
        self.options = options
        inlines = InlineParser(options, tree.labels)
        footnotes = Footnotes(tree.footnotes)
        ids = DocumentIDs(chosen: tree.headingIDs)
        mistakesInLines =
            options.commonMarkOnly
            ? [] : UnusedDefinitions.diagnostics(in: tree) + ConflictMarks.diagnostics(in: tree)
        // Most pages fit.
        output.html.reserveCapacity(tree.source.bytes.count / 4 * 5 + 512)
    }

    /// Renders the document.
    consuming func rendered() throws(RenderLimitError) -> RenderedDocument {
        tree.walk { block, entering in visit(block, entering) }
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

    private mutating func visit(_ block: Block, _ entering: Bool) {
        if entering, !authorHTML.elements.areDone { makeRoom(for: block) }
        switch block.kind {
        case .document: break
        case .blockQuote: visitBlockQuote(block, entering)
        case .list: visitList(block, entering)
        case .item: visitItem(block, entering)
        case .footnote: visitFootnote(block, entering)
        case .dialectContainer: visitDialectContainer(block, entering)
        case .dialectLine: visitDialectLine(block)
        case .heading: visitHeading(block)
        case .paragraph: visitParagraph(block)
        case .table: visitTable(block)
        case .codeBlock: visitCodeBlock(block)
        case .htmlBlock:
            startLine()
            write(htmlBlock: block)
            startLine()
        case .thematicBreak:
            if !endTabs(in: block.parent) {
                startLine()
                write("<hr />\n")
            }
        }
    }

    /// - Throws: before so many lists are written that the page would be refused.
    private mutating func writeContents() throws(RenderLimitError) {
        guard !contentsOffsets.isEmpty else { return }
        let list = ContentsList.html(output.headings, depth: options.contentsDepth)
        let contents = Array((list.isEmpty ? "" : "<nav class=\"toc\">\n\(list)</nav>\n").utf8)
        let count = output.html.count + contentsOffsets.count * contents.count
        try RenderLimitError.check(html: count, from: tree.source.bytes.count)
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
    private mutating func makeRoom(for block: Block) {
        switch block.kind {
        case .document, .item, .htmlBlock: return
        default:
            write(text: authorHTML.elements.makeRoomForBlock(isHeading: block.kind == .heading))
        }
    }

    mutating func startLine() {
        if let last = output.html.last, last != 10 { output.html.append(10) }
    }

    mutating func find(_ kind: MarkdownDiagnostic.Kind, _ sourceRange: SourceRange) {
        output.diagnostics.append(MarkdownDiagnostic(kind, at: sourceRange))
    }
}
