import Access

/// Sorts the nodes of a ``FolderTree``, and finds out what the navigation may show for each.
struct NavigationRanking {
    private(set) var folders: FolderTree
    /// By node.
    private(set) var audiences: [Audience]
    /// Pages, and the generated lists of folders without an index page.
    private(set) var candidates: [ListingCandidate?]
    private var ranks: [ListingCandidate.Rank]

    init(_ site: Site, _ access: PageAccess, _ summary: Summary?) {
        folders = FolderTree(site, summary)
        audiences = folders.nodes.map { access.audience(of: $0.url) }
        candidates = Array(repeating: nil, count: audiences.count)
        ranks = folders.nodes.map { .init(order: .infinity, label: "", url: $0.url) }
        let makesLists = site.configuration.listings != .none
        for node in parentsFirst().reversed() {
            folders.sortChildren(of: node) { [ranks] in ranks[$0] < ranks[$1] }
            if let page = folders.nodes[node].page {
                rank(node, site.pages[page], summary)
            } else {
                rank(folder: node, named: site.configuration.title, makesLists)
            }
        }
    }

    private mutating func rank(_ node: Int, _ page: Page, _ summary: Summary?) {
        let entry = summary?.entries[page.file.path]
        let candidate = ListingCandidate(
            page,
            label: entry?.label,
            isOrdered: entry != nil || page.frontMatter.order != nil,
            audience: audiences[node]
        )
        let order =
            entry.map { Double($0.position) }
            ?? (page.frontMatter.order ?? .infinity) + (summary == nil ? 0 : 1e9)
        candidates[node] = candidate
        ranks[node] = candidate.rank(order: order)
    }

    /// - Parameter siteTitle: the name of the root.
    private mutating func rank(folder node: Int, named siteTitle: String, _ makesLists: Bool) {
        let url = folders.nodes[node].url
        let label = NavigationTree.folderLabel(url) ?? siteTitle
        let children = folders.children(of: node)
        // The children are sorted.
        let order = children.first.map { ranks[$0].order } ?? .infinity
        ranks[node] = .init(order: order, label: label.lowercased(), url: url)
        // An empty list would only show that the folder exists.
        let readers = audiences[node]
        if makesLists, children.contains(where: { isShown($0, to: readers) }) {
            candidates[node] = ListingCandidate(listAt: url, title: label, audience: readers)
        }
    }

    /// Whether readers may see the node: they may all open it, or something below it.
    private func isShown(_ node: Int, to readers: Audience) -> Bool {
        candidates[node].flatMap { Disclosure.show($0, to: readers) } != nil
            || folders.children(of: node).contains { isShown($0, to: readers) }
    }

    private func parentsFirst() -> [Int] {
        var nodes = [0]
        var next = 0
        while next < nodes.count {
            nodes += folders.children(of: nodes[next])
            next += 1
        }
        return nodes
    }
}
