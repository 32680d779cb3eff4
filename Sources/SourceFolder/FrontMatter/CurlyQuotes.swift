/// Curly quotation marks, which word processors and phones write in place of straight ones.
///
/// In YAML they quote nothing: they are a part of the value.
enum CurlyQuotes {
    static let explanation =
        "the quotes are curly, so they are part of the value; write straight quotes or none"

    private static func isQuote(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { (0x2018...0x201F).contains($0.value) } ?? false
    }

    /// Whether a text stands between two curly quotes.
    ///
    /// `“Stop” and “go”` is a title with quotations, and `’` may be an apostrophe.
    static func enclose(_ text: String) -> Bool {
        guard text.utf8.first == 0xE2 else { return false }
        let scalars = text.unicodeScalars
        return scalars.count > 2 && isQuote(scalars.first) && isQuote(scalars.last)
            && !scalars.dropFirst().dropLast().contains { isQuote($0) && $0 != "\u{2019}" }
    }

    /// Whether a text begins or ends with a curly quote.
    static func stand(beside text: String) -> Bool {
        isQuote(text.unicodeScalars.first) || isQuote(text.unicodeScalars.last)
    }

    /// Whether a line of UTF-8 has a curly quote.
    static func stand(in line: ArraySlice<UInt8>) -> Bool {
        String(decoding: line, as: UTF8.self).unicodeScalars.contains { isQuote($0) }
    }
}
