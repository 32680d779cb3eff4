import HTML
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
    /// The indices of headings, by the keys of their words.
    private let headings = Mutex<[String: [String: [Int]]]>([:])

    /// The id that a fragment names, as the page spells it.
    ///
    /// The id `x` in harmless HTML gets a prefix on the page. A heading with the id `x` comes
    /// first.
    func id(_ anchor: String, on page: Page) -> String? {
        spelling(of: anchor, on: page) ?? spelling(of: AuthorAnchor.prefix + anchor, on: page)
            ?? heading(anchor, on: page)
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

    /// The id of the heading with these words, or with the id that another tool makes of them.
    ///
    /// In `Doors#Keys`, as Obsidian writes it, `Keys` is in the section `Doors`.
    private func heading(_ words: String, on page: Page) -> String? {
        let headings = page.document.headings
        guard !headings.isEmpty, !words.hasPrefix("^") else { return nil }
        let known = known(page)
        var section = headings.indices
        var found: Int?
        for part in words.split(separator: "#") {
            if let found {
                let level = headings[found].level
                let below = found + 1..<section.upperBound
                let end = below.first { headings[$0].level <= level }
                section = below.lowerBound..<(end ?? below.upperBound)
            }
            // What differs only in punctuation must be the only one of its kind.
            let alike = known["~" + Self.letters(part)] ?? []
            found =
                (known["=" + part.lowercased()] ?? []).first(where: section.contains)
                ?? (alike.count == 1 ? alike.first(where: section.contains) : nil)
            if found == nil { return nil }
        }
        return found.map { headings[$0].id }
    }

    private func known(_ page: Page) -> [String: [Int]] {
        if let known = headings.withLock({ $0[page.url] }) { return known }
        var known: [String: [Int]] = [:]
        for (index, heading) in page.document.headings.enumerated() {
            known["=" + heading.text.lowercased(), default: []].append(index)
            let letters = [Self.letters(heading.text[...]), Self.letters(heading.id[...])]
            for name in Set(letters) where !name.isEmpty {
                known["~" + name, default: []].append(index)
            }
        }
        headings.withLock { $0[page.url] = known }
        return known
    }

    /// The letters and digits alone, without case.
    private static func letters(_ text: Substring) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
