import Bytes
import Markdown

/// Highlighted code, or a drawing, that is safe to put into a page.
///
/// The tools are not trusted, because browsers of all readers receive its HTML. Without its
/// tags, the HTML must be the code of the page byte for byte. The only tags may be `<span
/// class="…">` and `</span>`. For drawings, see ``DrawnMarkup``.
package struct HighlightedCode: Sendable, Equatable {
    let html: [UInt8]

    /// The maximum size of the HTML relative to the code, with an allowance for short code; the
    /// worker has the same limit.
    private static let growth = (factor: 12, allowance: 1000)

    /// Returns `nil` if the HTML is anything else than `code` with spans, or a safe drawing.
    init?(verifying html: ArraySlice<UInt8>, of code: PlainCode) {
        if let drawing = DrawnLanguage(codeBlock: code.language) {
            guard DrawnMarkup.isSafe(html, drawing) else { return nil }
            self.html = Array(html)
            return
        }
        guard html.count <= Self.growth.factor * code.html.count + Self.growth.allowance,
            Self.isCode(html.span, code.html.span)
        else { return nil }
        self.html = Array(html)
    }

    private static func isCode(_ html: Span<UInt8>, _ code: Span<UInt8>) -> Bool {
        var position = 0
        var expected = 0
        var isOpen = false
        while position < html.count {
            if html[position] != UInt8(ascii: "<") {
                guard expected < code.count, code[expected] == html[position] else { return false }
                expected += 1
                position += 1
            } else if isOpen {
                guard html.has("</span>", at: position) else { return false }
                position += 7
                isOpen = false
            } else {
                guard let end = endOfOpening(html, position) else { return false }
                position = end
                isOpen = true
            }
        }
        return !isOpen && expected == code.count
    }

    /// The end of the opening tag, if there is one.
    private static func endOfOpening(_ html: Span<UInt8>, _ start: Int) -> Int? {
        guard html.has("<span class=\"", at: start) else { return nil }
        let name = start + 13
        var end = name
        while end < html.count, (97...122).contains(html[end]) || (48...57).contains(html[end]) {
            end += 1
        }
        return end > name && html.has("\">", at: end) ? end + 2 : nil
    }
}
