/// Reads the words of a page's HTML, with the kind of text that contains them.
enum HTMLWords {
    static func scan(_ html: Span<UInt8>, _ scanner: inout WordScanner<PageTerms.Counter>) {
        var position = 0
        while true {
            position = scanner.scan(html, from: position)
            if position >= html.count { break }
            if html[position] == UInt8(ascii: "&") {
                scanner.end()
                position = endOfReference(html, position)
            } else {
                position = readTag(html, position, &scanner)
            }
        }
        scanner.end()
    }

    private static func readTag(
        _ html: Span<UInt8>,
        _ start: Int,
        _ scanner: inout WordScanner<PageTerms.Counter>
    ) -> Int {
        var name: UInt64 = 0
        var position = start + 1
        while position < html.count, isNameByte(html[position]) {
            name = name << 8 | UInt64(html[position] | 0x20)
            position += 1
        }
        let end = endOfTag(html, position)
        // Inline tags do not end a word, because a part of it may be emphasised.
        if inline.contains(name) { return end }
        scanner.end()
        switch name {
        case pre: scanner.sink.field = .code
        case preEnd: scanner.sink.field = .text
        case script, style: return endOfRawText(html, end)
        default:
            // h1 to h6, and their ends.
            if (h1...h1 + 5).contains(name) {
                scanner.sink.field = .heading
            } else if (h1End...h1End + 5).contains(name) {
                scanner.sink.field = .text
            }
        }
        return end
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20) || (48...57).contains(byte) || byte == UInt8(ascii: "/")
    }

    /// The position after the tag's `>`, which is not part of an attribute.
    private static func endOfTag(_ html: Span<UInt8>, _ start: Int) -> Int {
        var position = start
        var quote: UInt8 = 0
        while position < html.count {
            let byte = html[position]
            position += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
        }
        return position
    }

    /// Skips scripts and style sheets, up to the next end tag.
    private static func endOfRawText(_ html: Span<UInt8>, _ start: Int) -> Int {
        var position = start
        while position + 1 < html.count {
            if html[position] == UInt8(ascii: "<"), html[position + 1] == UInt8(ascii: "/") {
                return position
            }
            position += 1
        }
        return html.count
    }

    /// The position after a character reference such as `&amp;`, which ends a word.
    private static func endOfReference(_ html: Span<UInt8>, _ start: Int) -> Int {
        var position = start + 1
        while position < html.count, position < start + 10 {
            if html[position] == UInt8(ascii: ";") { return position + 1 }
            position += 1
        }
        return start + 1
    }

    private static func packed(_ name: String) -> UInt64 {
        name.utf8.reduce(0) { $0 << 8 | UInt64($1 | 0x20) }
    }

    private static let inline = Set(
        [
            "em", "strong", "b", "i", "u", "s", "del", "ins", "span", "mark", "wbr", "small",
            "strike", "big", "abbr", "dfn", "bdi", "bdo",
        ]
        .flatMap { [packed($0), packed("/\($0)")] }
    )
    private static let pre = packed("pre")
    private static let preEnd = packed("/pre")
    private static let script = packed("script")
    private static let style = packed("style")
    private static let h1 = packed("h1")
    private static let h1End = packed("/h1")
}
