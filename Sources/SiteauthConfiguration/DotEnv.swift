import Diagnostics

/// The variables of a `.env` file.
///
/// Other programs share the file, so lines that are not understood are ignored.
struct DotEnv {
    /// Not characters: in Swift, a quotation mark and a combining accent are one Character, and the
    /// quotation mark would become a part of a secret.
    private typealias Text = Substring.UnicodeScalarView

    var values: [String: String] = [:]
    var locations: [String: SourceLocation] = [:]

    init() {}

    /// Reads lines of the form `NAME=value`, `NAME="value"` or `export NAME='value'`.
    init(_ text: String, path: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            var rest = Self.trimmed(line.unicodeScalars)
            if rest.starts(with: "export ".unicodeScalars) {
                rest = Self.trimmed(rest.dropFirst(7))
            }
            guard rest.first != "#", let equals = rest.firstIndex(of: "=") else { continue }
            let name = String(Self.trimmed(rest[..<equals]))
            values[name] = Self.value(Self.trimmed(rest[rest.index(after: equals)...]))
            locations[name] = SourceLocation(path, line: index + 1)
        }
    }

    /// A value without its quotes, or without the comment behind it.
    private static func value(_ text: Text) -> String {
        if let quote = text.first, quote == "\"" || quote == "'",
            let end = text.dropFirst().firstIndex(of: quote)
        {
            return String(text[..<end].dropFirst())
        }
        if text.first == "#" { return "" }
        let comment = zip(text.indices, zip(text, text.dropFirst())).first { $1 == (" ", "#") }
        return String(trimmed(text[..<(comment?.0 ?? text.endIndex)]))
    }

    private static func trimmed(_ text: Text) -> Text {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
