import Access

/// The sections that only these readers see in the navigation, each by its topmost page.
struct ReaderSections: Sendable {
    /// In the order of the site.
    private(set) var pages: [ListedPage] = []

    /// The maximum number of sections.
    ///
    /// A group that may read single pages all over the site can use the search.
    static let limit = 50

    private let readers: Audience
    private let others: Audience

    /// Uses the tree directly: a ``NavigationView`` for each group of a site would take far more
    /// memory than these few pages.
    init(_ tree: NavigationTree, for readers: Audience) {
        self.readers = readers
        others = readers == .signedIn ? .public : .signedIn
        if readers == .public { return }
        collect(tree.root)
    }

    private mutating func collect(_ entry: NavigationTree.Entry) {
        guard pages.count < Self.limit else { return }
        // The home page is excluded: everything is below it, and the site's name links to it.
        if entry.url != "/", let candidate = entry.candidate,
            let page = Disclosure.show(candidate, to: readers),
            Disclosure.show(candidate, to: others) == nil
        {
            pages.append(page)
        } else {
            entry.children.forEach { collect($0) }
        }
    }
}
