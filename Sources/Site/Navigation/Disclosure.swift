import Access
import SourceFolder

/// Decides what a listing may show.
///
/// Navigation, previous and next links, breadcrumbs, lists of folders and tags, feed, sitemap and
/// search results show ``ListedPage`` values only, and no other file can make one: its initialiser
/// is private to this file.
package enum Disclosure {
    /// The page as a listing for `readers` shows it; `nil` if some of these readers may not open
    /// it.
    package static func show(_ candidate: ListingCandidate, to readers: Audience) -> ListedPage? {
        guard !candidate.isUnlisted, readers.isSubset(of: candidate.audience) else { return nil }
        return ListedPage(candidate)
    }

    /// The page as a list for one reader shows it, who may be in several groups.
    package static func show(_ candidate: ListingCandidate, to reader: Viewer) -> ListedPage? {
        guard !candidate.isUnlisted, reader.verdict(on: candidate.audience) == .allowed else {
            return nil
        }
        return ListedPage(candidate)
    }
}

/// A page in a listing whose readers may all open it.
package struct ListedPage: Sendable {
    private let shown: ListingCandidate

    fileprivate init(_ candidate: ListingCandidate) { shown = candidate }

    package var url: String { shown.url }
    package var title: String { shown.title }
    /// The text of a link in the navigation.
    package var label: String { shown.label }
    package var description: String? { shown.description }
    /// The description, or the first sentences.
    package var excerpt: String? { shown.excerpt }
    /// The author's `date`.
    package var date: PageDate? { shown.date }
    package var updated: PageDate? { shown.updated }
    package var tags: [String] { shown.tags }
    /// Whether the author put the page into its place among its neighbours.
    package var isOrdered: Bool { shown.isOrdered }
    var isList: Bool { shown.isList }
}

/// A page, or a generated list, before it is decided which readers see it.
///
/// A class, because each audience has lists of the same pages.
package final class ListingCandidate: Sendable {
    /// The rank of a candidate or folder among its neighbours, lowest first.
    struct Rank: Sendable, Comparable {
        let order: Double
        let second: Double
        let label: String
        let url: String

        init(order: (Double, Double), label: String, url: String) {
            (self.order, second) = order
            (self.label, self.url) = (label, url)
        }

        static func < (left: Rank, right: Rank) -> Bool {
            (left.order, left.second, left.label, left.url)
                < (right.order, right.second, right.label, right.url)
        }
    }

    let url: String
    let audience: Audience
    /// Whether the navigation omits the page, but no other listing does.
    let isHidden: Bool
    fileprivate let isUnlisted: Bool
    fileprivate let title: String
    fileprivate let label: String
    fileprivate let description: String?
    fileprivate let excerpt: String?
    fileprivate let date: PageDate?
    fileprivate let updated: PageDate?
    fileprivate let tags: [String]
    fileprivate let isOrdered: Bool
    /// Whether it is a generated list.
    fileprivate let isList: Bool

    /// - Parameters:
    ///   - label: from the site's outline, or a file of the page's folder.
    ///   - isOrdered: whether an author gave the page its place.
    ///   - audience: who may read the page.
    init(_ page: Page, label: String?, isOrdered: Bool, isHidden: Bool, audience: Audience) {
        url = page.url
        self.audience = audience
        self.isHidden = isHidden
        isUnlisted = page.frontMatter.isUnlisted
        title = page.title
        self.label = label ?? page.frontMatter.linkTitle ?? title
        description = page.frontMatter.description
        excerpt = page.excerpt
        date = page.frontMatter.date
        updated = page.updated
        tags = page.frontMatter.tags
        self.isOrdered = isOrdered
        isList = false
    }

    /// The list of a folder without an index page.
    init(listAt url: String, title: String, isHidden: Bool, audience: Audience) {
        self.url = url
        self.audience = audience
        self.isHidden = isHidden
        isUnlisted = false
        self.title = title
        label = title
        (description, excerpt, date, updated) = (nil, nil, nil, nil)
        tags = []
        isOrdered = false
        isList = true
    }

    func rank(order: (Double, Double)) -> Rank {
        Rank(order: order, label: label.lowercased(), url: url)
    }
}
