import Bytes

/// The attributes in braces at the end of a heading; the id is used.
///
/// Most tools know `{#id}`, Docusaurus `{/* #id */}`. kramdown, Pandoc and Python-Markdown allow more, `{: #id .class
/// key="value" }`; everything but the id is dropped.
struct HeadingAttributes {
    let id: String?
    /// Where the brace stands.
    let start: Int

    init?(at text: [UInt8]) {
        guard text.last == UInt8(ascii: "}"),
            let open = text.lastIndex(of: UInt8(ascii: "{")),
            open == 0 || text[open - 1] != UInt8(ascii: "\\")
        else { return nil }
        var inside = text[open...].dropFirst().dropLast()
        let hasColon = inside.first == UInt8(ascii: ":")
        if hasColon { inside.removeFirst() }
        if inside.starts(with: "/*".utf8), inside.suffix(2).elementsEqual("*/".utf8),
            inside.count > 3
        {
            inside = inside.dropFirst(2).dropLast(2)
        }
        let words = Self.words(of: inside)
        let ids = words.compactMap(Self.id)
        // Without a colon, braces may be part of the heading.
        guard !words.isEmpty, ids.count < 2, ids.allSatisfy(Self.isID),
            hasColon || words.allSatisfy(Self.isAttribute)
        else { return nil }
        start = open
        id = ids.first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The words between spaces that stand in no quotation marks.
    private static func words(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var isQuoted = false
        return text.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return !isQuoted && byte.isSpaceOrTab
        }
    }

    /// The id of `#id` and `id="id"`.
    private static func id(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if word.first == UInt8(ascii: "#") { return word.dropFirst() }
        guard word.starts(with: "id=".utf8) else { return nil }
        return word.dropFirst(3).trimmed { $0 == UInt8(ascii: "\"") }
    }

    private static func isID(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty
            && name.allSatisfy { $0.isLetterOrDigit || $0 >= 0x80 || "-_.:".utf8.contains($0) }
    }

    private static func isAttribute(_ word: ArraySlice<UInt8>) -> Bool {
        switch word.first {
        case UInt8(ascii: "#"): isID(word.dropFirst())
        case UInt8(ascii: "."): isID(word.dropFirst()) && word.dropFirst().first?.isLetter == true
        default:
            word.first?.isLetter == true
                && (word.contains(UInt8(ascii: "=")) || word.starts(with: "data-".utf8))
        }
    }
}
