/// The ends of words and what stands there in their stems, with the number of words that have them.
struct WordEndings: Sendable {
    /// Each as the head of an index has it.
    private var table = TermTable(expecting: 64)
    private var counts: [Int] = []
    private var text: [UInt8] = []

    private static let most = 120

    /// Counts a word.
    mutating func add(
        _ word: Span<UInt8>,
        _ end: Range<Int>,
        _ stem: [UInt8],
        _ endOfStem: Range<Int>
    ) {
        text.removeAll(keepingCapacity: true)
        text.append(number: end.count)
        text.append(word, end)
        text.append(number: endOfStem.count)
        text.append(stem.span, endOfStem)
        let ending = text
        count(table.add(ending.span, 0..<ending.count), 1)
    }

    private mutating func count(_ id: Int, _ words: Int) {
        if id == counts.count { counts.append(0) }
        counts[id] += words
    }

    mutating func add(_ others: WordEndings) {
        for id in 0..<others.table.count {
            let ending = others.table.range(of: id)
            count(table.add(others.table.bytes.span, ending), others.counts[id])
        }
    }

    /// The most frequent ones, as the head of an index has them; rarer ones are mostly chance.
    var encoded: [UInt8] {
        let usual = table.sorted(0..<table.count).filter { counts[$0] > 1 }.enumerated()
            .sorted { (-counts[$0.element], $0.offset) < (-counts[$1.element], $1.offset) }
            .prefix(Self.most)
        var bytes: [UInt8] = []
        bytes.append(number: usual.count)
        for ending in usual { bytes += table[ending.element] }
        return bytes
    }
}
