import Access
import Diagnostics

/// What a page says of itself before its text.
struct FrontMatter: Sendable {
    var title: String?
    var linkTitle: String?
    var description: String?
    /// A day as the author wrote it, `2026-11-22`.
    var updated: String?
    var isDraft = false
    /// Whether listings leave the page out.
    var isUnlisted = false
    var order: Double?
    var template: String?
    var showsContents = true
    var access: Audience?
    var accessPlace: Place?
    var widens = false

    /// The keys, each with the names it may have.
    ///
    /// Other names are those that people bring along from Hugo, Jekyll, MkDocs and Docusaurus.
    static let keys: [(name: String, synonyms: [String])] = [
        ("title", []),
        ("linkTitle", ["nav_title", "sidebar_label"]),
        ("description", ["summary"]),
        ("lastmod", ["updated"]),
        ("draft", []),
        ("unlisted", []),
        ("order", ["weight", "nav_order", "sidebar_position"]),
        ("template", ["layout"]),
        ("toc", []),
        ("access", []),
        ("widens", []),
    ]

    static let allNames = keys.flatMap { [$0.name] + $0.synonyms }

    static func name(of key: String) -> String? {
        keys.first { $0.name == key || $0.synonyms.contains(key) }?.name
    }
}
