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
        var position = 0
        while let word = nextWord(text, &position) {
            // Each letter has one byte that continues none.
            let count = word.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
            guard letters + count < length else {
                // A text without spaces is one word.
                if shown.isEmpty {
                    return String(decoding: word, as: UTF8.self).prefix(length) + "…"
                }
                if sentenceLetters > length / 4 { return decoded(shown.prefix(sentences)) }
                return decoded(shown[...]) + "…"
            }
            if !shown.isEmpty { shown.append(.space) }
            letters = letters + count + (shown.isEmpty ? 0 : 1)
            shown += word
            if endsSentence(word) { (sentences, sentenceLetters) = (shown.count, letters) }
        }
        return decoded(shown[...])
    }

    private static func nextWord(_ text: [UInt8], _ position: inout Int) -> ArraySlice<UInt8>? {
        while position < text.count, text[position].isWhitespace { position += 1 }
        let start = position
        while position < text.count, !text[position].isWhitespace { position += 1 }
        return start == position ? nil : text[start..<position]
    }

    private static func endsSentence(_ word: ArraySlice<UInt8>) -> Bool {
        switch word.last {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): true
        case 0xA6: word.suffix(3).elementsEqual("…".utf8)
        case 0x82: word.suffix(3).elementsEqual("。".utf8)
        default: false
        }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text, as: UTF8.self)
    }
}
