import Bytes

/// Expressions of JavaScript in the attributes of a tag, as MDX has them, whose values can be seen:
/// `src={require('./a.png').default}`, `src={useBaseUrl('/a.png')}`, `alt={"a"}`, `width={300}`.
enum ScriptExpressions {
    private static let maximumBytes = 1000

    /// A tag that is none to Markdown, with values in place of its expressions, as long as before.
    static func tag(in input: [UInt8], at start: Int) -> ArraySlice<UInt8>? {
        guard start + 1 < input.count, input[start + 1].isLetter else { return nil }
        let rest = input[(start + 1)...].prefix(maximumBytes).prefix { $0 != UInt8(ascii: "<") }
        guard let filled = filled([UInt8(ascii: "<")] + rest) else { return nil }
        return HTMLTagScanner.endOfTag(filled[...], at: 0).map { filled[..<$0] }
    }

    /// HTML with values in quotation marks in place of expressions, and with spaces behind them, so
    /// that everything stays where it is; `nil` if it has none.
    static func filled(_ html: [UInt8]) -> [UInt8]? {
        var filled: [UInt8]?
        var index = html.span.position(of: UInt8(ascii: "{"))
        while index < html.count {
            let next = index + 1
            if index > 0, html[index - 1] == UInt8(ascii: "="),
                let (value, end) = value(in: html[next...].prefix(300))
            {
                let quoted = [UInt8(ascii: "\"")] + value + [UInt8(ascii: "\"")]
                let spaces = Array(repeating: UInt8.space, count: end - index - quoted.count)
                if filled == nil { filled = html }
                filled?.replaceSubrange(index..<end, with: quoted + spaces)
            }
            index = html.span.position(of: UInt8(ascii: "{"), from: next)
        }
        return filled
    }

    /// The value of an expression that ends with `}`, and where that ends.
    private static func value(
        in text: ArraySlice<UInt8>
    ) -> (value: ArraySlice<UInt8>, end: Int)? {
        guard let end = text.firstIndex(of: UInt8(ascii: "}")) else { return nil }
        var words = text[..<end].trimmed(where: \.isWhitespace)
        for call in ["require(", "useBaseUrl("] where words.starts(with: call.utf8) {
            let close = words.lastIndex(of: UInt8(ascii: ")")) ?? words.startIndex
            guard [[], Array(".default".utf8)].contains(Array(words[close...].dropFirst())) else {
                return nil
            }
            words = words[..<close].dropFirst(call.utf8.count).trimmed(where: \.isWhitespace)
        }
        if words.count > 2, let quote = words.first, quote == words.last,
            "\"'`".utf8.contains(quote)
        {
            words = words.dropFirst().dropLast()
            return words.contains { "\"'`<>{\\".utf8.contains($0) } ? nil : (words, end + 1)
        }
        return words.isEmpty || !words.allSatisfy(\.isDigit) ? nil : (words, end + 1)
    }
}
