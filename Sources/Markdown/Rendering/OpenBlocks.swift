/// Blocks that lines of their own begin and end: tabs as Microsoft Learn and GitBook write them,
/// admonitions between `:::`.
///
/// They end at the latest with the quote, the item or the document in which they began.
struct OpenBlocks {
    enum Kind { case tabs, admonition, cards, codeGroup, step }

    /// With the index of the quote, item or document in which a block stands.
    private var entries: [(container: Int, kind: Kind, end: String)] = []

    /// The kind of the innermost block, if it began in a container.
    func innermost(in container: Block?) -> Kind? {
        guard let last = entries.last, last.container == container?.index ?? 0 else { return nil }
        return last.kind
    }

    /// Whether a block of a kind is open in a container.
    func contains(_ kind: Kind, in container: Block?) -> Bool {
        let container = container?.index ?? 0
        return entries.lazy.reversed().prefix { $0.container == container }
            .contains { $0.kind == kind }
    }

    /// Whether a container's innermost block is a group of code, or the tabs in one.
    func isInCodeGroup(_ container: Block?) -> Bool {
        let container = container?.index ?? 0
        let block = entries.last?.kind == .tabs ? entries.dropLast().last : entries.last
        return block?.kind == .codeGroup && entries.last?.container == container
    }

    /// - Parameter end: the tags that end the block.
    mutating func open(_ kind: Kind, in container: Block?, end: String) {
        entries.append((container?.index ?? 0, kind, end))
    }

    /// The end of the innermost block.
    mutating func close() -> String { entries.popLast()?.end ?? "" }
}
