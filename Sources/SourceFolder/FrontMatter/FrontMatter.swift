import Access
import Diagnostics

/// The metadata of a page, written above its text.
package struct FrontMatter: Sendable {
    package var title: String?
    package var linkTitle: String?
    package var description: String?
    /// Before this moment the page is not published.
    package var date: PageDate?
    /// The time of publication, if it differs from the date that is shown.
    package var publication: PageDate?
    package var updated: PageDate?
    /// From this moment on the page is not published.
    package var expiry: PageDate?
    package var isDraft = false
    /// Whether listings omit the page.
    package var isUnlisted = false
    /// Whether the navigation omits the page, but no other listing does.
    package var isHidden = false
    /// Whether the search finds the page.
    package var isSearched = true
    package var order: Double?
    /// The last segment of the URL, instead of the file's name.
    package var slug: (text: String, location: SourceLocation)?
    /// The name of the page in the side bars and links of Docusaurus, instead of the file's name.
    package var id: String?
    /// Old URLs of the page, or other names, as the author wrote them.
    package var aliases: [(text: String, location: SourceLocation)] = []
    /// The URL that another tool would give the page; it begins with `/`.
    package var permalink: (text: String, location: SourceLocation)?
    /// Without duplicates, in the author's order.
    package var tags: [String] = []
    package var template: (text: String, location: SourceLocation)?
    package var showsContents = true
    /// Whether the page lists the pages below it; `nil` for the site's default.
    package var showsListing: Bool?
    /// The order of that list; `nil` for the usual one.
    package var sort: ListOrder?
    /// BCP 47; `nil` for the site's language.
    package var language: String?
    /// Who keeps the page right: names, or e-mail addresses.
    package var owners: [String] = []
    /// The last day by which somebody has to look at the page again.
    package var review: (day: PageDate, location: SourceLocation)?
    package var access: Audience?
    package var accessLocation: SourceLocation?
    package var widens = false
    /// Free values for templates.
    package var params: [FrontMatterEntry] = []
    /// Where a text, such as the title, has the first `{{`.
    package var formLocation: SourceLocation?
    /// What stands for `{{ name }}` in the text, by the name.
    package var variables: [String: String] = [:]

    package init() {}

    /// How a page lists the pages below it.
    package enum ListOrder: String, Sendable, CaseIterable {
        /// The newest first.
        case date
        /// As in the navigation.
        case order
    }

    /// The keys by their names.
    package enum Key: String, Sendable, CaseIterable {
        case title, linkTitle, description, date, lastmod, publishDate, expiryDate, draft
        case published, build, render, headless, permalink, unlisted, search, order, slug, aliases
        case tags, template, toc, listing, sort, access, widens, params, variables
        case language, owner, review
        // Of other tools, and unlike any of the above.
        case id, summary, hide, pagefind, robots, sidebar
        case redirect = "redirect_to"
        case tocHide = "toc_hide"

        /// Whether a value that cannot be read could show the page to the wrong readers.
        var isGuarding: Bool {
            switch self {
            case .title, .linkTitle, .description, .id, .summary, .lastmod, .search, .pagefind,
                .order,
                .tags, .template, .toc, .listing, .sort, .language, .owner, .review, .params,
                .variables, .hide, .robots, .sidebar,
                .redirect,
                .tocHide:
                false
            default: true
            }
        }
    }

    /// Other names of keys, from Hugo, Jekyll, MkDocs, Docusaurus and others.
    private static let synonyms: [Key: [String]] = [
        .linkTitle: ["nav_title", "sidebar_label"],
        .lastmod: ["updated"],
        .publishDate: [
            "pubdate", "publish_date", "publish_on", "published_at", "publishedAt", "release_date",
            "embargo", "embargo_until",
        ],
        .expiryDate: [
            "unpublishdate", "unpublish_date", "expires", "expires_at", "expires_on", "expiration",
            "expirationDate", "expiry",
        ],
        .draft: ["is_draft", "_draft"],
        .published: ["publish"],
        .build: ["_build"],
        .tocHide: ["nav_exclude"],
        .order: ["weight", "nav_order", "sidebar_position"],
        .aliases: ["redirect_from"],
        .permalink: ["url"],
        .language: ["lang"],
        .sort: ["sort_by"],
        .template: ["layout"],
    ]

    /// Keys by what people call them who bring pages from elsewhere, in lower case.
    package static let meanings = [
        "hidden": "unlisted", "labels": "tags", "last_review": "review", "review_date": "review",
        "reviewdate": "review",
    ]

    package static let allNames = Key.allCases.flatMap { [$0.rawValue] + (synonyms[$0] ?? []) }

    private static let keys = Dictionary(
        uniqueKeysWithValues: Key.allCases.flatMap { key in
            ([key.rawValue] + (synonyms[key] ?? [])).map { ($0.lowercased(), key) }
        }
    )

    /// The key of a name; as in Hugo, case does not matter.
    package static func key(named name: String) -> Key? { keys[name] ?? keys[name.lowercased()] }
}
