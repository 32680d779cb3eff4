import HTML

/// Reads the words of a page's HTML, with the kind of text that contains them.
enum HTMLWords {
    static func scan(_ html: Span<UInt8>, _ scanner: inout WordScanner<PageTerms.Counter>) {
        var position = 0
        scanner.sink.beginPage()
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
        var (name, nameEnd) = name(html, start)
        let tagEnd: Int
        // The common case: a tag without attributes.
        if name != 0, nameEnd < html.count, html[nameEnd] == UInt8(ascii: ">") {
            tagEnd = nameEnd + 1
        } else {
            // A comment may stand in a word.
            if let comment = HTMLMarkup.endOfComment(html, at: start) { return comment.end }
            guard HTMLMarkup.isTag(html, at: start) else {
                scanner.end()
                return start + 1
            }
            // Browsers drop a tag that is not closed.
            guard let tag = HTMLMarkup.tag(html, at: start) else { return html.count }
            if nameEnd != tag.name.upperBound { (name, nameEnd) = (0, tag.name.upperBound) }
            tagEnd = tag.end
        }
        let kind = TagKinds.shared[name]
        // Inline tags do not end a word, because a part of it may be emphasised.
        if kind == .inline { return tagEnd }
        // What a list item begins with in bold or as code, and the code of a row's first cell, is
        // mostly explained there.
        if kind == .bold {
            if scanner.sink.beginsTerm(start) {
                scanner.end()
                scanner.sink.beginTerm(name)
            } else if scanner.sink.endsTerm(name) {
                scanner.end()
                scanner.sink.field = .text
            }
            return tagEnd
        }
        scanner.end()
        switch kind {
        case .inlineCode:
            if scanner.sink.beginsTerm(start) {
                scanner.sink.beginTerm(name)
            } else if scanner.sink.endsTerm(name) {
                scanner.sink.field = .text
            }
        case .heading: scanner.sink.field = .heading
        case .term: scanner.sink.field = .term
        case .item: scanner.sink.expectTerm(at: tagEnd)
        case .paragraph: if scanner.sink.beginsTerm(start) { scanner.sink.expectTerm(at: tagEnd) }
        case .row: scanner.sink.isFirstCell = true
        case .cell:
            if scanner.sink.isFirstCell { scanner.sink.expectTerm(at: tagEnd) }
            scanner.sink.isFirstCell = false
        case .code: scanner.sink.field = .code
        case .endOfField: scanner.sink.field = .text
        case .rawText: return HTMLMarkup.endOfRawText(html, from: tagEnd, of: start + 1..<nameEnd)
        case .inline, .bold, .other: break
        }
        return tagEnd
    }

    /// The letters and digits of a name behind a `<`, with its slash, packed as in ``TagKinds``, and
    /// their end; 0 if there is no name.
    private static func name(_ html: Span<UInt8>, _ start: Int) -> (name: UInt64, end: Int) {
        var name: UInt64 = 0
        var end = start + 1
        if end < html.count, html[end] == UInt8(ascii: "/") {
            name = UInt64(UInt8(ascii: "/"))
            end += 1
        }
        guard end < html.count, (0x61...0x7A).contains(html[end] | 0x20) else { return (0, end) }
        while end < html.count {
            let byte = html[end] | 0x20
            guard (0x61...0x7A).contains(byte) || (0x30...0x39).contains(html[end]) else { break }
            name = name << 8 | UInt64(byte)
            end += 1
        }
        return (name, end)
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
}

/// What the tags of HTML mean to the search, by their names.
private struct TagKinds {
    enum Kind {
        case inline, bold, inlineCode, heading, term, item, paragraph, row, cell, code, endOfField
        case rawText, other
    }

    static let shared = TagKinds()

    /// At most half full.
    private var names = [UInt64](repeating: 0, count: 128)
    private var kinds = [Kind](repeating: .other, count: 128)

    private init() {
        for name in [
            "em", "i", "u", "s", "del", "ins", "span", "mark", "wbr", "small",
            "strike", "big", "abbr", "dfn", "bdi", "bdo",
        ] {
            add(name, .inline)
            add("/\(name)", .inline)
        }
        for name in ["h1", "h2", "h3", "h4", "h5", "h6"] {
            add(name, .heading)
            add("/\(name)", .endOfField)
        }
        add("dt", .term)
        add("/dt", .endOfField)
        for name in ["strong", "/strong", "b", "/b"] { add(name, .bold) }
        for name in ["code", "/code"] { add(name, .inlineCode) }
        add("li", .item)
        add("p", .paragraph)
        add("tr", .row)
        add("td", .cell)
        add("pre", .code)
        add("/pre", .endOfField)
        add("script", .rawText)
        add("style", .rawText)
    }

    subscript(name: UInt64) -> Kind {
        let slot = slot(of: name)
        return names[slot] == name ? kinds[slot] : .other
    }

    private mutating func add(_ name: String, _ kind: Kind) {
        let packed = name.utf8.reduce(0) { $0 << 8 | UInt64($1) }
        let slot = slot(of: packed)
        (names[slot], kinds[slot]) = (packed, kind)
    }

    /// Where a name is, or the free slot where it would be.
    private func slot(of name: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: (name &* 0x9E37_79B9_7F4A_7C15) >> 57)
        while names[slot] != 0, names[slot] != name { slot = (slot + 1) & 127 }
        return slot
    }
}
