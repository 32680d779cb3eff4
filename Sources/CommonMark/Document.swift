import CCommonMark

/// A parsed CommonMark document (CommonMark 0.30, by libcmark).
///
/// `@unchecked Sendable` is safe: the tree is only read after it was made, and libcmark's functions
/// for reading do not write to it.
@safe public final class Document: @unchecked Sendable {
    let tree: OpaquePointer

    /// Parses `markdown`; every text is valid Markdown.
    ///
    /// Bytes that are not UTF-8 become U+FFFD, as does NUL.
    ///
    /// - Parameter smart: whether straight quotes, `--` and `...` become typographic ones.
    public init(_ markdown: [UInt8], smart: Bool = false) {
        // Without the option for source positions, libcmark counts lines wrongly behind a code span
        // or HTML of several lines.
        let options = CMARK_OPT_VALIDATE_UTF8 | CMARK_OPT_SOURCEPOS | (smart ? CMARK_OPT_SMART : 0)
        let tree = unsafe markdown.withUnsafeBytes { bytes in
            unsafe cmark_parse_document(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                bytes.count,
                options
            )
        }
        guard let tree = unsafe tree else {
            preconditionFailure("libcmark has no memory for \(markdown.count) bytes")
        }
        unsafe self.tree = unsafe tree
    }

    deinit { unsafe cmark_node_free(tree) }

    /// Where a walk goes from a node that it has entered.
    public enum Step: Sendable {
        case descend
        /// Past the node's children; the node is not visited again when it is left.
        case skip
    }

    /// Visits the tree in document order: containers when entered and when left, leaves once.
    ///
    /// It is a loop, not a recursion: ten thousand nested quotes need no stack.
    public func walk(_ visit: (_ node: Node, _ entering: Bool) -> Step) {
        let iterator = unsafe cmark_iter_new(tree)
        defer { unsafe cmark_iter_free(iterator) }
        while true {
            let event = unsafe cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE { return }
            guard let node = unsafe cmark_iter_get_node(iterator) else { continue }
            let isEntering = event == CMARK_EVENT_ENTER
            if visit(unsafe Node(self, node), isEntering) == .skip, isEntering {
                unsafe cmark_iter_reset(iterator, node, CMARK_EVENT_EXIT)
            }
        }
    }
}
