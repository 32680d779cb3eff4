import Bytes

/// The tag of a language (BCP 47).
package enum LanguageTag {
    /// Whether the text has the shape of a language tag (RFC 5646, "ABNF"): the code of a language,
    /// which has two or three letters, then subtags.
    package static func isValid(_ text: String) -> Bool {
        let subtags = text.utf8.split(
            separator: UInt8(ascii: "-"),
            omittingEmptySubsequences: false
        )
        guard let code = subtags.first, (2...3).contains(code.count) else { return false }
        return code.allSatisfy(\.isLetter)
            && subtags.dropFirst().allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit)
            }
    }

    package static func mistake(_ key: String, _ tag: String) -> String {
        "'\(key)' is '\(tag)'; it must be a language tag such as 'de-DE'"
    }

    /// The code of the language alone, in lower case.
    package static func code(of tag: String) -> String {
        tag.prefix { $0 != "-" }.lowercased()
    }
}
