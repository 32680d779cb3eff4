import Bytes
import SourceFolder

/// The names for which a text has values.
struct TextVariables: Sendable {
    let site: [String: String]
    /// Those of the page, which win.
    let page: [String: String]

    var isEmpty: Bool { site.isEmpty && page.isEmpty }

    /// The value for a name in Jinja's, Liquid's, Hugo's or Quarto's braces, and where they end.
    ///
    /// - Returns: `nil` for a name that nobody defines: it may be another program's.
    func value(in text: [UInt8], at start: Int, lineEnd: Int) -> (value: String, end: Int)? {
        if isEmpty { return nil }
        var reader = FormReader(text[start..<min(lineEnd, start + 300)])
        var closing = "}}"
        if reader.take("{{<") { closing = ">}}" } else if reader.take("{{%") { closing = "%}}" }
        if closing == "}}" {
            guard reader.take("{{") else { return nil }
        } else {
            reader.skipSpaces()
            guard reader.take("param") || reader.take("var"), reader.isAtSpace else { return nil }
        }
        reader.skipSpaces()
        let quote = closing == "}}" ? nil : reader.takeQuote()
        let name = reader.take(while: VariableText.isNamePart)
        if let quote, !reader.take(quote) { return nil }
        reader.skipSpaces()
        guard !name.isEmpty, reader.take(closing), let value = value(of: name) else { return nil }
        return (value, reader.position)
    }

    /// A title with values in place of names; what nobody defines stays.
    func filled(_ text: String) -> String {
        guard !isEmpty, text.utf8.span.position(of: "{{") != nil else { return text }
        let bytes = Array(text.utf8)
        var filled: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "{"),
                let (value, end) = value(in: bytes, at: position, lineEnd: bytes.count)
            {
                filled += value.utf8
                position = end
            } else {
                filled.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: filled, as: UTF8.self)
    }

    /// Whether readers of a title would see a form of which nobody defines the name.
    func leaves(in text: String) -> Bool {
        let span = text.utf8.span
        guard span.position(of: "{{") != nil, span.position(of: "}}") != nil else { return false }
        let bytes = Array(text.utf8)
        return bytes.indices.contains {
            bytes[$0...].starts(with: "{{".utf8)
                && ($0 == 0 || bytes[$0 - 1] != UInt8(ascii: "{"))
                && value(in: bytes, at: $0, lineEnd: bytes.count) == nil
        }
    }

    /// The value of `name`, of `page.name` or of `site.name`.
    private func value(of name: String) -> String? {
        if let value = page[name] ?? site[name] { return value }
        for (owner, values) in [("page.", page), ("site.", site)] where name.hasPrefix(owner) {
            return values[String(name.dropFirst(owner.count))]
        }
        return nil
    }
}
