/// The direction in which a language is written, for the `dir` attribute.
enum TextDirection: String, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"

    /// - Parameter tag: BCP 47, such as `he` or `az-Arab-IR`; a script that it names decides.
    init(ofLanguage tag: String) {
        let subtags = tag.lowercased().split(separator: "-").map(String.init)
        // RFC 5646, section 2.2.3: four letters, behind the language.
        let script = subtags.dropFirst().first { $0.utf8.count == 4 && $0.allSatisfy(\.isLetter) }
        let isRightToLeft =
            script.map(Self.scripts.contains)
            ?? subtags.first.map(Self.languages.contains) ?? false
        self = isRightToLeft ? .rightToLeft : .leftToRight
    }

    private static let scripts: Set = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"]

    /// Those that are mostly written so (CLDR, likely subtags).
    private static let languages: Set = [
        "ar", "arc", "azb", "bal", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "khw", "ks", "lrc",
        "mzn", "nqo", "pnb", "prs", "ps", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
    ]
}
