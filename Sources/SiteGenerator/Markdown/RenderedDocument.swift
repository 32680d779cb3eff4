import Diagnostics

/// A document as HTML, with holes where links and images point.
///
/// Where a link leads is known when all pages are; rendering with holes and filling them later
/// means that each page is parsed once, and that its tree is freed before the next one.
struct RenderedDocument: Sendable {
    struct Reference: Sendable {
        enum Kind: Sendable { case link, image }

        let kind: Kind
        /// As the author wrote it, entities and escapes resolved.
        let destination: String
        let line: Int
        let column: Int
        /// Where the URL goes in ``html``.
        var offset: Int
    }

    struct Heading: Sendable {
        let level: Int
        let id: String
        /// Without markup, not escaped.
        let text: String
    }

    enum Omission: Sendable { case rawHTML }

    var html: [UInt8] = []
    var references: [Reference] = []
    var headings: [Heading] = []
    /// What was left out, and where.
    var omissions: [(omission: Omission, line: Int, column: Int)] = []

    /// The HTML with one URL in each hole, in the order of ``references``.
    ///
    /// - Parameter urls: escaped for an attribute.
    func filled(with urls: [String]) -> [UInt8] {
        var filled: [UInt8] = []
        filled.reserveCapacity(html.count + urls.reduce(0) { $0 + $1.utf8.count })
        var start = 0
        for (reference, url) in zip(references, urls) {
            filled += html[start..<reference.offset]
            filled += Array(url.utf8)
            start = reference.offset
        }
        filled += html[start...]
        return filled
    }
}
