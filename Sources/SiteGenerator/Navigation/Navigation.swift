import Access
import Synchronization

/// The lists that lead from a page to others: each shows only what all readers of the page may read.
///
/// A list is made once for a section and an audience, not once for a page: in a section of 200
/// pages it is the same 200 links on each of them, but for the mark of the current one.
final class Navigation: Sendable {
    struct Link: Sendable {
        let url: String
        let label: String
    }

    private struct Key: Hashable {
        let url: String
        let audience: Audience
    }

    private struct Caches {
        var lists: [Key: NavigationList] = [:]
        var orders: [Audience: ReadingOrder] = [:]
    }

    private let tree: NavigationTree
    private let caches = Mutex(Caches())

    init(_ tree: NavigationTree) { self.tree = tree }

    /// The navigation list of a page, as HTML.
    func list(for page: Page, _ audience: Audience) -> String {
        let path = chain(to: page.url)
        // A page without pages below it has the list of its folder.
        let section = path.last.map { $0.children.isEmpty ? path.dropLast() : path[...] } ?? []
        let key = Key(url: section.last?.url ?? "/", audience: audience)
        let list =
            caches.withLock { $0.lists[key] }
            ?? NavigationList(tree.root, open: Set(section.map(\.url)), audience)
        caches.withLock { $0.lists[key] = list }
        return list.html(current: page.url)
    }

    /// The pages above a page, from the first folder down.
    func breadcrumbs(for page: Page, _ audience: Audience) -> [Link] {
        chain(to: page.url).dropLast().filter { $0.isListed(for: audience) }
            .map { Link(url: $0.url, label: $0.label) }
    }

    /// The pages before and after a page, when the site is read from front to back.
    func neighbours(of page: Page, _ audience: Audience) -> (previous: Link?, next: Link?) {
        let order =
            caches.withLock { $0.orders[audience] } ?? ReadingOrder(tree.root, audience)
        caches.withLock { $0.orders[audience] = order }
        return order.neighbours(of: page.url)
    }

    /// The entries from the root to a page.
    private func chain(to url: String) -> [NavigationTree.Entry] {
        var chain = [tree.root]
        while let last = chain.last, last.url != url,
            let next = last.children.first(where: { url.hasPrefix($0.url) })
        {
            chain.append(next)
        }
        return chain
    }
}

/// All pages that an audience may see listed, in one line.
private struct ReadingOrder: Sendable {
    private var links: [Navigation.Link] = []
    private var positions: [String: Int] = [:]

    init(_ root: NavigationTree.Entry, _ audience: Audience) { add(root, audience) }

    private mutating func add(_ entry: NavigationTree.Entry, _ audience: Audience) {
        if entry.isListed(for: audience) {
            positions[entry.url] = links.count
            links.append(Navigation.Link(url: entry.url, label: entry.label))
        }
        for child in entry.children { add(child, audience) }
    }

    func neighbours(of url: String) -> (previous: Navigation.Link?, next: Navigation.Link?) {
        guard let position = positions[url] else { return (nil, nil) }
        return (
            position > 0 ? links[position - 1] : nil,
            position + 1 < links.count ? links[position + 1] : nil
        )
    }
}
