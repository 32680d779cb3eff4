/// The stems of an index's words as an earlier build found them: a changed page costs only the
/// stems of its new words.
///
///     word      its length, its letters, its stem as the file of the index has it
///
/// The words are in the order of their letters.
struct KeptStems: Sendable {
    let bytes: [UInt8]
    /// Where the stem of each word begins in `bytes`; `none` for a new word.
    private let starts: [UInt32]
    /// Whether so many words are new that the stems of all should be kept again.
    let isOutdated: Bool

    private static let none = UInt32.max

    /// - Parameters:
    ///   - bytes: empty for a first build.
    ///   - words: those of the index, in the order of their letters.
    init(_ bytes: [UInt8], for words: [Int], in table: TermTable) {
        let kept = bytes.span
        let letters = table.bytes.span
        var starts: [UInt32] = []
        starts.reserveCapacity(words.count)
        var position = 0
        var found = 0
        for id in words {
            let word = table.range(of: id)
            var start = Self.none
            while position < kept.count {
                let other = SearchRun.word(kept, at: position)
                let order = kept.order(of: other, to: word, in: letters)
                if order > 0 { break }
                position = WordStems.end(kept, at: other.upperBound)
                if order < 0 { continue }
                if position <= kept.count { start = UInt32(other.upperBound) }
                break
            }
            if start != Self.none { found += 1 }
            starts.append(start)
        }
        self.bytes = bytes
        self.starts = starts
        isOutdated = 16 * (words.count - found) > words.count
    }

    /// Where the stem of a word begins in `bytes`; `nil` if it is not known.
    ///
    /// - Parameter index: among the words of the index.
    func start(at index: Int) -> Int? {
        starts[index] == Self.none ? nil : Int(starts[index])
    }
}
