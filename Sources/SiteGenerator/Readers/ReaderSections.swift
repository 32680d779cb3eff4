import Access

/// The pages that readers find in the navigation because of what they are: those below which
/// everything else is theirs, and which the navigation of others does not have.
struct ReaderSections: Sendable {
    /// In the order of the site.
    private(set) var pages: [ListedPage] = []

    /// A group that may read single pages all over the site searches for them.
    static let limit = 50

    private let others: NavigationView

    init(_ navigation: Navigation, for readers: Audience) {
        others = navigation.view(for: readers == .signedIn ? .public : .signedIn)
        if readers == .public { return }
        collect(navigation.view(for: readers).root)
    }

    private mutating func collect(_ node: NavigationView.Node) {
        guard pages.count < Self.limit else { return }
        // Everything is below the first page, and the site's name leads there.
        if let page = node.page, page.url != "/", others.node(at: page.url)?.page == nil {
            pages.append(page)
        } else {
            node.children.forEach { collect($0) }
        }
    }
}
