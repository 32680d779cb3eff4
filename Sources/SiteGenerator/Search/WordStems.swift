import Stemmer

/// Writes the stem of each word of an index beside it, so that browsers need no stemmer.
///
/// A word of a question that is in no page has no stem there. Browsers find one by the endings that
/// the words of the index have: if `moved` is `move`, `-ed` may become `-e`.
struct WordStems {
    /// The end of a word, and what stands there in its stem.
    struct Ending: Hashable, Sendable {
        let word: [UInt8]
        let stem: [UInt8]
    }

    private let stemmer: Stemmer?
    /// With the number of words that have them.
    private(set) var endings: [Ending: Int] = [:]
    private var stem: [UInt8] = []

    private static let shortestWord = 4

    init(language: String) { stemmer = Stemmer(language: language) }

    /// Appends twice the number of letters at the end that the stem does not have, one more if other
    /// letters stand there, and then those.
    mutating func append(_ word: Span<UInt8>, to bytes: inout [UInt8]) {
        guard let stemmer, word.count >= Self.shortestWord, Self.isWord(word) else {
            return bytes.append(0)
        }
        stemmer.stem(word, into: &stem)
        var shared = 0
        while shared < min(word.count, stem.count), word[shared] == stem[shared] { shared += 1 }
        if shared == word.count, shared == stem.count { return bytes.append(0) }
        let more = stem[shared...]
        bytes.append(number: (word.count - shared) << 1 | (more.isEmpty ? 0 : 1))
        if !more.isEmpty { bytes.append(text: more) }
        var end: [UInt8] = []
        for index in shared..<word.count { end.append(word[index]) }
        endings[Ending(word: end, stem: Array(more)), default: 0] += 1
    }

    /// Numbers and options have no other forms.
    private static func isWord(_ word: Span<UInt8>) -> Bool {
        for index in word.indices where !(word[index] >= 0x61 && word[index] <= 0x7A) {
            if word[index] < 0x80 { return false }
        }
        return true
    }
}

extension [WordStems.Ending: Int] {
    /// The most frequent ones, as the head of an index has them; rarer ones are mostly chance.
    var encoded: [UInt8] {
        let usual = filter { $0.value > 1 }
            .sorted { one, other in
                if one.value != other.value { return one.value > other.value }
                return (one.key.word + [0] + one.key.stem)
                    .lexicographicallyPrecedes(other.key.word + [0] + other.key.stem)
            }
            .prefix(120)
        var bytes: [UInt8] = []
        bytes.append(number: usual.count)
        for (ending, _) in usual {
            bytes.append(text: ending.word)
            bytes.append(text: ending.stem)
        }
        return bytes
    }
}
