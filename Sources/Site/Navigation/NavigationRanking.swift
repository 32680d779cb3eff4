import Access
import SourceFolder

/// Sorts the nodes of a ``FolderTree``, and finds out what the navigation may show for each.
///
/// The first that says something about a place or a name counts: the site's outline, a file of the
/// folder, front matter, and the number at the beginning of a name.
struct NavigationRanking {
    private(set) var folders: FolderTree
    /// By node.
    private(set) var audiences: [Audience]
    /// Pages, and the generated lists of folders without an index page.
    private(set) var candidates: [ListingCandidate?]
    /// The names that the outline or a file gives to folders without an index page and to headings.
    private(set) var labels: [String?]
    private var ranks: [ListingCandidate.Rank]
    /// The order by front matter and names.
    private var orders: [Double]
    private let outline: NavigationOutline?
    private let files: FolderOrder

    /// The ranges of orders: places in a file of the folder, front matter, no order, places behind
    /// the others, and what the outline does not name.
    static let first = -2e12
    private static let authors = -1e12...1e12
    private static let unordered = 2e12
    static let last = 3e12
    private static let unnamed = 1e13

    init(_ site: Site, _ access: PageAccess, _ outline: NavigationOutline?, _ files: FolderOrder) {
        self.outline = outline
        self.files = files
        folders = FolderTree(site, outline)
        let nodes = folders.nodes
        audiences = nodes.map { node in
            // A link to another site is for those who may open what it is nested in.
            var above = node
            while node.address != nil, above.url.isEmpty { above = nodes[above.parent] }
            return above.url.isEmpty ? .nobody : access.audience(of: above.url)
        }
        candidates = Array(repeating: nil, count: audiences.count)
        labels = candidates.map { _ in nil }
        orders = labels.map { _ in Self.unordered }
        ranks = folders.nodes.map { .init(order: (.infinity, 0), label: "", url: $0.url) }
        let makesLists = site.configuration.listings != .none
        for node in parentsFirst().reversed() {
            folders.sortChildren(of: node) { [ranks] in ranks[$0] < ranks[$1] }
            if let page = folders.nodes[node].page {
                rank(node, site.pages[page], site.configuration.otherPages)
            } else {
                rank(folder: node, named: site.configuration.title, makesLists)
            }
        }
    }

    private mutating func rank(_ node: Int, _ page: Page, _ others: OtherPages?) {
        let path = folders.nodes[node].path
        let item = folders.nodes[node].item
        let order =
            page.frontMatter.order.map {
                min(max($0, Self.authors.lowerBound), Self.authors.upperBound)
            } ?? Self.number(path)
        orders[node] = order ?? Self.unordered
        let candidate = ListingCandidate(
            page,
            label: item.flatMap { outline?.items[$0].label } ?? files.label(of: path),
            isOrdered: item != nil || order != nil || files.order(of: path) != nil,
            isHidden: page.frontMatter.isHidden || isHidden(path)
                || others == .hidden && outline?.leavesOut(page) == true,
            audience: audiences[node]
        )
        candidates[node] = candidate
        ranks[node] = candidate.rank(order: place(of: node))
    }

    /// - Parameter siteTitle: the name of the root.
    private mutating func rank(folder node: Int, named siteTitle: String, _ makesLists: Bool) {
        let (url, path) = (folders.nodes[node].url, folders.nodes[node].path)
        labels[node] =
            folders.nodes[node].item.flatMap { outline?.items[$0].label } ?? files.label(of: path)
        let label = labels[node] ?? NavigationTree.folderLabel(url) ?? siteTitle
        let children = folders.children(of: node)
        // The children are sorted.
        orders[node] = Self.number(path) ?? children.first.map { orders[$0] } ?? Self.unordered
        ranks[node] = .init(order: place(of: node), label: label.lowercased(), url: url)
        if url.isEmpty { return }
        // An empty list would only show that the folder exists.
        let readers = audiences[node]
        if makesLists, children.contains(where: { isShown($0, to: readers) }) {
            candidates[node] = ListingCandidate(
                listAt: url,
                title: label,
                isHidden: isHidden(path),
                audience: readers
            )
        }
    }

    /// The second number is for pages of one folder that the outline places together.
    private func place(of node: Int) -> (Double, Double) {
        let place = files.order(of: folders.nodes[node].path) ?? orders[node]
        if let item = folders.nodes[node].item { return (Double(item), place) }
        return (outline == nil ? place : place + Self.unnamed, place)
    }

    private func isHidden(_ path: Substring) -> Bool { files.hidden.contains(String(path)) }

    /// The number at the beginning of a name, as in `01-start` and `2. Tools`, but not in
    /// `2026-11-22` and `3d`.
    private static func number(_ path: Substring) -> Double? {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path
        let digits = name.utf8.prefix { (48...57).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        let marks = name.utf8.dropFirst(digits.count).prefix { " -._".utf8.contains($0) }
        let rest = name.utf8.dropFirst(digits.count + marks.count)
        guard !marks.isEmpty, let next = rest.first, !(48...57).contains(next) else { return nil }
        return digits.reduce(0) { $0 * 10 + Double($1 - 48) }
    }

    /// Whether readers may see the node: they may all open it, or something below it.
    private func isShown(_ node: Int, to readers: Audience) -> Bool {
        candidates[node].flatMap { $0.isHidden ? nil : Disclosure.show($0, to: readers) } != nil
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
