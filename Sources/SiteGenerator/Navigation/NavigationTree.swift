import Access

/// The pages of a site as a tree in reading order: as `SUMMARY.md` nests them, and by their URLs
/// for pages that it does not contain.
struct NavigationTree: Sendable {
    final class Entry: Sendable {
        let url: String
        /// What readers see who may not open the page: the folder's name, which is in the URLs of
        /// the pages below that they may open.
        ///
        /// Never the title.
        let folderLabel: String
        /// The audience of the URL.
        let audience: Audience
        /// A page, or the generated list of a folder without an index page.
        let candidate: ListingCandidate?
        /// Whether ``candidate`` is a generated list.
        let isList: Bool
        /// Whether `SUMMARY.md` places the page.
        ///
        /// Pages nested below it may have URLs that do not contain its name.
        let isPlaced: Bool
        let children: [Entry]
        let rank: ListingCandidate.Rank

        init(
            _ url: String,
            _ folderLabel: String,
            _ audience: Audience,
            _ page: ListingCandidate?,
            makesList: Bool,
            isPlaced: Bool,
            _ children: [Entry]
        ) {
            let order = children.map(\.rank.order).min() ?? .infinity
            // An empty list would only show that the folder exists.
            isList =
                page == nil && makesList && children.contains { $0.isShown(to: audience) }
            candidate =
                isList
                ? ListingCandidate(
                    listAt: url,
                    title: folderLabel,
                    audience: audience,
                    order: order
                ) : page
            rank =
                candidate?.rank
                ?? .init(order: order, label: folderLabel.lowercased(), url: url)
            self.url = url
            self.folderLabel = folderLabel
            self.audience = audience
            self.isPlaced = isPlaced
            self.children = children
        }

        /// Whether readers may see the entry: they may all open it, or something below it.
        private func isShown(to readers: Audience) -> Bool {
            candidate.flatMap { Disclosure.show($0, to: readers) } != nil
                || children.contains { $0.isShown(to: readers) }
        }
    }

    let root: Entry
    /// The URLs of parents, by URL; without the root.
    private let parents: [String: String]

    init(_ site: Site, _ access: PageAccess, _ summary: Summary? = nil) {
        // A page in SUMMARY.md has another such page or the root as its parent. Other pages have
        // the folder above them. So no page is its own ancestor.
        let placed = Dictionary(
            site.pages.compactMap { page in
                summary?.parent(of: page, in: site).map { (page.url, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        var parents: [String: String] = [:]
        for page in site.pages {
            var url = page.url
            while url != "/", parents[url] == nil {
                let parent = placed[url] ?? Self.parent(of: url)
                parents[url] = parent
                url = parent
            }
        }
        var children: [String: [String]] = [:]
        for (url, parent) in parents { children[parent, default: []].append(url) }
        self.parents = parents
        let makesLists = site.configuration.listings != .none

        func entry(_ url: String) -> Entry {
            let audience = access.audience(of: url)
            let name = url.split(separator: "/").last.map(String.init)
            return Entry(
                url,
                name.map(Page.humanized) ?? site.configuration.title,
                audience,
                site.page(at: url).map { ListingCandidate($0, audience: audience, summary) },
                makesList: makesLists,
                isPlaced: placed[url] != nil,
                (children[url] ?? []).map(entry).sorted { $0.rank < $1.rank }
            )
        }
        root = entry("/")
    }

    /// The URL of a page's parent; for a URL that is not in the tree, that of the folder above.
    func parent(of url: String) -> String { parents[url] ?? Self.parent(of: url) }

    /// The URL of the folder above; that of `/` is `/`.
    static func parent(of url: String) -> String {
        // By bytes, because a slash with a combining mark is another character in Swift.
        guard let slash = url.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(url[...slash])
    }
}
