import Access

/// The tree of a site as one audience may see it.
final class NavigationView: Sendable {
    final class Node: Sendable {
        let url: String
        /// `nil` where the audience may see only that there is a folder.
        let page: ListedPage?
        let folderLabel: String
        let children: [Node]

        init(_ url: String, _ page: ListedPage?, _ folderLabel: String, _ children: [Node]) {
            self.url = url
            self.page = page
            self.folderLabel = folderLabel
            self.children = children
        }

        /// What a list of this folder shows: its pages, and those of folders that are but a name.
        var listed: [ListedPage] {
            children.flatMap { child in child.page.map { [$0] } ?? child.listed }
        }
    }

    /// Everything that a reader of this audience may see listed, from front to back.
    let order: [ListedPage]

    let root: Node
    private let tree: NavigationTree
    private let nodes: [String: Node]
    private let positions: [String: Int]
    /// Where each node stands among its siblings.
    private let indices: [String: Int]

    init(_ tree: NavigationTree, for readers: Audience) {
        let root =
            Self.nodes(tree.root, readers).first
            ?? Node("/", nil, tree.root.folderLabel, [])
        var nodes: [String: Node] = [:]
        var indices: [String: Int] = [:]
        var order: [ListedPage] = []
        func add(_ node: Node) {
            nodes[node.url] = node
            if let page = node.page { order.append(page) }
            for (index, child) in node.children.enumerated() {
                indices[child.url] = index
                add(child)
            }
        }
        add(root)
        self.root = root
        self.tree = tree
        self.nodes = nodes
        self.indices = indices
        self.order = order
        positions = Dictionary(
            order.indices.map { (order[$0].url, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// An entry as readers may see it: a node, nothing, or the nodes below it.
    private static func nodes(_ entry: NavigationTree.Entry, _ readers: Audience) -> [Node] {
        let page = entry.candidate.flatMap { Disclosure.show($0, to: readers) }
        let children = entry.children.flatMap { nodes($0, readers) }
        if page == nil, children.isEmpty { return [] }
        // The name of a folder is in the address of what is below it. Where SUMMARY.md nests
        // pages, that of a page is not: what is below it moves up, and nothing is told of it.
        if page == nil, entry.isPlaced { return children }
        return [Node(entry.url, page, entry.folderLabel, children)]
    }

    func node(at url: String) -> Node? { nodes[url] }

    /// The nodes from the root to a URL, as far as they are seen.
    func chain(to url: String) -> [Node] {
        var chain: [Node] = []
        var url = url
        while url != "/" {
            if let node = nodes[url] { chain.append(node) }
            url = tree.parent(of: url)
        }
        return [root] + chain.reversed()
    }

    func index(of node: Node) -> Int { indices[node.url] ?? 0 }

    func neighbours(of url: String) -> (previous: ListedPage?, next: ListedPage?) {
        guard let position = positions[url] else { return (nil, nil) }
        return (
            position > 0 ? order[position - 1] : nil,
            position + 1 < order.count ? order[position + 1] : nil
        )
    }
}
