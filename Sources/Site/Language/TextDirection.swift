/// The writing direction of a language, for the `dir` attribute.
package enum TextDirection: String, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"

    /// - Parameter tag: a BCP 47 tag, such as `he` or `az-Arab-IR`. If it contains a script, the
    ///   script decides.
    package init(ofLanguage tag: String) {
        let subtags = tag.lowercased().split(separator: "-").map(String.init)
        // RFC 5646, section 2.2.3: a script has four letters, after the language.
        let script = subtags.dropFirst().first { $0.utf8.count == 4 && $0.allSatisfy(\.isLetter) }
        let isRightToLeft =
            script.map(Self.scripts.contains)
            ?? subtags.first.map(Self.languages.contains) ?? false
        self = isRightToLeft ? .rightToLeft : .leftToRight
    }

    private static let scripts: Set = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"]

    /// Languages that are mostly written from right to left (CLDR, likely subtags).
    private static let languages: Set = [
        "ar", "arc", "azb", "bal", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "khw", "ks", "lrc",
        "mzn", "nqo", "pnb", "prs", "ps", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
    ]
}
