import Access

/// The lists of folders: where a folder has no page, and where a page or the site asks for one.
struct SectionLists: Sendable {
    /// By URL; one for each page that lists what is below it.
    private(set) var onPages: [String: PagedList] = [:]
    private(set) var files: [GeneratedFile] = []

    /// - Parameter taken: a URL that already has a list of another kind.
    init(_ site: Site, _ navigation: Navigation, taken: String?) {
        let configuration = site.configuration
        /// An author's `index.html` is the page of its folder.
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
