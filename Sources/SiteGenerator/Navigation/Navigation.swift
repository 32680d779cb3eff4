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
final class Navigation: Sendable {
    private struct Key: Hashable {
        let section: String
        let block: Int
        let audience: Audience
    }

    private struct Caches {
        /// About 150 bytes for each link: 60 MB.
        var lists = BoundedCache<Key, NavigationList>(limit: 400_000)
        /// About 600 bytes for each page: 120 MB.
        var views = BoundedCache<Audience, NavigationView>(limit: 200_000)
    }

    let tree: NavigationTree
    private let caches = Mutex(Caches())

    init(_ tree: NavigationTree) { self.tree = tree }

    /// The number of entries in the cached views.
    var keptPages: Int { caches.withLock(\.views.cost) }

    /// The navigation of the whole site for an audience.
    func view(for readers: Audience) -> NavigationView {
        if let view = caches.withLock({ $0.views.value(for: readers) }) { return view }
        let view = NavigationView(tree, for: readers)
        caches.withLock { $0.views.keep(view, for: readers, cost: view.order.count + 1) }
        return view
    }

    /// The navigation list of a page, as HTML.
    func list(for url: String, _ readers: Audience) -> String {
        let view = view(for: readers)
        var path = view.chain(to: url)
        var block = 0
        // A page without pages below it shows the list of its folder.
        if path.count > 1, let last = path.last, last.children.isEmpty {
            block = view.index(of: last) / NavigationList.blockSize
            path.removeLast()
        }
        let key = Key(section: path.last?.url ?? "/", block: block, audience: readers)
        if let list = caches.withLock({ $0.lists.value(for: key) }) {
            return list.html(current: url)
        }
        let list = NavigationList(view, open: path, block: block)
        caches.withLock { $0.lists.keep(list, for: key, cost: list.linkCount + 1) }
        return list.html(current: url)
    }

    /// The pages above a page, from the first folder down.
    func breadcrumbs(for url: String, _ readers: Audience) -> [ListedPage] {
        view(for: readers).chain(to: url).filter { $0.url != url }.compactMap(\.page)
    }

    /// The previous and next page in reading order.
    func neighbours(
        of url: String,
        _ readers: Audience
    ) -> (previous: ListedPage?, next: ListedPage?) {
        view(for: readers).neighbours(of: url)
    }
}
