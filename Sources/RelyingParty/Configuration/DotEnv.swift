import Diagnostics

/// The variables of a `.env` file.
///
/// Other programs share the file, so lines that are not understood are ignored.
struct DotEnv {
    var values: [String: String] = [:]
    var locations: [String: SourceLocation] = [:]

    init() {}

    /// Reads lines of the form `NAME=value`, `NAME="value"` or `export NAME='value'`.
    init(_ text: String, path: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            var rest = Self.trimmed(line)
            if rest.hasPrefix("export ") { rest = Self.trimmed(rest.dropFirst(7)) }
            guard !rest.hasPrefix("#"), let equals = rest.firstIndex(of: "=") else { continue }
            let name = String(Self.trimmed(rest[..<equals]))
            values[name] = Self.value(Self.trimmed(rest[rest.index(after: equals)...]))
            locations[name] = SourceLocation(path, line: index + 1)
        }
    }

    /// A value without its quotes, or without the comment behind it.
    private static func value(_ text: Substring) -> String {
        if let quote = text.first, quote == "\"" || quote == "'",
            let end = text.dropFirst().firstIndex(of: quote)
        {
            return String(text[..<end].dropFirst())
        }
        if text.hasPrefix("#") { return "" }
        guard let comment = text.firstRange(of: " #") else { return String(text) }
        return String(trimmed(text[..<comment.lowerBound]))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
