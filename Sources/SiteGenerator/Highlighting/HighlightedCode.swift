/// Code with colours that may go into a page.
///
/// Whatever made it is not trusted with what the browsers of all readers run: with its tags taken
/// out it is the code as the page had it, byte for byte, and no tag is any other than
/// `<span class="…">` and `</span>`.
struct HighlightedCode: Sendable, Equatable {
    let html: [UInt8]

    /// HTML bytes for a byte of code, and what short code may have beyond; the worker's own limit.
    private static let growth = (factor: 12, allowance: 1000)
    private static let opening = Array("<span class=\"".utf8)
    private static let openingEnd = Array("\">".utf8)
    private static let closing = Array("</span>".utf8)

    /// Returns `nil` for HTML that is anything else than `code` with colours.
    init?(verifying html: ArraySlice<UInt8>, of code: PlainCode) {
        let most = Self.growth.factor * code.html.count + Self.growth.allowance
        guard html.count <= most else { return nil }
        var position = html.startIndex
        var expected = code.html.startIndex
        var isOpen = false
        while position < html.endIndex {
            if html[position] == UInt8(ascii: "<") {
                let rest = html[position...]
                let tag = isOpen ? Self.closing.count : Self.openingLength(rest)
                guard let tag, !isOpen || rest.starts(with: Self.closing) else { return nil }
                isOpen.toggle()
                position += tag
            } else {
                guard expected < code.html.endIndex, code.html[expected] == html[position] else {
                    return nil
                }
                expected += 1
                position += 1
            }
        }
        guard !isOpen, expected == code.html.endIndex else { return nil }
        self.html = Array(html)
    }

    /// The length of the tag that opens a span, if there is one.
    private static func openingLength(_ rest: ArraySlice<UInt8>) -> Int? {
        guard rest.starts(with: opening) else { return nil }
        let name = rest.dropFirst(opening.count).prefix {
            (97...122).contains($0) || (48...57).contains($0)
        }
        guard !name.isEmpty, rest[name.endIndex...].starts(with: openingEnd) else { return nil }
        return opening.count + name.count + openingEnd.count
    }
}
