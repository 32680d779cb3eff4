import Stemmer

/// Writes the stem of each word of an index beside it, so that browsers need no stemmer.
///
/// A word of a question that is in no page has no stem there. Browsers find one by the endings that
/// the words of the index have: if `moved` is `move`, `-ed` may become `-e`.
struct WordStems {
    private let stemmer: Stemmer?
    private let isArabic: Bool
    private(set) var endings = WordEndings()
    private var stem: [UInt8] = []

    private static let shortestWord = 4

    init(language: String) {
        stemmer = Stemmer(language: language)
        isArabic = language.prefix { $0 != "-" }.lowercased() == "ar"
    }

    /// Appends twice the number of letters at the end that the stem does not have, one more if other
    /// letters stand there, and then those.
    mutating func append(_ word: Span<UInt8>, to bytes: inout [UInt8]) {
        guard let stemmer, word.count >= Self.shortestWord, Self.isWord(word) else {
            return bytes.append(0)
        }
        if isArabic, word[word.count - 2] == 0xD9, word[word.count - 1] == 0x87 {
            // Many nouns end in ة, which is folded to ه; Snowball knows it as an ending.
            var noun: [UInt8] = []
            noun.append(word, 0..<word.count - 2)
            noun += "ة".utf8
            stemmer.stem(noun.span, into: &stem)
        } else {
            stemmer.stem(word, into: &stem)
        }
        var shared = 0
        while shared < min(word.count, stem.count), word[shared] == stem[shared] { shared += 1 }
        // Browsers read both parts as text, so the stem is not divided within a character.
        while shared > 0, shared < stem.count, stem[shared] & 0xC0 == 0x80 { shared -= 1 }
        if shared == word.count, shared == stem.count { return bytes.append(0) }
        let more = stem[shared...]
        bytes.append(number: (word.count - shared) << 1 | (more.isEmpty ? 0 : 1))
        if !more.isEmpty { bytes.append(text: more) }
        endings.add(word, shared..<word.count, stem, shared..<stem.count)
    }

    /// Numbers and options have no other forms.
    private static func isWord(_ word: Span<UInt8>) -> Bool {
        for index in word.indices where !(word[index] >= 0x61 && word[index] <= 0x7A) {
            if word[index] < 0x80 { return false }
        }
        return true
    }
}
