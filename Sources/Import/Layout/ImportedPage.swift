/// A page as the other system had it, without its text.
struct ImportedPage {
    let title: String
    /// The number of the page above it; it is smaller than the page's own.
    var parent: Int?
    /// Addresses that the page had.
    var aliases: [String] = []
    var tags: [String] = []
    /// The day of the last change, `2026-11-22`.
    var changed = ""
    /// Who may read the page and all below it; `nil` if it has no restriction of its own.
    var restriction: Restriction?
    var attachments: [Attachment] = []
    var isListing = false

    init(title: String) { self.title = title.words.isEmpty ? "Untitled" : title.words }
}

/// A file of a page.
struct Attachment {
    let name: String
    /// Below the source folder.
    let path: String
}

/// Readers as the other system named them.
struct Restriction: Hashable {
    var groups: Set<String> = []
    var users: Set<String> = []

    var description: String {
        let names =
            groups.sorted().map { "group '\($0.words)'" }
            + users.sorted().map { "user '\($0.words)'" }
        return names.isEmpty ? "nobody" : names.joined(separator: ", ")
    }
}

/// What an importer has read: pages in the order of their navigation, parents first.
struct ImportedSite {
    var title: String
    var pages: [ImportedPage]
    /// Who may read the whole site, where the other system limits that.
    var readers: Restriction?
    /// The page that becomes the site's first; a list of pages without one.
    var home: Int?
    /// What everybody must know who publishes the site.
    var warnings: [String] = []
}
