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
        let word = Array(table[id])
        guard word.count >= Self.shortest, word.allSatisfy({ (97...122).contains($0) }) else {
            return []
        }
        var parts: [Range<Int>] = []
        take(word, 0..<word.count, depth: 2, &parts)
        return parts
    }

    private func take(
        _ word: [UInt8],
        _ range: Range<Int>,
        depth: Int,
        _ parts: inout [Range<Int>]
    ) {
        guard depth > 0, range.count >= Self.shortest, let split = split(word, range) else {
            return
        }
        for part in split {
            parts.append(part)
            take(word, part, depth: depth - 1, &parts)
        }
    }

    /// Prefers a split with two known parts, then one with a known end: the last part names the
    /// thing.
    private func split(_ word: [UInt8], _ range: Range<Int>) -> [Range<Int>]? {
        var end: [Range<Int>]?
        var start: [Range<Int>]?
        var middle = range.lowerBound + Self.shortestPart
        while middle <= range.upperBound - Self.shortestPart {
            let last = middle..<range.upperBound
            let knowsLast = isKnown(word, last)
            for link in Self.links {
                let first = range.lowerBound..<middle - link.count
                guard first.count >= Self.shortestPart,
                    word[first.upperBound..<middle].elementsEqual(link)
                else { continue }
                let knowsFirst = isKnown(word, first)
                if knowsFirst, knowsLast { return [first, last] }
                // If only one part is known, short parts would yield 'able' and 'ment'.
                if knowsLast, last.count > 4, end == nil {
                    end = first.count > 5 ? [first, last] : [last]
                }
                // If the end is unknown, the linking letters may belong to it.
                if knowsFirst, first.count > 4, last.count > 5, start?.first ?? first == first {
                    start = (start ?? [first]) + [last]
                }
            }
            middle += 1
        }
        return end ?? start
    }

    private func isKnown(_ word: [UInt8], _ range: Range<Int>) -> Bool {
        table.id(of: word.span.extracting(range)).map { $0 < count } ?? false
    }
}
