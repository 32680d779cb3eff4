import CCommonMark

/// A parsed CommonMark document (CommonMark 0.30, by libcmark).
///
/// `@unchecked Sendable` is safe: the tree is only read after it was made, and libcmark's functions
/// for reading do not write to it.
@safe public final class Document: @unchecked Sendable {
    private let tree: OpaquePointer

    /// Parses `markdown`; every text is valid Markdown.
    ///
    /// Bytes that are not UTF-8 become U+FFFD, as does NUL.
    public init(_ markdown: [UInt8]) {
        // Without the option for source positions, libcmark counts lines wrongly behind a code span
        // or HTML of several lines.
        let options = CMARK_OPT_VALIDATE_UTF8 | CMARK_OPT_SOURCEPOS
        let tree = unsafe markdown.withUnsafeBytes { bytes in
            let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe cmark_parse_document(text, bytes.count, options)
        }
        guard let tree = unsafe tree else {
            preconditionFailure("libcmark has no memory for \(markdown.count) bytes")
        }
        unsafe self.tree = unsafe tree
    }

    deinit { unsafe cmark_node_free(tree) }

    /// Visits the tree in document order: containers when entered and when left, leaves once.
    ///
    /// It is a loop, not a recursion: ten thousand nested quotes need no stack.
    public func walk(_ visit: (_ node: Node, _ entering: Bool) -> Void) {
        // The nodes are pointers into the tree, which the compiler does not know.
        defer { withExtendedLifetime(self) {} }
        var node = unsafe tree
        while true {
            let current = unsafe Node(self, node)
            visit(current, true)
            if current.kind.isContainer {
                if let child = unsafe cmark_node_first_child(node) {
                    unsafe node = child
                    continue
                }
                visit(current, false)
            }
            while true {
                if unsafe node == tree { return }
                if let sibling = unsafe cmark_node_next(node) {
                    unsafe node = sibling
                    break
                }
                guard let parent = unsafe cmark_node_parent(node) else { return }
                unsafe node = parent
                visit(unsafe Node(self, parent), false)
            }
        }
    }
}
