/// Finds where the tags end that Markdown takes for raw HTML (CommonMark 0.30, section 6.6).
///
/// The grammar is stricter than that of browsers, which ``HTMLMarkup`` reads by: a tag that is not
/// well-formed is text in Markdown, and a browser never sees it.
enum HTMLTagScanner {
    /// The position after an open or a closing tag that begins at `start`, or `nil`.
    static func endOfTag(_ bytes: ArraySlice<UInt8>, at start: Int) -> Int? {
        var scanner = Scanner(bytes: bytes, position: start + 1)
        return scanner.tag() ? scanner.position : nil
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

    private struct Scanner {
        let bytes: ArraySlice<UInt8>
        var position: Int

        var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

        mutating func tag() -> Bool {
            if take(UInt8(ascii: "/")) {
                guard name() else { return false }
                _ = spaces()
                return take(UInt8(ascii: ">"))
            }
            guard name() else { return false }
            while true {
                let separated = spaces()
                if !separated || !attributeName() { break }
                let before = position
                _ = spaces()
                guard take(UInt8(ascii: "=")) else {
                    position = before
                    continue
                }
                _ = spaces()
                guard attributeValue() else { return false }
            }
            _ = take(UInt8(ascii: "/"))
            return take(UInt8(ascii: ">"))
        }

        mutating func take(_ byte: UInt8) -> Bool {
            guard next == byte else { return false }
            position += 1
            return true
        }

        mutating func name() -> Bool {
            guard let first = next, first.isLetter else { return false }
            while let byte = next, byte.isLetterOrDigit || byte == UInt8(ascii: "-") {
                position += 1
            }
            return true
        }

        mutating func spaces() -> Bool {
            let start = position
            while let byte = next, byte.isWhitespace { position += 1 }
            return position > start
        }

        mutating func attributeName() -> Bool {
            guard let first = next,
                first.isLetter || first == UInt8(ascii: "_") || first == UInt8(ascii: ":")
            else { return false }
            while let byte = next, byte.isLetterOrDigit || "_.:-".utf8.contains(byte) {
                position += 1
            }
            return true
        }

        mutating func attributeValue() -> Bool {
            guard let first = next else { return false }
            if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
                position += 1
                while let byte = next, byte != first { position += 1 }
                return take(first)
            }
            let start = position
            while let byte = next, !byte.isWhitespace, !"\"'=<>`".utf8.contains(byte) {
                position += 1
            }
            return position > start
        }
    }
}
