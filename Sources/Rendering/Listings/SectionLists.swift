import Access
import Site
import SourceFolder

/// The lists of folders: for folders without an index page, and where a page or the configuration
/// asks for one.
struct SectionLists: Sendable {
    /// The lists on authors' pages, by URL.
    private(set) var onPages: [String: PagedList] = [:]
    /// The feeds of those that are sorted by date, by the URL of the page.
    private(set) var feeds: [String: AtomFeed] = [:]
    private(set) var files: [GeneratedFile] = []

    /// - Parameter taken: URLs of aliases, and of generated pages of another kind.
    init(_ site: Site, _ access: PageAccess, _ navigation: Navigation, taken: Set<String>) {
        let configuration = site.configuration
        for (index, entry) in navigation.tree.entries.enumerated() {
            let isWanted: Bool
            var order: FrontMatter.ListOrder?
            if let page = entry.page {
                let matter = site.pages[page].frontMatter
                order = matter.sort
                isWanted =
                    matter.showsListing
                    ?? (order != nil || configuration.listings == .all && entry.end > index + 1)
            } else {
                // An author's `index.html` is the index page of its folder.
                isWanted =
                    entry.isList && !taken.contains(entry.url.lowercased())
                    && site.asset(at: entry.url + "index.html") == nil
            }
            guard isWanted else { continue }
            let list = PagedList(
                url: entry.url,
                title: entry.page.map { site.pages[$0].title }
                    ?? navigation.tree.folderLabel(index, isOpen: true),
                readers: entry.audience,
                entries: Self.entries(
                    navigation.view(for: entry.audience),
                    below: entry.url,
                    order
                ),
                order: order,
                size: configuration.listingSize
            )
            if entry.page != nil { onPages[entry.url] = list }
            if order == .date, entry.url != "/", let feed = AtomFeed(of: list, site, access) {
                feeds[entry.url] = feed
                files += feed.files
            }
            files += list.files(from: entry.page == nil ? 1 : 2, name: "the list of '\(entry.url)'")
        }
    }

    /// A list by date has the pages with a date of all folders below, such as `news/2026`, in place
    /// of these folders.
    private static func entries(
        _ view: NavigationView,
        below url: String,
        _ order: FrontMatter.ListOrder?
    ) -> [ListedPage] {
        let listed = view.listed(below: url)
        guard order == .date else { return listed }
        let dated = view.order.filter {
            $0.date != nil && $0.url.hasPrefix(url) && $0.url != url
        }
        return dated
            + listed.filter { entry in
                entry.date == nil && !dated.contains { $0.url.hasPrefix(entry.url) }
            }
    }
}
