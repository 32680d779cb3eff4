/// Highlighted code that is safe to put into a page.
///
/// The highlighter is not trusted, because browsers of all readers receive its HTML. Without its
/// tags, the HTML must be the code of the page byte for byte. The only tags may be `<span
/// class="…">` and `</span>`.
struct HighlightedCode: Sendable, Equatable {
    let html: [UInt8]

    /// The maximum size of the HTML relative to the code, with an allowance for short code; the
    /// worker has the same limit.
    private static let growth = (factor: 12, allowance: 1000)
    private static let opening = Array("<span class=\"".utf8)
    private static let openingEnd = Array("\">".utf8)
    private static let closing = Array("</span>".utf8)

    /// Returns `nil` if the HTML is anything else than `code` with spans.
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

    /// The length of the opening tag, if there is one.
    private static func openingLength(_ rest: ArraySlice<UInt8>) -> Int? {
        guard rest.starts(with: opening) else { return nil }
        let name = rest.dropFirst(opening.count).prefix {
            (97...122).contains($0) || (48...57).contains($0)
        }
        guard !name.isEmpty, rest[name.endIndex...].starts(with: openingEnd) else { return nil }
        return opening.count + name.count + openingEnd.count
    }
}
