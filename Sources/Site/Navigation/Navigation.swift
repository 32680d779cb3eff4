import Access
import Synchronization

/// The lists of links around a page: navigation, breadcrumbs, previous and next.
///
/// Each shows only pages that all readers of the page may open.
///
/// A list is made once for a section and an audience, not for each page: the 200 pages of a section
/// have the same 200 links, except for the mark of the current page.
///
/// The caches are bounded: a large site with hundreds of audiences would otherwise fill the memory.
/// So pages should be rendered audience by audience.
package final class Navigation: Sendable {
    private struct Key: Hashable {
        let section: Int
        let block: Int
        let audience: Audience
    }

    private struct Caches {
        /// About 100 bytes for each link: 40 MB.
        var lists = BoundedCache<Key, NavigationList>(limit: 400_000)
        /// About 120 bytes for each page: 60 MB.
        var views = BoundedCache<Audience, NavigationView>(limit: 500_000)
    }

    package let tree: NavigationTree
    private let caches = Mutex(Caches())

    package init(_ tree: NavigationTree) { self.tree = tree }

    /// The number of entries in the cached views.
    var keptPages: Int { caches.withLock(\.views.cost) }

    /// The navigation of the whole site for an audience.
    package func view(for readers: Audience) -> NavigationView {
        if let view = caches.withLock({ $0.views.value(for: readers) }) { return view }
        let view = NavigationView(tree, for: readers)
        caches.withLock { $0.views.keep(view, for: readers, cost: view.nodes.count) }
        return view
    }

    /// Where a page or list is in the navigation of its readers.
    package func place(of url: String, _ readers: Audience) -> NavigationPlace {
        let view = view(for: readers)
        let nearest = view.nearest(to: url)
        let node = view.nodes[nearest].url == url ? nearest : nil
        let chain = view.chain(to: nearest)
        var path = chain[...]
        var block = 0
        // A page without pages below it shows the list of its folder.
        if nearest != 0, view.nodes[nearest].children.isEmpty {
            block = view.nodes[nearest].sibling / NavigationList.blockSize
            path.removeLast()
        }
        let neighbours = node.map(view.neighbours)
        return NavigationPlace(
            list: list(view, readers, path, block).marked(node),
            above: (node == nil ? chain[...] : chain.dropLast()).compactMap { view.nodes[$0].page },
            previous: neighbours?.previous,
            next: neighbours?.next,
            sections: sections(view, chain)
        )
    }

    /// The pages above a page, from the first folder down.
    package func breadcrumbs(for url: String, _ readers: Audience) -> [ListedPage] {
        let view = view(for: readers)
        return view.chain(to: view.nearest(to: url)).lazy.map { view.nodes[$0] }
            .filter { $0.url != url }.compactMap(\.page)
    }

    /// The folders at the top, of which the page's own is open.
    private func sections(
        _ view: NavigationView,
        _ chain: [Int]
    ) -> [(page: ListedPage, isOpen: Bool)] {
        view.children(of: 0).prefix(Self.mostSections).compactMap { node in
            guard !view.nodes[node].children.isEmpty, let page = view.nodes[node].page else {
                return nil
            }
            return (page, chain.dropFirst().first == node)
        }
    }

    /// A site of a thousand pages without folders has no sections.
    private static let mostSections = 100

    private func list(
        _ view: NavigationView,
        _ readers: Audience,
        _ path: ArraySlice<Int>,
        _ block: Int
    ) -> NavigationList {
        let key = Key(section: path.last ?? 0, block: block, audience: readers)
        if let list = caches.withLock({ $0.lists.value(for: key) }) { return list }
        let list = NavigationList(view, open: path, block: block, tree.texts)
        caches.withLock { $0.lists.keep(list, for: key, cost: list.linkCount + 1) }
        return list
    }
}

/// Where a page is in the navigation.
package struct NavigationPlace: Sendable {
    package let list: MarkedList
    /// The pages above it, from the first folder down.
    package let above: [ListedPage]
    /// The pages before and after it in reading order.
    package let previous: ListedPage?
    package let next: ListedPage?
    /// The folders at the top, of which the page's own is open.
    package let sections: [(page: ListedPage, isOpen: Bool)]
}
