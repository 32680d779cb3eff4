import Access

/// Decides what a listing may show.
///
/// Navigation, previous and next links, breadcrumbs, lists of folders and tags, feed, sitemap and
/// search results show ``ListedPage`` values only, and no other file can make one: its initialisers
/// are private to this file.
enum Disclosure {
    /// The page as a listing for `readers` shows it; `nil` if some of these readers may not open
    /// it.
    static func show(_ candidate: ListingCandidate, to readers: Audience) -> ListedPage? {
        guard !candidate.isUnlisted, readers.isSubset(of: candidate.audience) else { return nil }
        return candidate.shown
    }
}

/// A page in a listing whose readers may all open it.
struct ListedPage: Sendable {
    let url: String
    let title: String
    /// The text of a link in the navigation.
    let label: String
    let description: String?
    /// The author's `date`, `2026-11-22`.
    let date: String?
    let updated: String?
    let tags: [String]

    fileprivate init(_ page: Page, label: String?) {
        url = page.url
        title = page.title
        self.label = label ?? page.frontMatter.linkTitle ?? page.title
        description = page.frontMatter.description
        date = page.frontMatter.date?.text
        updated = page.updated
        tags = page.frontMatter.tags
    }

    fileprivate init(listAt url: String, title: String) {
        self.url = url
        self.title = title
        label = title
        description = nil
        date = nil
        updated = nil
        tags = []
    }
}

/// A page, or a generated list, before it is decided which readers see it.
struct ListingCandidate: Sendable {
    let url: String
    let audience: Audience
    /// Its rank among its neighbours, lowest first.
    let rank: Rank

    struct Rank: Sendable, Comparable {
        let order: Double
        let label: String
        let url: String

        static func < (left: Rank, right: Rank) -> Bool {
            (left.order, left.label, left.url) < (right.order, right.label, right.url)
        }
    }

    fileprivate let isUnlisted: Bool
    fileprivate let shown: ListedPage

    /// - Parameters:
    ///   - audience: who may read the page.
    ///   - summary: the site's `SUMMARY.md`, if it has one.
    init(_ page: Page, audience: Audience, _ summary: Summary?) {
        let entry = summary?.entries[page.file.path]
        url = page.url
        self.audience = audience
        isUnlisted = page.frontMatter.isUnlisted
        shown = ListedPage(page, label: entry?.label)
        rank = Rank(
            order: entry.map { Double($0.position) }
                ?? (page.frontMatter.order ?? .infinity) + (summary == nil ? 0 : 1e9),
            label: shown.label.lowercased(),
            url: url
        )
    }

    /// The list of a folder without an index page.
    init(listAt url: String, title: String, audience: Audience, order: Double) {
        self.url = url
        self.audience = audience
        isUnlisted = false
        shown = ListedPage(listAt: url, title: title)
        rank = Rank(order: order, label: title.lowercased(), url: url)
    }
}
