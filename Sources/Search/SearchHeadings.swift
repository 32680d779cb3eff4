/// The headings of a page below its title, by which browsers tell what a part of the page is about.
///
/// They are encoded as in the file of an index.
package struct SearchHeadings: Sendable {
    /// For each heading the id and the text, each after its length.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// More would make results slow, and a page with so many is a list of its own.
    package static let most = 32

    /// - Parameter text: empty if the id has the same words.
    package mutating func append(id: String, text: String) {
        bytes.append(id)
        bytes.append(text)
    }

    /// The range of the id of the heading at a position, and where the heading ends; `nil` if it is
    /// not all there.
    package static func next(_ bytes: Span<UInt8>, at start: Int) -> (id: Range<Int>, end: Int)? {
        guard start < bytes.count, let id = text(bytes, at: start),
            let text = text(bytes, at: id.upperBound)
        else { return nil }
        return (id, text.upperBound)
    }

    /// The range of the text whose length is at a position; `nil` if it is not all there.
    private static func text(_ bytes: Span<UInt8>, at position: Int) -> Range<Int>? {
        var start = position
        let count = bytes.number(&start)
        return count <= bytes.count - start ? start..<start + count : nil
    }
}
