import CCommonMark

/// A parsed CommonMark document (CommonMark 0.30, by libcmark).
///
/// `@unchecked Sendable` is safe: the tree is only read after it was made, and libcmark's functions
/// for reading do not write to it.
@safe public final class Document: @unchecked Sendable {
    private let tree: OpaquePointer
    /// Holds the tree; libcmark frees no node on its own.
    private var arena: shim_arena

    /// Parses `markdown`; every text is valid Markdown.
    ///
    /// Bytes that are not UTF-8 become U+FFFD, as does NUL.
    ///
    /// - Parameters:
    ///   - smart: whether straight quotes, `--` and `...` become typographic ones.
    ///   - isValid: whether the text is known to be UTF-8; libcmark then does not check it.
    public init(_ markdown: [UInt8], smart: Bool = false, isValid: Bool = false) {
        // Without the option for source positions, libcmark counts lines wrongly behind a code span
        // or HTML of several lines.
        let options =
            (isValid ? 0 : CMARK_OPT_VALIDATE_UTF8) | CMARK_OPT_SOURCEPOS
            | (smart ? CMARK_OPT_SMART : 0)
        var arena = unsafe shim_arena()
        let tree = unsafe markdown.withUnsafeBytes { bytes in
            unsafe shim_parse(
                &arena,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                bytes.count,
                options
            )
        }
        guard let tree = unsafe tree else {
            preconditionFailure("libcmark has no memory for \(markdown.count) bytes")
        }
        unsafe self.tree = unsafe tree
        unsafe self.arena = unsafe arena
    }

    deinit { unsafe shim_release(&arena) }

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
        // The nodes are pointers into the arena, which the compiler does not know.
        defer { withExtendedLifetime(self) {} }
        var node = unsafe tree
        while true {
            let current = unsafe Node(self, node)
            let isContainer = current.kind.isContainer
            if visit(current, true) == .descend, isContainer {
                if let child = unsafe cmark_node_first_child(node) {
                    unsafe node = child
                    continue
                }
                _ = visit(current, false)
            }
            while true {
                if unsafe node == tree { return }
                if let sibling = unsafe cmark_node_next(node) {
                    unsafe node = sibling
                    break
                }
                guard let parent = unsafe cmark_node_parent(node) else { return }
                unsafe node = parent
                _ = visit(unsafe Node(self, parent), false)
            }
        }
    }
}
