import Access

/// The pages of a site as a tree, in the order in which people read them: as `SUMMARY.md` nests
/// them, and by their URLs where it does not name them.
struct NavigationTree: Sendable {
    final class Entry: Sendable {
        let url: String
        /// What stands there for readers who may not see the page: the folder's name, which is in
        /// the addresses of what they may see below it.
        ///
        /// Never the title.
        let folderLabel: String
        /// Who may read what lies at the URL.
        let audience: Audience
        /// A page, or the list that a folder without one gets.
        let candidate: ListingCandidate?
        /// Whether ``candidate`` is a list that the build makes.
        let isList: Bool
        /// Whether `SUMMARY.md` says where it stands: what is below it may have another address,
        /// which does not tell the name of this one.
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
            // A list of nothing would only tell that the folder is there.
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

        /// Whether readers may see that this is there: they may all read it, or something below.
        private func isShown(to readers: Audience) -> Bool {
            candidate.flatMap { Disclosure.show($0, to: readers) } != nil
                || children.contains { $0.isShown(to: readers) }
        }
    }

    let root: Entry
    /// By URL; without the root.
    private let parents: [String: String]

    init(_ site: Site, _ access: PageAccess, _ summary: Summary? = nil) {
        // A page that SUMMARY.md names stands below another such page or at the top, and the others
        // stand below what is above them in the address: no page is above itself.
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

    /// The URL of what a page stands below; for a URL that is not in the tree, the folder above.
    func parent(of url: String) -> String { parents[url] ?? Self.parent(of: url) }

    /// The URL of the folder above; that of `/` is `/`.
    static func parent(of url: String) -> String {
        // By bytes: a combining mark behind a slash makes another character of it.
        guard let slash = url.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(url[...slash])
    }
}
