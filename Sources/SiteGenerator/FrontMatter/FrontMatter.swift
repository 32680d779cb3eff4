import Access
import Diagnostics

/// The metadata of a page, written above its text.
struct FrontMatter: Sendable {
    var title: String?
    var linkTitle: String?
    var description: String?
    /// Before this moment the page is not published.
    var date: CalendarDay?
    /// The time of publication, if it differs from the date that is shown.
    var publication: CalendarDay?
    var updated: CalendarDay?
    /// From this moment on the page is not published.
    var expiry: CalendarDay?
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

    /// The keys with their synonyms.
    ///
    /// The synonyms come from Hugo, Jekyll, MkDocs, Docusaurus and others. As in Hugo, case does
    /// not matter.
    static let keys: [(name: String, synonyms: [String])] = [
        ("title", []),
        ("linkTitle", ["nav_title", "sidebar_label"]),
        ("description", ["summary"]),
        ("date", []),
        ("lastmod", ["updated"]),
        (
            "publishDate",
            [
                "pubdate", "publish_date", "publish_on", "published_at", "publishedAt",
                "release_date", "embargo", "embargo_until",
            ]
        ),
        (
            "expiryDate",
            [
                "unpublishdate", "unpublish_date", "expires", "expires_at", "expires_on",
                "expiration", "expirationDate", "expiry",
            ]
        ),
        ("draft", ["is_draft", "_draft"]),
        ("published", ["publish"]),
        ("build", ["_build"]),
        ("render", []),
        ("headless", []),
        ("permalink", []),
        ("unlisted", []),
        ("search", []),
        ("order", ["weight", "nav_order", "sidebar_position"]),
        ("slug", []),
        ("aliases", ["redirect_from"]),
        ("tags", []),
        ("template", ["layout"]),
        ("toc", []),
        ("listing", []),
        ("access", []),
        ("widens", []),
        ("params", []),
    ]

    static let allNames = keys.flatMap { [$0.name] + $0.synonyms }

    private static let names = Dictionary(
        keys.flatMap { key in ([key.name] + key.synonyms).map { ($0.lowercased(), key.name) } },
        uniquingKeysWith: { first, _ in first }
    )

    static func name(of key: String) -> String? { names[key] ?? names[key.lowercased()] }
}
