import Markdown
import Settings

extension SiteConfiguration {
    public enum SignInLanguage: String, Sendable, CaseIterable {
        /// That of the site.
        case site
        /// The one that the reader's browser prefers of those that sitegen has, otherwise that of
        /// the site.
        case browser
    }

    /// Sets what the interface says, and what pages say that are not their authors' words.
    package mutating func use(_ texts: InterfaceTexts) {
        self.texts = texts
        markdown.texts = MarkdownOptions.ownTexts.map { .init(english: $0, text: texts[$0]) }
    }

    mutating func readLanguage(_ root: SettingsTable) {
        signInLanguage = Self.oneOf(SignInLanguage.self, "sign_in_language", root) ?? signInLanguage
        guard let tag = root.string("language") else { return }
        if Self.isLanguageTag(tag) { return language = tag }
        let message = "'language' is '\(tag)'; it must be a language tag such as 'de-DE'"
        root.report(message, at: "language")
    }

    /// Whether the text has the shape of a language tag (RFC 5646, "ABNF"): the code of a language,
    /// which has two or three letters, then subtags.
    static func isLanguageTag(_ text: String) -> Bool {
        let subtags = text.utf8.split(
            separator: UInt8(ascii: "-"),
            omittingEmptySubsequences: false
        )
        guard let code = subtags.first, (2...3).contains(code.count) else { return false }
        let isLetter = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        return code.allSatisfy(isLetter)
            && subtags.dropFirst().allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) }
            }
    }
}
