import Markdown
import Synchronization

/// Where links with a fragment may lead on each page.
///
/// A glossary has thousands of headings and thousands of links to them: each of its ids is looked
/// up, and not searched for.
final class AnchorIndex: Sendable {
    /// The spelling on the page, by a spelling that is canonically equivalent: `é` is one character
    /// or two, and a browser compares bytes.
    private typealias Anchors = [String: String]

    private let pages = Mutex<[String: Anchors]>([:])

    /// The id on a page that a fragment names, as the page spells it.
    ///
    /// What an author calls `x` in harmless HTML has an id of its own, unless a heading has that.
    func id(_ anchor: String, on page: Page) -> String? {
        spelling(of: anchor, on: page) ?? spelling(of: AuthorAnchor.prefix + anchor, on: page)
    }

    private func spelling(of anchor: String, on page: Page) -> String? {
        let document = page.document
        if document.headings.count + document.anchors.count < 16 {
            return document.headings.first { $0.id == anchor }?.id
                ?? document.anchors.first { $0 == anchor }
        }
        if let known = pages.withLock({ $0[page.url] }) { return known[anchor] }
        let ids = document.headings.map(\.id) + document.anchors
        let anchors = Anchors(zip(ids, ids), uniquingKeysWith: { first, _ in first })
        pages.withLock { $0[page.url] = anchors }
        return anchors[anchor]
    }
}
