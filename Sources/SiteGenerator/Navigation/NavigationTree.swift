import Access

/// The pages of a site as a tree of their URLs, in the order in which people read them.
struct NavigationTree: Sendable {
    final class Entry: Sendable {
        let url: String
        /// What a link to the page says.
        let label: String
        /// What stands there for readers who may not see the page: the folder's name, which is in
        /// the addresses of what they may see below it.
        ///
        /// Never the title.
        let folderLabel: String
        /// `nil` where no page says what stands here: a folder without `index.md`.
        let page: Page?
        let audience: Audience
        let children: [Entry]

        init(
            url: String,
            label: String,
            folderLabel: String,
            page: Page?,
            audience: Audience,
            children: [Entry]
        ) {
            self.url = url
            self.label = label
            self.folderLabel = folderLabel
            self.page = page
            self.audience = audience
            self.children = children
        }

        /// Whether readers of `audience` may see that this is there: everyone of them may read it,
        /// or something below it.
        func isShown(to audience: Audience) -> Bool {
            isListed(for: audience) || children.contains { $0.isShown(to: audience) }
        }

        /// Whether the entry itself may be linked.
        func isListed(for audience: Audience) -> Bool {
            guard let page, !page.frontMatter.isUnlisted else { return false }
            return audience.isWithin(self.audience)
        }
    }

    let root: Entry

    init(_ site: Site, _ access: PageAccess) {
        var folders: Set<String> = ["/"]
        for page in site.pages {
            var url = page.url
            while folders.insert(url).inserted { url = Self.parent(of: url) }
        }
        var children: [String: [String]] = [:]
        for url in folders where url != "/" {
            children[Self.parent(of: url), default: []].append(url)
        }

        func entry(_ url: String) -> Entry {
            let page = site.page(at: url)
            let name = url.split(separator: "/").last.map(String.init)
            return Entry(
                url: url,
                label: page?.linkTitle ?? Page.words(name ?? site.configuration.title),
                folderLabel: Page.words(name ?? site.configuration.title),
                page: page,
                audience: access.audience(of: url),
                children: (children[url] ?? []).map(entry).sorted(by: Self.precedes)
            )
        }
        root = entry("/")
    }

    /// The URL of the folder above; that of `/` is `/`.
    static func parent(of url: String) -> String {
        guard let slash = url.dropLast().lastIndex(of: "/") else { return "/" }
        return String(url[...slash])
    }

    /// By `order`, those without one after those with; then by label; then by URL.
    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        func key(_ entry: Entry) -> (Double, String, String) {
            (entry.page?.frontMatter.order ?? .infinity, entry.label.lowercased(), entry.url)
        }
        return key(left) < key(right)
    }
}
