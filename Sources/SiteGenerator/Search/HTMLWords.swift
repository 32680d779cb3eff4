import Markdown

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
                position = readMarkup(html, position, &scanner)
            }
        }
        scanner.end()
    }

    private static func readMarkup(
        _ html: Span<UInt8>,
        _ start: Int,
        _ scanner: inout WordScanner<PageTerms.Counter>
    ) -> Int {
        // A comment may stand in a word.
        if let comment = HTMLMarkup.endOfComment(html, at: start) { return comment.end }
        guard HTMLMarkup.isTag(html, at: start) else {
            scanner.end()
            return start + 1
        }
        // Browsers drop a tag that is not closed.
        guard let tag = HTMLMarkup.tag(html, at: start) else { return html.count }
        var name: UInt64 = 0
        for index in start + 1..<tag.name.upperBound {
            name = name << 8 | UInt64(html[index] | 0x20)
        }
        // Inline tags do not end a word, because a part of it may be emphasised.
        if inline.contains(name) { return tag.end }
        scanner.end()
        switch name {
        case pre: scanner.sink.field = .code
        case preEnd: scanner.sink.field = .text
        case script, style: return HTMLMarkup.endOfRawText(html, from: tag.end, of: tag.name)
        default:
            // h1 to h6, and their ends.
            if (h1...h1 + 5).contains(name) {
                scanner.sink.field = .heading
            } else if (h1End...h1End + 5).contains(name) {
                scanner.sink.field = .text
            }
        }
        return tag.end
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
