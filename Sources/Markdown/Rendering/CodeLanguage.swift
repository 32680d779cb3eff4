/// The language of a code block, as authors name it in the block's info string.
enum CodeLanguage {
    private static let maximumLength = 40

    /// The first word's name: ASCII letters, digits and behind the first `+#._-`, at most 40; `nil` where there is
    /// none, and for diagrams.
    ///
    /// `{.python .numbered}` (Pandoc), `rust,ignore` (mdBook), `python{1,3}` (Gatsby) and
    /// `language-python` (HTML) name a language too.
    static func name(inInfo info: String) -> String? {
        var word = info.utf8.drop { $0.isWhitespace || $0 == UInt8(ascii: "{") }
        if word.first == UInt8(ascii: ".") { word.removeFirst() }
        var name = String(decoding: word.prefix(while: isNamePart), as: UTF8.self)
        for prefix in ["language-", "lang-"] where name.hasPrefix(prefix) {
            name.removeFirst(prefix.utf8.count)
        }
        guard (1...maximumLength).contains(name.utf8.count), name != "mermaid",
            name.utf8.first.map({ !"+#._-".utf8.contains($0) }) == true
        else { return nil }
        return name
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "+#._-".utf8.contains(byte)
        }
    }
}
