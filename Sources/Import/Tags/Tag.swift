/// A tag of another tool in Markdown: a shortcode of Hugo, a tag of Liquid, a component of JSX.
struct Tag {
    /// How a kind of tag is written; another tool is another row.
    struct Syntax {
        let kind: String
        let open: String
        let close: String
        /// What stands before the name in an end tag.
        let end: String
    }

    static let syntaxes = [
        Syntax(kind: "shortcode", open: "{{<", close: ">}}", end: "/"),
        Syntax(kind: "shortcode", open: "{{%", close: "%}}", end: "/"),
        Syntax(kind: "tag", open: "{%", close: "%}", end: "end"),
        Syntax(kind: "component", open: "<", close: ">", end: "/"),
    ]

    let syntax: Syntax
    let name: String
    let isEnd: Bool
    /// Whether the tag says that it has no end tag.
    let isEmpty: Bool
    let arguments: [(name: String, value: String)]
    /// The tag as it stands in the page.
    let source: String

    /// The key of a mapping.
    var key: String { "\(syntax.kind) \(name)" }

    /// Whether a tag without a mapping is one at all: `Vec<String>` is none.
    var isCertain: Bool { syntax.kind != "component" || isEmpty || !arguments.isEmpty }

    /// The tag that begins at a place in a text.
    init?(_ text: Substring) {
        guard let syntax = Self.syntaxes.first(where: { text.hasPrefix($0.open) }),
            let inside = Self.inside(text.dropFirst(syntax.open.count), syntax.close)
        else { return nil }
        source = String(text[..<text.index(inside.endIndex, offsetBy: syntax.close.count)])
        var rest = inside.drop { $0.isWhitespace || $0 == "-" }
        while let last = rest.last, last.isWhitespace || last == "-" { rest.removeLast() }
        let isSelfClosed = rest.last == "/" && rest.count > 1
        if isSelfClosed { rest.removeLast() }
        var isEnd = rest.hasPrefix("/")
        if isEnd { rest = rest.dropFirst().drop(while: \.isWhitespace) }
        var name = rest.prefix { !$0.isWhitespace && $0 != "=" }
        rest = rest.dropFirst(name.count)
        if syntax.end == "end", name.hasPrefix("end"), name.count > 3 {
            isEnd = true
            name = name.dropFirst(3)
        }
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "-_./".contains($0) }
        guard isName, let first = name.first, first.isLetter,
            syntax.kind != "component" || first.isUppercase
        else { return nil }
        self.syntax = syntax
        self.name = String(name)
        self.isEnd = isEnd
        isEmpty = isSelfClosed
        arguments = Self.arguments(rest)
    }

    /// What stands in front of the closing mark, outside of quotes and braces.
    private static func inside(_ text: Substring, _ close: String) -> Substring? {
        var quote: Character?
        var braces = 0
        for (index, character) in zip(text.indices, text).prefix(4_000) {
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            if braces == 0, text[index...].hasPrefix(close) { return text[..<index] }
            switch character {
            case "\"": quote = character
            case "{": braces += 1
            case "}": braces -= 1
            default: continue
            }
        }
        return nil
    }

    private static func arguments(_ text: Substring) -> [(name: String, value: String)] {
        var arguments: [(name: String, value: String)] = []
        var rest = text.drop(while: \.isWhitespace)
        while !rest.isEmpty {
            var name = rest.prefix { !$0.isWhitespace && !"=\"'".contains($0) }
            rest = rest.dropFirst(name.count)
            let hasValue = rest.first == "="
            if hasValue { rest = rest.dropFirst() }
            var value = name
            if let mark = rest.first, "\"'{".contains(mark), hasValue || name.isEmpty {
                let end: Character = mark == "{" ? "}" : mark
                value = rest.dropFirst().prefix { $0 != end }
                rest = rest.dropFirst(value.count + 2)
            } else if hasValue {
                value = rest.prefix { !$0.isWhitespace }
                rest = rest.dropFirst(value.count)
            }
            if !hasValue { name = "\(arguments.count + 1)"[...] }
            arguments.append((String(name), String(value)))
            rest = rest.drop(while: \.isWhitespace)
        }
        return arguments
    }
}
