import Access

/// The navigation tree as one audience may see it.
package final class NavigationView: Sendable {
    struct Node: Sendable {
        let url: String
        /// `nil` if the audience may only see that there is a folder.
        let page: ListedPage?
        /// The address of another site; its page is `nil`.
        let address: String?
        /// The index of its entry in the tree.
        fileprivate let entry: Int
        /// The index of the parent; that of the root is its own.
        let parent: Int
        /// The number of pages before it in the reading order.
        fileprivate let position: Int
        /// Its position among its siblings.
        let sibling: Int
        /// The index after the last node below this one.
        fileprivate(set) var end: Int
        fileprivate(set) var children: Range<Int> = 0..<0
    }

    /// All pages that this audience may see listed, in reading order; those that the navigation omits
    /// come last.
    package let order: [ListedPage]
    /// The number of pages in the navigation.
    private let readable: Int
    /// Each node before those below it; the root is the first.
    let nodes: [Node]
    private let tree: NavigationTree
    private let readers: Audience
    /// The nearest visible node of each entry of the tree, itself or above it.
    private let nearest: [Int]
    /// The children of all nodes, parent by parent.
    private let allChildren: [Int]

    init(_ tree: NavigationTree, for readers: Audience) {
        let entries = tree.entries
        let shown = entries.map { $0.candidate.flatMap { Disclosure.show($0, to: readers) } }
        // Readers may see an entry if they may open it, or something below it.
        var isVisible = zip(shown, entries).map { $0 != nil && $1.candidate?.isHidden == false }
        for index in entries.indices.dropFirst().reversed() where isVisible[index] {
            isVisible[entries[index].parent] = true
        }
        for index in entries.indices where entries[index].address != nil {
            guard readers.isSubset(of: entries[index].audience) else { continue }
            // A heading of pages is for readers of one of them.
            var above = entries[index].parent
            while !isVisible[above], Self.isOfLinks(above, entries) {
                above = entries[above].parent
            }
            guard isVisible[above] else { continue }
            var node = index
            while !isVisible[node] {
                isVisible[node] = true
                node = entries[node].parent
            }
        }
        var order: [ListedPage] = []
        var hidden: [ListedPage] = []
        var nodes: [Node] = []
        var nearest = [Int](repeating: 0, count: entries.count)
        var counts: [Int] = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            let parent = nearest[entry.parent]
            guard index == 0 || isVisible[index] && entry.candidate?.isHidden != true else {
                for below in index..<entry.end { nearest[below] = parent }
                hidden += shown[index..<entry.end].compactMap(\.self)
                index = entry.end
                continue
            }
            // A folder's name is in the URLs of the pages below it, so readers of these may see it.
            // A page placed by the outline may have no name in those URLs: pages below it move up,
            // and the page stays secret.
            let isNamed =
                entry.isHeading || entry.page == nil && readers.isSubset(of: entry.audience)
            if index != 0, shown[index] == nil, entry.isPlaced, !isNamed {
                nearest[index] = parent
            } else {
                nearest[index] = nodes.count
                nodes.append(
                    Node(
                        url: entry.url,
                        page: shown[index],
                        address: entry.address,
                        entry: index,
                        parent: parent,
                        position: order.count,
                        sibling: index == 0 ? 0 : counts[parent],
                        end: nodes.count + 1
                    )
                )
                counts.append(0)
                if index > 0 { counts[parent] += 1 }
                if let page = shown[index] { order.append(page) }
            }
            index += 1
        }
        var start = 0
        for (node, count) in counts.enumerated() {
            nodes[node].children = start..<start + count
            start += count
        }
        var allChildren = [Int](repeating: 0, count: start)
        for node in nodes.indices.dropFirst().reversed() {
            let parent = nodes[node].parent
            allChildren[nodes[parent].children.lowerBound + nodes[node].sibling] = node
            nodes[parent].end = max(nodes[parent].end, nodes[node].end)
        }
        self.tree = tree
        self.readers = readers
        self.order = order + hidden
        readable = order.count
        self.nodes = nodes
        self.nearest = nearest
        self.allChildren = allChildren
    }

    /// Whether an entry is a heading with nothing but links to other sites below it.
    private static func isOfLinks(_ index: Int, _ entries: [NavigationTree.Entry]) -> Bool {
        entries[index].isHeading && entries[index..<entries[index].end].allSatisfy(\.isHeading)
    }

    func children(of node: Int) -> ArraySlice<Int> { allChildren[nodes[node].children] }

    func folderLabel(_ node: Int) -> String {
        let entry = nodes[node].entry
        let isOpen = readers.isSubset(of: tree.entries[entry].audience)
        return tree.folderLabel(entry, isOpen: isOpen)
    }

    /// The node of a URL, or the nearest visible one above it.
    func nearest(to url: String) -> Int { nearest[tree.nearest(to: url)] }

    /// The nodes from the root to a node.
    func chain(to node: Int) -> [Int] {
        var chain = [node]
        var node = node
        while node != 0 {
            node = nodes[node].parent
            chain.append(node)
        }
        return chain.reversed()
    }

    /// The pages before and after a node's page in reading order.
    func neighbours(of node: Int) -> (previous: ListedPage?, next: ListedPage?) {
        guard nodes[node].page != nil else { return (nil, nil) }
        let position = nodes[node].position
        // A list would be the end: it has no such links itself.
        return (
            order[..<position].last { !$0.isList },
            order[..<readable].dropFirst(position + 1).first { !$0.isList }
        )
    }

    /// The entries of a folder's list: its pages, and those of folders without a visible page.
    package func listed(below url: String) -> [ListedPage] {
        let folder = nearest(to: url)
        guard nodes[folder].url == url else { return [] }
        var listed: [ListedPage] = []
        var node = folder + 1
        while node < nodes[folder].end {
            if let page = nodes[node].page { listed.append(page) }
            node = nodes[node].page == nil ? node + 1 : nodes[node].end
        }
        return listed
    }
}
