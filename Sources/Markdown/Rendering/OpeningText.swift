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
        let text = HeadingText.of(html.prefix(mostBytes))
        var shown: [UInt8] = []
        // Of what is shown, and of the whole sentences in it.
        var (letters, sentences, sentenceLetters) = (0, 0, 0)
        for word in text.split(whereSeparator: \.isWhitespace) {
            // Each letter has one byte that continues none.
            let count = word.count { $0 & 0xC0 != 0x80 }
            guard letters + count < length else {
                // A text without spaces is one word.
                if shown.isEmpty {
                    return String(decoding: word, as: UTF8.self).prefix(length) + "…"
                }
                if sentenceLetters > length / 4 { return decoded(shown.prefix(sentences)) }
                return decoded(shown[...]) + "…"
            }
            if !shown.isEmpty { shown.append(UInt8(ascii: " ")) }
            letters = letters + count + (shown.isEmpty ? 0 : 1)
            shown += word
            if ends.contains(where: { word.suffix($0.count).elementsEqual($0) }) {
                (sentences, sentenceLetters) = (shown.count, letters)
            }
        }
        return decoded(shown[...])
    }

    private static let ends = [".", "!", "?", "…", "。"].map { Array($0.utf8) }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text, as: UTF8.self)
    }
}
