import Access

/// The pages of a site as a tree of their URLs, in the order in which people read them.
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
        let children: [Entry]
        let rank: ListingCandidate.Rank

        init(
            _ url: String,
            _ folderLabel: String,
            _ audience: Audience,
            _ page: ListingCandidate?,
            makesList: Bool,
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
            self.children = children
        }

        /// Whether readers may see that this is there: they may all read it, or something below.
        private func isShown(to readers: Audience) -> Bool {
            candidate.flatMap { Disclosure.show($0, to: readers) } != nil
                || children.contains { $0.isShown(to: readers) }
        }
    }

    let root: Entry

    init(_ site: Site, _ access: PageAccess, _ summary: Summary? = nil) {
        var folders: Set<String> = ["/"]
        for page in site.pages {
            var url = page.url
            while folders.insert(url).inserted { url = Self.parent(of: url) }
        }
        var children: [String: [String]] = [:]
        for url in folders where url != "/" {
            children[Self.parent(of: url), default: []].append(url)
        }
        let makesLists = site.configuration.listings != .none

        func entry(_ url: String) -> Entry {
            let audience = access.audience(of: url)
            let name = url.split(separator: "/").last.map(String.init)
            return Entry(
                url,
                name.map(Page.words) ?? site.configuration.title,
                audience,
                site.page(at: url).map { ListingCandidate($0, audience: audience, summary) },
                makesList: makesLists,
                (children[url] ?? []).map(entry).sorted { $0.rank < $1.rank }
            )
        }
        root = entry("/")
    }

    /// The URL of the folder above; that of `/` is `/`.
    static func parent(of url: String) -> String {
        guard let slash = url.dropLast().lastIndex(of: "/") else { return "/" }
        return String(url[...slash])
    }
}
