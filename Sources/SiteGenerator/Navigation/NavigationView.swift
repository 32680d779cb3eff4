import Access

/// The navigation tree as one audience may see it.
final class NavigationView: Sendable {
    final class Node: Sendable {
        let url: String
        /// `nil` if the audience may only see that there is a folder.
        let page: ListedPage?
        let folderLabel: String
        let children: [Node]

        init(_ url: String, _ page: ListedPage?, _ folderLabel: String, _ children: [Node]) {
            self.url = url
            self.page = page
            self.folderLabel = folderLabel
            self.children = children
        }

        /// The entries of the folder's list: its pages, and those of folders without a visible
        /// page.
        var listed: [ListedPage] {
            children.flatMap { child in child.page.map { [$0] } ?? child.listed }
        }
    }

    /// All pages that this audience may see listed, in reading order.
    let order: [ListedPage]

    let root: Node
    private let tree: NavigationTree
    private let nodes: [String: Node]
    private let positions: [String: Int]
    /// The position of each node among its siblings.
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

    /// The nodes that readers see for an entry: one node, none, or the nodes below it.
    private static func nodes(_ entry: NavigationTree.Entry, _ readers: Audience) -> [Node] {
        let page = entry.candidate.flatMap { Disclosure.show($0, to: readers) }
        let children = entry.children.flatMap { nodes($0, readers) }
        if page == nil, children.isEmpty { return [] }
        // A folder's name is in the URLs of the pages below it, so readers of these may see it. A
        // page placed by SUMMARY.md may have no name in those URLs: pages below it move up, and the
        // page stays secret.
        if page == nil, entry.isPlaced { return children }
        return [Node(entry.url, page, entry.folderLabel, children)]
    }

    func node(at url: String) -> Node? { nodes[url] }

    /// The visible nodes from the root to a URL.
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
