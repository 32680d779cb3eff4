import Markdown
import Synchronization

/// Finds the ids on pages that link fragments name.
///
/// A glossary has thousands of headings and thousands of links to them, so ids are looked up in a
/// dictionary.
final class AnchorIndex: Sendable {
    /// The spelling of an id on its page, by any canonically equivalent spelling: `é` is one
    /// character or two, and a browser compares bytes.
    private typealias Anchors = [String: String]

    private let pages = Mutex<[String: Anchors]>([:])

    /// The id that a fragment names, as the page spells it.
    ///
    /// The id `x` in harmless HTML gets a prefix on the page. A heading with the id `x` comes
    /// first.
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
