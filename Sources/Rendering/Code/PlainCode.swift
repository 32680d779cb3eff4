/// A block of code before highlighting.
struct PlainCode: Sendable {
    /// ASCII letters, digits and `+#._-`.
    let language: String
    /// Escaped.
    let html: ArraySlice<UInt8>
    let key: HighlightKey

    init(language: String, html: ArraySlice<UInt8>) {
        self.language = language
        self.html = html
        key = HighlightKey(language: language, html: html)
    }

    /// Not escaped.
    var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(html.count)
        var rest = html
        while let byte = rest.first {
            let entity =
                byte == UInt8(ascii: "&")
                ? Self.entities.first { rest.starts(with: $0.name.utf8) } : nil
            text.append(entity?.byte ?? byte)
            rest.removeFirst(entity?.name.utf8.count ?? 1)
        }
        return text
    }

    private static let entities: [(name: String, byte: UInt8)] = [
        ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&amp;", UInt8(ascii: "&")),
        ("&quot;", UInt8(ascii: "\"")),
    ]
}
