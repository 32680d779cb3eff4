import CommonMark

/// Blocks that begin with a line of their own and have no node in libcmark's tree: tabs as Microsoft
/// Learn and GitBook write them, admonitions between `:::`.
///
/// They end at the latest with the quote, the item or the document in which they began.
struct OpenBlocks {
    enum Kind { case tabs, admonition }

    /// The quote, item or document in which a block stands.
    private struct Container: Equatable {
        let line: Int
        let column: Int

        init(_ node: Node?) {
            let isDocument = node == nil || node?.kind == .document
            line = isDocument ? 0 : node?.line ?? 0
            column = isDocument ? 0 : node?.column ?? 0
        }
    }

    private var entries: [(container: Container, kind: Kind, end: String)] = []

    /// The kind of the innermost block, if it began in a container.
    func innermost(in node: Node?) -> Kind? {
        guard let last = entries.last, last.container == Container(node) else { return nil }
        return last.kind
    }

    /// Whether a block of a kind is open in a container.
    func contains(_ kind: Kind, in node: Node?) -> Bool {
        let container = Container(node)
        return entries.reversed().prefix { $0.container == container }.contains { $0.kind == kind }
    }

    /// - Parameter end: the tags that end the block.
    mutating func open(_ kind: Kind, in node: Node?, end: String) {
        entries.append((Container(node), kind, end))
    }

    /// The end of the innermost block.
    mutating func close() -> String { entries.popLast()?.end ?? "" }
}
