import Bytes

/// Finds where the tags end that Markdown takes for raw HTML (CommonMark 0.30, section 6.6).
///
/// The grammar is stricter than that of browsers, which ``HTMLMarkup`` reads by: a tag that is not
/// well-formed is text in Markdown, and a browser never sees it.
enum HTMLTagScanner {
    /// The position after an open or a closing tag that begins at `start`, or `nil`.
    static func endOfTag(_ bytes: ArraySlice<UInt8>, at start: Int) -> Int? {
        var position = start + 1
        func skip(while isPart: (UInt8) -> Bool) -> Bool {
            let start = position
            while position < bytes.endIndex, isPart(bytes[position]) { position += 1 }
            return position > start
        }
        func take(_ byte: UInt8) -> Bool {
            guard position < bytes.endIndex, bytes[position] == byte else { return false }
            position += 1
            return true
        }
        func takeValue() -> Bool {
            for quote in "\"'".utf8 where take(quote) {
                _ = skip { $0 != quote }
                return take(quote)
            }
            return skip { !$0.isWhitespace && !"\"'=<>`".utf8.contains($0) }
        }
        let isEnd = take(UInt8(ascii: "/"))
        guard position < bytes.endIndex, bytes[position].isLetter else { return nil }
        _ = skip { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        while skip(while: \.isWhitespace), !isEnd, position < bytes.endIndex,
            bytes[position].isLetter || "_:".utf8.contains(bytes[position])
        {
            _ = skip { $0.isLetterOrDigit || "_.:-".utf8.contains($0) }
            let end = position
            _ = skip(while: \.isWhitespace)
            if !take(UInt8(ascii: "=")) {
                position = end
                continue
            }
            _ = skip(while: \.isWhitespace)
            guard takeValue() else { return nil }
        }
        if !isEnd { _ = take(UInt8(ascii: "/")) }
        return take(UInt8(ascii: ">")) ? position : nil
    }

    /// Whether HTML begins with a component of another tool: `<Tabs group="os">`, `<Card />`.
    ///
    /// Without an attribute or the slash, `<String>` may be words that somebody forgot to escape.
    static func isComponent(_ html: String) -> Bool {
        let name = html.utf8.dropFirst().prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") }
        guard html.utf8.first == UInt8(ascii: "<"), let first = name.first,
            (65...90).contains(first), name.contains(where: { (97...122).contains($0) })
        else { return false }
        let rest = html.utf8.dropFirst(1 + name.count).prefix { $0 != UInt8(ascii: ">") }
        return rest.last == UInt8(ascii: "/") || rest.contains(UInt8(ascii: "="))
    }
}
