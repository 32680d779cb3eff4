import Access
import Diagnostics

/// The metadata of a page, written above its text.
struct FrontMatter: Sendable {
    var title: String?
    var linkTitle: String?
    var description: String?
    /// Before this moment the page is not published.
    var date: PageDate?
    /// The time of publication, if it differs from the date that is shown.
    var publication: PageDate?
    var updated: PageDate?
    /// From this moment on the page is not published.
    var expiry: PageDate?
    var isDraft = false
    /// Whether listings omit the page.
    var isUnlisted = false
    /// Whether the search finds the page.
    var isSearched = true
    var order: Double?
    /// The last segment of the URL, instead of the file's name.
    var slug: (text: String, location: SourceLocation)?
    /// Old URLs of the page, as the author wrote them.
    var aliases: [(text: String, location: SourceLocation)] = []
    /// Without duplicates, in the author's order.
    var tags: [String] = []
    var template: (text: String, location: SourceLocation)?
    var showsContents = true
    /// Whether the page lists the pages below it; `nil` for the site's default.
    var showsListing: Bool?
    var access: Audience?
    var accessLocation: SourceLocation?
    var widens = false
    /// Free values for templates.
    var params = TemplateContext()

    enum Key: UInt32, Sendable {
        case title, linkTitle, description, date, lastmod, publishDate, expiryDate, draft
        case published, build, render, headless, permalink, unlisted, search, order, slug, aliases
        case tags, template, toc, listing, access, widens, params

        /// The key's bit in a set of keys.
        var bit: UInt32 { 1 << rawValue }
    }

    /// The keys with their synonyms.
    ///
    /// The synonyms come from Hugo, Jekyll, MkDocs, Docusaurus and others. As in Hugo, case does
    /// not matter.
    private static let keys: [(key: Key, name: String, synonyms: [String])] = [
        (.title, "title", []),
        (.linkTitle, "linkTitle", ["nav_title", "sidebar_label"]),
        (.description, "description", ["summary"]),
        (.date, "date", []),
        (.lastmod, "lastmod", ["updated"]),
        (
            .publishDate, "publishDate",
            [
                "pubdate", "publish_date", "publish_on", "published_at", "publishedAt",
                "release_date", "embargo", "embargo_until",
            ]
        ),
        (
            .expiryDate, "expiryDate",
            [
                "unpublishdate", "unpublish_date", "expires", "expires_at", "expires_on",
                "expiration", "expirationDate", "expiry",
            ]
        ),
        (.draft, "draft", ["is_draft", "_draft"]),
        (.published, "published", ["publish"]),
        (.build, "build", ["_build"]),
        (.render, "render", []),
        (.headless, "headless", []),
        (.permalink, "permalink", []),
        (.unlisted, "unlisted", []),
        (.search, "search", []),
        (.order, "order", ["weight", "nav_order", "sidebar_position"]),
        (.slug, "slug", []),
        (.aliases, "aliases", ["redirect_from"]),
        (.tags, "tags", []),
        (.template, "template", ["layout"]),
        (.toc, "toc", []),
        (.listing, "listing", []),
        (.access, "access", []),
        (.widens, "widens", []),
        (.params, "params", []),
    ]

    static let allNames = keys.flatMap { [$0.name] + $0.synonyms }

    private static let names = Dictionary(
        keys.flatMap { row in ([row.name] + row.synonyms).map { ($0.lowercased(), row.key) } },
        uniquingKeysWith: { first, _ in first }
    )

    static func key(named name: String) -> Key? { names[name] ?? names[name.lowercased()] }
}
