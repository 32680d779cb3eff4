/// The inline content of one leaf block, as nodes in an array.
///
/// Emphasis is found after what it holds, so nodes are moved about; positions in an array do that
/// without a recursion that a hostile document could make too deep.
struct InlineTree {
    enum Kind {
        case root, text, softBreak, lineBreak, code, html, emphasis, strong, strikethrough
        case link, image, wikiLink, footnoteReference, formula, marked, keys
        /// A footnote that stands where it is referred to.
        case note
        /// Attributes, a comment or the name of an icon: readers do not see it.
        case dropped
    }

    /// Numbers alone: a copy counts no references.
    struct Node {
        var kind: Kind
        /// Of text, code, HTML, keys, and formulas with their dollar signs; the label of a footnote reference.
        ///
        /// `InlineParser` has the bytes.
        var text = 0..<0
        /// Of a link or an image: which of the parser's addresses it has.
        var address = -1
        /// Where it begins in the leaf's text.
        var offset = 0
        /// Where it ends there; 0 where nobody asks.
        var end = 0
        fileprivate(set) var parent = -1
        fileprivate(set) var previous = -1
        fileprivate(set) var next = -1
        fileprivate(set) var first = -1
        fileprivate(set) var last = -1

        /// Takes bytes off the end of its text.
        mutating func shorten(by count: Int) {
            text = text.lowerBound..<text.upperBound - count
        }
    }

    /// The first is the root.
    private(set) var nodes = [Node(kind: .root)]

    /// Makes the tree a root without children.
    mutating func clear() {
        nodes.removeAll(keepingCapacity: true)
        nodes.append(Node(kind: .root))
    }

    subscript(index: Int) -> Node {
        _read { yield nodes[index] }
        _modify { yield &nodes[index] }
    }

    mutating func append(_ node: Node, to parent: Int = 0) -> Int {
        nodes.append(node)
        attach(nodes.count - 1, to: parent)
        return nodes.count - 1
    }

    mutating func insert(_ node: Node, after sibling: Int) -> Int {
        nodes.append(node)
        let index = nodes.count - 1
        let next = nodes[sibling].next
        nodes[index].parent = nodes[sibling].parent
        nodes[index].previous = sibling
        nodes[index].next = next
        nodes[sibling].next = index
        if next >= 0 {
            nodes[next].previous = index
        } else {
            nodes[nodes[index].parent].last = index
        }
        return index
    }

    mutating func remove(_ index: Int) {
        let node = nodes[index]
        if node.previous >= 0 { nodes[node.previous].next = node.next }
        if node.next >= 0 { nodes[node.next].previous = node.previous }
        if node.parent >= 0 {
            if nodes[node.parent].first == index { nodes[node.parent].first = node.next }
            if nodes[node.parent].last == index { nodes[node.parent].last = node.previous }
        }
        nodes[index].parent = -1
        nodes[index].previous = -1
        nodes[index].next = -1
    }

    /// Moves the siblings between two nodes, or to the end, into a third.
    mutating func move(after start: Int, before end: Int?, into parent: Int) {
        var index = nodes[start].next
        while index >= 0, index != end {
            let next = nodes[index].next
            remove(index)
            attach(index, to: parent)
            index = next
        }
    }

    mutating func removeAll(after start: Int) {
        while nodes[start].next >= 0 { remove(nodes[start].next) }
    }

    private mutating func attach(_ index: Int, to parent: Int) {
        let last = nodes[parent].last
        nodes[index].parent = parent
        nodes[index].previous = last
        nodes[index].next = -1
        nodes[parent].last = index
        if last >= 0 { nodes[last].next = index } else { nodes[parent].first = index }
    }

    /// The node of a tree that has one.
    var onlyNode: Node? {
        let first = nodes[0].first
        return first >= 0 && first == nodes[0].last ? nodes[first] : nil
    }

    func lastChild(of index: Int) -> Int { nodes[index].last }

    func previousSibling(of index: Int) -> Int { nodes[index].previous }

    /// Visits the nodes in order, those that hold others when entered and when left.
    func walk(_ visit: (_ node: Node, _ entering: Bool) -> Void) {
        var cursor = Cursor()
        while advance(&cursor) { visit(nodes[cursor.index], cursor.isEntering) }
    }

    /// Where a walk is; it begins at the root.
    struct Cursor {
        fileprivate(set) var index = 0
        fileprivate(set) var isEntering = true
    }

    /// Goes to the next node; `false` at the end.
    func advance(_ cursor: inout Cursor) -> Bool {
        let node = nodes[cursor.index]
        if cursor.isEntering {
            if node.first >= 0 {
                cursor.index = node.first
                return true
            }
            if Self.holdsOthers(node.kind) {
                cursor.isEntering = false
                return true
            }
        }
        if cursor.index == 0 { return false }
        cursor.isEntering = node.next >= 0
        cursor.index = node.next >= 0 ? node.next : node.parent
        return cursor.index > 0
    }

    private static func holdsOthers(_ kind: Kind) -> Bool {
        switch kind {
        case .emphasis, .strong, .strikethrough, .marked, .link, .image, .wikiLink, .note: true
        default: false
        }
    }
}
