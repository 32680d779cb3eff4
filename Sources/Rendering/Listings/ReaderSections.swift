import Access
import Site

/// The sections that only these readers see in the navigation, each by its topmost page.
struct ReaderSections: Sendable {
    /// In the order of the site.
    private(set) var pages: [ListedPage] = []

    /// The maximum number of sections.
    ///
    /// A group that may read single pages all over the site can use the search.
    static let limit = 50

    /// Uses the tree directly: a ``NavigationView`` for each group of a site would take far more
    /// memory than these few pages.
    init(_ tree: NavigationTree, for readers: Audience) {
        if readers == .public { return }
        let others: Audience = readers == .signedIn ? .public : .signedIn
        // The home page is excluded: everything is below it, and the site's name links to it.
        var index = 1
        while index < tree.entries.count, pages.count < Self.limit {
            let candidate = tree.entries[index].candidate
            if let candidate, Disclosure.show(candidate, to: others) == nil,
                let page = Disclosure.show(candidate, to: readers)
            {
                pages.append(page)
                index = tree.entries[index].end
            } else {
                index += 1
            }
        }
    }
}
