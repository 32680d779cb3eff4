import Bytes
import Emoji

/// A code such as `:wave:`, for which GitHub, GitLab and others show a character.
enum EmojiCode {
    /// Where the code ends that begins here; `nil` for another sign or colon, as in `10:30:00`.
    static func end(in text: Span<UInt8>, at start: Int) -> Int? {
        guard text[start] == UInt8(ascii: ":"), start == 0 || mayStand(text[start - 1]) else {
            return nil
        }
        var end = start + 1
        while end < text.count, end - start < 40, isNamePart(text[end]) { end += 1 }
        let name = start + 1..<end
        guard end < text.count, text[end] == UInt8(ascii: ":"), let first = name.first else {
            return nil
        }
        let isWord = (97...122).contains(text[first])
        // ':+1:', ':-1:', ':100:'
        let isVote = "+-".utf8.contains(text[first]) && name.count == 2
        let isHundred = name.count == 3 && text[first] == UInt8(ascii: "1")
        guard isWord || isVote || isHundred && name.allSatisfy({ text[$0].isDigit }) else {
            return nil
        }
        let next = end + 1 < text.count ? text[end + 1] : .space
        let isEnd = mayStand(next) || ".:)]<{".utf8.contains(next)
        return isEnd ? end + 1 : nil
    }

    /// What readers see of a code that begins here: a character, or nothing of the name of an icon
    /// that Material for MkDocs brings, `:material-check:`.
    static func character(in text: Span<UInt8>, at start: Int) -> (utf8: [UInt8], end: Int)? {
        guard let end = end(in: text, at: start) else { return nil }
        if icons.contains(where: { text.has($0, at: start) }) { return ([], end) }
        var name: [UInt8] = []
        for index in start + 1..<end - 1 { name.append(text[index]) }
        return EmojiNames[String(decoding: name, as: UTF8.self)].map { ($0, end) }
    }

    private static let icons: [StaticString] = [
        ":material-", ":fontawesome-", ":octicons-", ":simple-", ":lucide-",
    ]

    private static func mayStand(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ">"),
            UInt8(ascii: "|"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "!"),
            UInt8(ascii: "?"), 0x80...:
            true
        default: byte.isWhitespace
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || byte.isDigit || "_+-".utf8.contains(byte)
    }
}
