import CommonMark

/// A document's blocks: libcmark's tree of a text in which stand-ins replace the extensions.
///
/// libcmark has no extensions, and a table or a footnote cannot be found in its tree afterwards:
/// where a paragraph ends depends on them. So libcmark gets a text in which each row of a table is
/// an empty heading, which like a row takes one line and ends any paragraph; each footnote is the
/// item of a list that is indented by four, which continues as a footnote does; and a `:::` block is
/// a fenced one. The stand-ins are then looked for in the tree. Where one is missing, as inside of
/// code, the author's line is put back. Each time libcmark parses the whole text again: twice or
/// more for a page with stand-ins, and ``LinkLabels`` may add another time.
struct BlockStructure {
    /// The text with stand-ins; it has as many lines as the document.
    private(set) var source: SourceText
    private(set) var document: Document
    /// By the line of the definition.
    private(set) var footnotes: [Int: FootnoteDefinition] = [:]
    private(set) var rows: [Int: (text: ArraySlice<UInt8>, offset: Int)] = [:]
    private var footnoteColumns: [Int: Int] = [:]
    /// By the lines of their rows, the delimiter row included.
    private(set) var tables: [Int: Table] = [:]

    init(_ original: SourceText, _ options: MarkdownOptions) throws(RenderLimitError) {
        source = original
        document = Document(source.bytes, smart: options.isSmartInCommonMark)
        if options.commonMarkOnly { return }
        var rejected: Set<Int> = []
        // A table that is found changes how the lines behind it are read.
        for round in 0..<8 {
            let candidates = try showContainers(original, rejected, options)
            try showTables(options)
            if tables.isEmpty || candidates.isEmpty { return }
            let confirmed = ContainerStandIn.confirm(candidates, in: document, source).candidates
            let missing = candidates.keys.filter { confirmed[$0] == nil && tables[$0] == nil }
            if missing.isEmpty { return }
            rejected.formUnion(round == 6 ? Array(candidates.keys) : missing)
        }
    }

    /// Whether the document has no stand-ins for tables or footnotes.
    var isPlain: Bool { footnotes.isEmpty && tables.isEmpty }

    /// Whether a list item stands for a footnote.
    func isFootnote(_ node: Node) -> Bool {
        !footnotes.isEmpty && node.kind == .item && footnoteColumns[node.line] == node.column
    }

    /// Whether a list holds footnotes and nothing else.
    func isFootnoteList(_ node: Node) -> Bool {
        !footnotes.isEmpty && footnoteColumns[node.line] == node.column
    }

    private mutating func showContainers(
        _ original: SourceText,
        _ rejected: Set<Int>,
        _ options: MarkdownOptions
    ) throws(RenderLimitError) -> [Int: ContainerStandIn] {
        var candidates: [Int: ContainerStandIn] = [:]
        for mark in ContainerStandIn.marks {
            candidates = ContainerStandIn.candidates(in: original, mark: mark)
                .filter { !rejected.contains($0.key) && !rejected.contains(-$0.value.column) }
            if candidates.isEmpty { break }
            if try confirm(&candidates, original, options) { break }
            // Where every mark fails, the lines stay what they are without the extension.
            candidates = [:]
        }
        if candidates.isEmpty, source.bytes != original.bytes {
            source = original
            document = Document(source.bytes, smart: options.isSmartInCommonMark)
        }
        footnotes = candidates.compactMapValues(\.footnote)
        footnoteColumns = candidates.filter { $0.value.footnote != nil }.mapValues(\.column)
        return candidates
    }

    /// Removes the candidates that libcmark does not read as a stand-in.
    ///
    /// - Returns: whether the others can be used with this mark.
    private mutating func confirm(
        _ candidates: inout [Int: ContainerStandIn],
        _ original: SourceText,
        _ options: MarkdownOptions
    ) throws(RenderLimitError) -> Bool {
        // Each round puts at least one line back; most documents need one round.
        for _ in 0..<8 {
            source = original.replacing(candidates.mapValues { $0.line })
            document = Document(source.bytes, smart: options.isSmartInCommonMark)
            let confirmation = ContainerStandIn.confirm(candidates, in: document, source)
            let isDone =
                confirmation.candidates.count == candidates.count && confirmation.areInPlace
            candidates = confirmation.candidates
            if confirmation.areMixed { return false }
            if isDone { return true }
        }
        return true
    }

    private mutating func showTables(_ options: MarkdownOptions) throws(RenderLimitError) {
        tables = [:]
        rows = [:]
        guard source.lines.contains(where: { TableSyntax.mayBeDelimiterRow(source.bytes, $0) })
        else { return }
        let unchanged = source
        var rejected: Set<Int> = []
        for _ in 0..<8 {
            var finder = TableFinder(unchanged, rejected: rejected)
            for _ in 0..<16 {
                guard try finder.look(in: document) else { break }
                document = Document(finder.shown.bytes, smart: options.isSmartInCommonMark)
            }
            let lost = finder.lost(in: document)
            if lost.isEmpty {
                tables = finder.tables
                rows = finder.rows
                source = finder.shown
                return
            }
            rejected.formUnion(lost)
            document = Document(unchanged.bytes, smart: options.isSmartInCommonMark)
        }
    }
}
