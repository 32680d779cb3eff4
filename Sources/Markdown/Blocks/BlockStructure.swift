import CommonMark

/// A document's blocks: libcmark's tree of a text in which stand-ins replace the extensions.
///
/// libcmark has no extensions, and a table or a footnote cannot be found in its tree afterwards:
/// where a paragraph ends depends on them. So libcmark gets a text in which each row of a table is
/// an empty heading, which like a row takes one line and ends any paragraph; each footnote is the
/// item of a list that is indented by four, which continues as a footnote does; and a `:::`
/// or `$$` block is a fenced one. The stand-ins are then looked for in the tree. Where one is missing, as inside of
/// code, the author's line is put back, and libcmark parses the whole text again. A page without
/// extensions, or whose tables stand alone between blank lines, is parsed once; ``LinkLabels`` may
/// add another time.
struct BlockStructure {
    /// The text with stand-ins; it has as many lines as the document.
    let source: SourceText
    let document: Document
    /// By the line of the definition.
    let footnotes: [Int: FootnoteDefinition]
    private let footnoteColumns: [Int: Int]
    /// The lines that begin or end blocks of other tools.
    private let borrowed: [Int: ContainerStandIn]
    private let candidates: [Int: ContainerStandIn]
    private let finder: TableFinder

    /// By the lines of their rows, the delimiter row included.
    var tables: LineMap<Table> { finder.tables }

    init(_ original: SourceText, _ options: MarkdownOptions) throws(RenderLimitError) {
        if options.commonMarkOnly {
            let isSmart = options.smartPunctuation
            let document = Document(original.bytes, smart: isSmart, isValid: true)
            self.init([:], TableFinder(original, []), document)
            return
        }
        var rejected: Set<Int> = []
        self = try Self(showing: original, rejected, options)
        // A table that is found changes how the lines behind it are read.
        for round in 0..<7 {
            if tables.isEmpty || candidates.isEmpty { return }
            let confirmed = ContainerStandIn.confirm(candidates, in: document, source).candidates
            let missing = candidates.keys.filter {
                confirmed[$0] == nil && !tables.contains($0)
            }
            if missing.isEmpty { return }
            rejected.formUnion(round == 6 ? Array(candidates.keys) : missing)
            self = try Self(showing: original, rejected, options)
        }
    }

    private init(
        showing original: SourceText,
        _ rejected: Set<Int>,
        _ options: MarkdownOptions
    ) throws(RenderLimitError) {
        let (candidates, source, document) = Self.showContainers(original, rejected, options)
        let (finder, found) = try TableFinder.find(in: source, document)
        self.init(candidates, finder, found)
    }

    private init(
        _ candidates: [Int: ContainerStandIn],
        _ finder: TableFinder,
        _ document: Document
    ) {
        self.candidates = candidates
        self.finder = finder
        self.document = document
        source = finder.shown
        footnotes = candidates.compactMapValues(\.footnote)
        footnoteColumns = candidates.filter { $0.value.footnote != nil }.mapValues(\.column)
        borrowed = candidates.filter { $0.value.block != nil }
    }

    /// Whether the document has no stand-ins for tables, footnotes or blocks of other tools.
    var isPlain: Bool { footnotes.isEmpty && tables.isEmpty && borrowed.isEmpty }

    var abbreviations: Abbreviations {
        var abbreviations = Abbreviations()
        for (_, standIn) in borrowed.sorted(by: { $0.key < $1.key }) {
            guard case .abbreviation(let name, let meaning) = standIn.block else { continue }
            abbreviations.define(name, meaning)
        }
        return abbreviations
    }

    var hasBorrowedBlocks: Bool { !borrowed.isEmpty }

    /// The block of another tool that an item or a heading stands for.
    func borrowedBlock(_ node: Node) -> BorrowedBlock? {
        guard !borrowed.isEmpty, let standIn = borrowed[node.line], standIn.kind == node.kind,
            standIn.column == node.column
        else { return nil }
        return standIn.block
    }

    /// The block of another tool for whose beginning a list stands.
    func borrowedBlock(ofList node: Node) -> BorrowedBlock? {
        guard !borrowed.isEmpty, let standIn = borrowed[node.line], standIn.kind == .item,
            standIn.column == node.column
        else { return nil }
        return standIn.block
    }

    /// Whether a list item stands for a footnote.
    func isFootnote(_ node: Node) -> Bool {
        !footnotes.isEmpty && node.kind == .item && footnoteColumns[node.line] == node.column
    }

    /// Whether a list holds footnotes and nothing else.
    func isFootnoteList(_ node: Node) -> Bool {
        !footnotes.isEmpty && footnoteColumns[node.line] == node.column
    }

    /// Where a row is in ``rowSource``.
    func row(_ line: Int) -> Range<Int>? { finder.row(line) }

    /// The text in which rows stand as the author wrote them.
    var rowSource: SourceText { finder.source }

    /// - Returns: also the text with stand-ins, and its tree where there are some.
    private static func showContainers(
        _ original: SourceText,
        _ rejected: Set<Int>,
        _ options: MarkdownOptions
    ) -> ([Int: ContainerStandIn], SourceText, Document?) {
        for mark in ContainerStandIn.marks {
            let candidates = ContainerStandIn.candidates(
                in: original,
                mark: mark,
                options
            )
            .filter { !rejected.contains($0.key) && !rejected.contains(-$0.value.column) }
            if candidates.isEmpty { break }
            if let shown = confirm(candidates, original) { return shown }
            // Where every mark fails, the lines stay what they are without the extension.
        }
        return ([:], original, nil)
    }

    /// Removes the candidates that libcmark does not read as a stand-in.
    ///
    /// - Returns: the others, or `nil` where they cannot be used with this mark.
    private static func confirm(
        _ all: [Int: ContainerStandIn],
        _ original: SourceText
    ) -> ([Int: ContainerStandIn], SourceText, Document?)? {
        var candidates = all
        var source = original
        var document: Document?
        // Each round puts at least one line back; most documents need one round.
        for _ in 0..<8 {
            source = original.replacing { candidates[$0]?.line }
            let tree = Document(source.bytes, isValid: true)
            document = tree
            let confirmation = ContainerStandIn.confirm(candidates, in: tree, source)
            let isDone =
                confirmation.candidates.count == candidates.count && confirmation.areInPlace
            candidates = confirmation.candidates
            if confirmation.areMixed { return nil }
            if candidates.isEmpty { return ([:], original, nil) }
            if isDone { break }
        }
        return (candidates, source, document)
    }
}
