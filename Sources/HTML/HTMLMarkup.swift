import Bytes

/// Where markup in HTML begins and ends, as a browser reads it (HTML Living Standard, section
/// 13.2.5, "Tokenization").
///
/// ``HTMLTokenizer`` makes tokens of an author's HTML with it. The search skips markup with it: it
/// reads the HTML of all pages, so nothing here allocates memory.
public enum HTMLMarkup {
    public struct Tag {
        public let name: Range<Int>
        /// Behind `>`.
        public let end: Int
    }

    public struct Attribute {
        public let name: Range<Int>
        /// With its quotes; empty where there is no value.
        public let value: Range<Int>
        public let isQuoted: Bool
    }

    /// The end of a comment, a declaration or a processing instruction, or `nil` where none begins.
    ///
    /// - Parameter start: where a `<` is.
    /// - Returns: also whether it is closed before the HTML ends.
    public static func endOfComment(
        _ html: Span<UInt8>,
        at start: Int
    ) -> (end: Int, isClosed: Bool)? {
        guard start + 1 < html.count else { return nil }
        switch html[start + 1] {
        case UInt8(ascii: "/"):
            // '</>' and '</3>' are comments to a browser.
            guard start + 2 < html.count, !html[start + 2].isLetter else { return nil }
            return end(html, from: start + 2)
        case UInt8(ascii: "!"), UInt8(ascii: "?"): break
        default: return nil
        }
        guard isText("!--", in: html, at: start + 1) else { return end(html, from: start + 1) }
        var position = start + 4
        if isText(">", in: html, at: position) || isText("->", in: html, at: position) {
            return end(html, from: position)
        }
        while position < html.count {
            if html[position] == UInt8(ascii: "-"),
                isText("-->", in: html, at: position) || isText("--!>", in: html, at: position)
            {
                return end(html, from: position)
            }
            position += 1
        }
        return (html.count, false)
    }

    /// Whether a start tag or an end tag begins with a `<`, closed or not.
    public static func isTag(_ html: Span<UInt8>, at start: Int) -> Bool {
        let isEnd = start + 1 < html.count && html[start + 1] == UInt8(ascii: "/")
        let name = start + (isEnd ? 2 : 1)
        return name < html.count && html[name].isLetter
    }

    /// A start tag or an end tag, or `nil` where it is not closed.
    ///
    /// - Parameter start: where ``isTag(_:at:)`` is true.
    public static func tag(_ html: Span<UInt8>, at start: Int) -> Tag? {
        tag(html, at: start) { _ in }
    }

    /// A start tag or an end tag, or `nil` where it is not closed; `take` gets its attributes.
    public static func tag(_ html: Span<UInt8>, at start: Int, _ take: (Attribute) -> Void) -> Tag?
    {
        let isEnd = html[start + 1] == UInt8(ascii: "/")
        let nameStart = start + (isEnd ? 2 : 1)
        var position = nameStart
        while position < html.count, !endsName(html[position]) { position += 1 }
        let name = nameStart..<position
        while position < html.count {
            let byte = html[position]
            if byte == UInt8(ascii: ">") { return Tag(name: name, end: position + 1) }
            if isSpace(byte) || byte == UInt8(ascii: "/") {
                position += 1
                continue
            }
            guard let attribute = attribute(html, &position) else { return nil }
            take(attribute)
        }
        return nil
    }

    /// Where the text of an element ends whose content is no HTML: at its end tag.
    ///
    /// - Parameter name: of the element, in the same HTML.
    public static func endOfRawText(
        _ html: Span<UInt8>,
        from start: Int,
        of name: Range<Int>
    ) -> Int {
        var position = start
        while position + name.count + 2 <= html.count {
            if html[position] == UInt8(ascii: "<"), html[position + 1] == UInt8(ascii: "/"),
                name.indices.allSatisfy({ index in
                    let offset = index - name.lowerBound
                    return lower(html[position + 2 + offset]) == lower(html[index])
                })
            {
                let end = position + 2 + name.count
                if end == html.count || endsName(html[end]) { return position }
            }
            position += 1
        }
        return html.count
    }

    /// Where the text of a CDATA section ends: at `]]>`, or at the end.
    static func endOfCharacterData(_ xml: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < xml.count {
            if xml[position] == UInt8(ascii: "]"), isText("]]>", in: xml, at: position) {
                return position
            }
            position += 1
        }
        return xml.count
    }

    /// Whether HTML is nothing but comments.
    package static func isComments(_ html: ArraySlice<UInt8>) -> Bool {
        var position = html.startIndex
        while position < html.endIndex {
            if html[position].isWhitespace {
                position += 1
            } else if html[position] == UInt8(ascii: "<"),
                let (end, isClosed) = endOfComment(Array(html).span, at: position), isClosed
            {
                position = end
            } else {
                return false
            }
        }
        return true
    }

    static func lower(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte | 0x20 : byte
    }

    /// `nil` where its quote is not closed, or nothing follows the equals sign.
    private static func attribute(_ html: Span<UInt8>, _ position: inout Int) -> Attribute? {
        let start = position
        // An equals sign at the start is part of the name.
        position += 1
        while position < html.count, !endsName(html[position]),
            html[position] != UInt8(ascii: "=")
        {
            position += 1
        }
        let name = start..<position
        skipSpaces(html, &position)
        guard position < html.count, html[position] == UInt8(ascii: "=") else {
            return Attribute(name: name, value: name.upperBound..<name.upperBound, isQuoted: false)
        }
        position += 1
        skipSpaces(html, &position)
        guard position < html.count else { return nil }
        let valueStart = position
        let quote = html[position]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            position += 1
            while position < html.count, html[position] != quote { position += 1 }
            guard position < html.count else { return nil }
            position += 1
            return Attribute(name: name, value: valueStart..<position, isQuoted: true)
        }
        while position < html.count, !isSpace(html[position]), html[position] != UInt8(ascii: ">") {
            position += 1
        }
        return Attribute(name: name, value: valueStart..<position, isQuoted: false)
    }

    /// Behind the next `>`.
    private static func end(_ html: Span<UInt8>, from start: Int) -> (end: Int, isClosed: Bool) {
        var position = start
        while position < html.count {
            if html[position] == UInt8(ascii: ">") { return (position + 1, true) }
            position += 1
        }
        return (html.count, false)
    }

    private static func isText(_ text: String, in html: Span<UInt8>, at start: Int) -> Bool {
        var position = start
        for byte in text.utf8 {
            guard position < html.count, html[position] == byte else { return false }
            position += 1
        }
        return true
    }

    private static func skipSpaces(_ html: Span<UInt8>, _ position: inout Int) {
        while position < html.count, isSpace(html[position]) { position += 1 }
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == .space || byte == .tab || byte.isLineEnd || byte == 12
    }
}
