import Access

/// The pages that readers find in the navigation because of what they are: those below which
/// everything else is theirs, and which the navigation of others does not have.
struct ReaderSections: Sendable {
    /// In the order of the site.
    private(set) var pages: [ListedPage] = []

    /// A group that may read single pages all over the site searches for them.
    static let limit = 50

    private let readers: Audience
    private let others: Audience

    /// Looks at the tree itself: a ``NavigationView`` for each of a site's groups is far more than
    /// these few pages.
    init(_ tree: NavigationTree, for readers: Audience) {
        self.readers = readers
        others = readers == .signedIn ? .public : .signedIn
        if readers == .public { return }
        collect(tree.root)
    }

    private mutating func collect(_ entry: NavigationTree.Entry) {
        guard pages.count < Self.limit else { return }
        // Everything is below the first page, and the site's name leads there.
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
