/// Splits compound words, as German forms them: `reisekosten` is `reise` and `kosten`.
///
/// The only dictionary is the words of the index itself, so a part reveals nothing that the index's
/// readers may not read.
struct CompoundWords: Sendable {
    let table: TermTable
    /// The number of words that occur in the text by themselves.
    let count: Int

    private static let links = ["", "s", "es", "n", "en", "er", "e"].map { Array($0.utf8) }
    private static let shortest = 8
    private static let shortestPart = 4

    /// The parts of a word as ranges of its letters; none if it does not consist of known words.
    func parts(of id: Int) -> [Range<Int>] {
        let range = table.range(of: id)
        let word = table.bytes.span.extracting(range)
        guard word.count >= Self.shortest, word.endOfLowercase(from: 0) == word.count else {
            return []
        }
        var parts: [Range<Int>] = []
        take(word, 0..<word.count, depth: 2, &parts)
        return parts
    }

    private func take(
        _ word: Span<UInt8>,
        _ range: Range<Int>,
        depth: Int,
        _ parts: inout [Range<Int>]
    ) {
        guard depth > 0, range.count >= Self.shortest else { return }
        for part in split(word, range) {
            parts.append(part)
            take(word, part, depth: depth - 1, &parts)
        }
    }

    /// Prefers a split with two known parts, then one with a known end: the last part names the
    /// thing.
    private func split(_ word: Span<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
        // Each beginning and each end is looked up once: the bit of a position says whether what
        // is before it, or behind it, is a word. Words have at most 48 letters.
        var starts: UInt64 = 0
        var ends: UInt64 = 0
        for length in Self.shortestPart...range.count - Self.shortestPart {
            let middle = range.lowerBound + length
            if isKnown(word, range.lowerBound..<middle) { starts |= 1 << UInt64(length) }
            if isKnown(word, middle..<range.upperBound) { ends |= 1 << UInt64(length) }
        }
        if starts | ends == 0 { return [] }
        var end: [Range<Int>] = []
        var start: [Range<Int>] = []
        for length in Self.shortestPart...range.count - Self.shortestPart {
            let middle = range.lowerBound + length
            let last = middle..<range.upperBound
            let knowsLast = ends >> UInt64(length) & 1 == 1
            for link in Self.links {
                let first = range.lowerBound..<middle - link.count
                guard first.count >= Self.shortestPart,
                    Self.stands(link, in: word, at: first.upperBound)
                else { continue }
                let knowsFirst = starts >> UInt64(first.count) & 1 == 1
                if knowsFirst, knowsLast { return [first, last] }
                // If only one part is known, short parts would yield 'able' and 'ment'.
                if knowsLast, last.count > 4, end.isEmpty {
                    end = first.count > 5 ? [first, last] : [last]
                }
                // If the end is unknown, the linking letters may belong to it.
                if knowsFirst, first.count > 4, last.count > 5, start.first ?? first == first {
                    start = (start.isEmpty ? [first] : start) + [last]
                }
            }
        }
        return end.isEmpty ? start : end
    }

    private static func stands(_ link: [UInt8], in word: Span<UInt8>, at start: Int) -> Bool {
        for offset in link.indices where word[start + offset] != link[offset] { return false }
        return true
    }

    private func isKnown(_ word: Span<UInt8>, _ range: Range<Int>) -> Bool {
        table.id(of: word, range).map { $0 < count } ?? false
    }
}
