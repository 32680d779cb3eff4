import Bytes

/// The first sentences of a text, for lists of pages.
enum OpeningText {
    /// As many letters as fit into two or three lines.
    private static let length = 240
    /// More of a paragraph is not looked at.
    private static let mostBytes = 8192

    /// - Parameter html: of a paragraph.
    static func of(_ html: ArraySlice<UInt8>) -> String {
        // A picture at the beginning is a mark or a badge.
        if html.starts(with: "<img".utf8) { return "" }
        let text = String(decoding: HeadingText.of(html.prefix(mostBytes)), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        if words.isEmpty { return "" }
        var (shown, sentences) = ("", "")
        for word in words {
            guard shown.count + word.count < length else {
                // A text without spaces is one word.
                if shown.isEmpty { return word.prefix(length) + "…" }
                return sentences.count > length / 4 ? sentences : shown + "…"
            }
            shown += shown.isEmpty ? "\(word)" : " \(word)"
            if ".!?…。".contains(word.last ?? " ") { sentences = shown }
        }
        return shown
    }
}
