import Access

/// The lists of folders: for folders without an index page, and where a page or the configuration
/// asks for one.
struct SectionLists: Sendable {
    /// The lists on authors' pages, by URL.
    private(set) var onPages: [String: PagedList] = [:]
    private(set) var files: [GeneratedFile] = []

    /// - Parameter taken: a URL that has a generated page of another kind.
    init(_ site: Site, _ navigation: Navigation, taken: String?) {
        let configuration = site.configuration
        /// An author's `index.html` is the index page of its folder.
        func hasOwnPage(_ url: String) -> Bool { site.asset(at: url + "index.html") != nil }
        func visit(_ entry: NavigationTree.Entry) {
            entry.children.forEach(visit)
            let page = entry.isList ? nil : site.page(at: entry.url)
            let isWanted =
                page.map {
                    $0.frontMatter.showsListing
                        ?? (configuration.listings == .all && !entry.children.isEmpty)
                } ?? (entry.isList && entry.url != taken && !hasOwnPage(entry.url))
            guard isWanted else { return }
            let list = PagedList(
                url: entry.url,
                title: page?.title ?? entry.folderLabel,
                readers: entry.audience,
                entries: navigation.view(for: entry.audience).node(at: entry.url)?.listed ?? [],
                size: configuration.listingSize
            )
            if page != nil { onPages[entry.url] = list }
            files += list.files(from: page == nil ? 1 : 2, name: "the list of '\(entry.url)'")
        }
        visit(navigation.tree.root)
    }
}
