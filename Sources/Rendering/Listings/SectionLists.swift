import Access
import Site
import SourceFolder

/// The lists of folders: for folders without an index page, and where a page or the configuration
/// asks for one.
struct SectionLists: Sendable {
    /// The lists on authors' pages, by URL.
    private(set) var onPages: [String: PagedList] = [:]
    private(set) var files: [GeneratedFile] = []

    /// - Parameter taken: URLs of aliases, and of generated pages of another kind.
    init(_ site: Site, _ navigation: Navigation, taken: Set<String>) {
        let configuration = site.configuration
        for (index, entry) in navigation.tree.entries.enumerated() {
            let isWanted: Bool
            if let page = entry.page {
                isWanted =
                    site.pages[page].frontMatter.showsListing
                    ?? (configuration.listings == .all && entry.end > index + 1)
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
                entries: PagedList.newestFirst(
                    navigation.view(for: entry.audience).listed(below: entry.url)
                ),
                size: configuration.listingSize
            )
            if entry.page != nil { onPages[entry.url] = list }
            files += list.files(from: entry.page == nil ? 1 : 2, name: "the list of '\(entry.url)'")
        }
    }
}
