/// Splits compound words, as German forms them: `reisekosten` is `reise` and `kosten`.
///
/// The only dictionary is the words of the index itself, so a part reveals nothing that the index's
/// readers may not read.
struct CompoundWords: Sendable {
    let table: TermTable
    /// The number of words that occur in the text by themselves.
    let count: Int
    /// A bit for the hash of each word that may be a part: most ranges of letters are no word, and
    /// these bits are small enough to stay close to the processor.
    private var hashes: [UInt64]

    private static let links = ["", "s", "es", "n", "en", "er", "e"].map { Array($0.utf8) }
    private static let shortest = 8
    private static let shortestPart = 4
    /// The fewest letters of an unknown beginning before a known word: in languages that do not write
    /// words together, 'trans' is no word before 'parent'.
    private let shortestStart: Int
    private static let joining: Set<Substring> = [
        "da", "de", "et", "fi", "hu", "is", "nb", "nl", "nn", "no", "sv",
    ]

    /// - Parameter language: of the words.
    init(_ table: TermTable, language: String) {
        self.table = table
        shortestStart =
            Self.joining.contains(language.lowercased().prefix { $0 != "-" })
            ? Self.shortestPart : 6
        count = table.count
        var size = 64
        while size < table.count / 4 { size *= 2 }
        hashes = [UInt64](repeating: 0, count: size)
        for id in 0..<table.count where table.range(of: id).count >= Self.shortestPart {
            let hash = table.hash(table.bytes.span, table.range(of: id))
            hashes[Int(truncatingIfNeeded: hash >> 6) & (size - 1)] |= 1 << (hash & 63)
        }
    }

    /// The parts of a word as ranges of its letters; none if it does not consist of known words.
    func parts(of id: Int) -> [Range<Int>] {
        let word = table.bytes.span.extracting(table.range(of: id))
        guard word.count >= Self.shortest, word.endOfLowercase(from: 0) == word.count else {
            return []
        }
        var parts: [Range<Int>] = []
        split(word, 0..<word.count, &parts)
        for index in parts.indices where parts[index].count >= Self.shortest {
            split(word, parts[index], &parts)
        }
        return parts
    }

    /// Prefers a split with two known parts, then one with a known end: the last part names the
    /// thing.
    private func split(_ word: Span<UInt8>, _ range: Range<Int>, _ parts: inout [Range<Int>]) {
        // Each beginning and each end is looked up once: the bit of a position says whether what
        // is before it, or behind it, is a word. Words have at most 48 letters.
        let middles = Self.shortestPart...range.count - Self.shortestPart
        var starts: UInt64 = 0
        var ends: UInt64 = 0
        for length in middles {
            let middle = range.lowerBound + length
            if isKnown(word, range.lowerBound..<middle) { starts |= 1 << UInt64(length) }
            if isKnown(word, middle..<range.upperBound) { ends |= 1 << UInt64(length) }
        }
        if starts | ends == 0 { return }
        let before = parts.count
        let links = Self.links
        var end: (first: Range<Int>?, last: Range<Int>)?
        for length in middles {
            let middle = range.lowerBound + length
            let last = middle..<range.upperBound
            let knowsLast = ends >> UInt64(length) & 1 == 1
            for link in links {
                let first = range.lowerBound..<middle - link.count
                guard first.count >= Self.shortestPart else { continue }
                let knowsFirst = starts >> UInt64(first.count) & 1 == 1
                guard knowsFirst || knowsLast, Self.stands(link, in: word, at: first.upperBound)
                else { continue }
                if knowsFirst, knowsLast {
                    parts.removeLast(parts.count - before)
                    parts.append(first)
                    parts.append(last)
                    return
                }
                // If only one part is known, short parts would yield 'able' and 'ment'.
                if knowsLast, last.count > 4, end == nil, first.count >= shortestStart {
                    end = (first.count > 5 ? first : nil, last)
                }
                // If the end is unknown, the linking letters may belong to it.
                if knowsFirst, first.count > 4, last.count > 5,
                    parts.count == before || parts[before] == first
                {
                    if parts.count == before { parts.append(first) }
                    parts.append(last)
                }
            }
        }
        guard let end else { return }
        parts.removeLast(parts.count - before)
        if let first = end.first { parts.append(first) }
        parts.append(end.last)
    }

    private static func stands(_ link: [UInt8], in word: Span<UInt8>, at start: Int) -> Bool {
        for offset in link.indices where word[start + offset] != link[offset] { return false }
        return true
    }

    private func isKnown(_ word: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let hash = table.hash(word, range)
        let bits = hashes[Int(truncatingIfNeeded: hash >> 6) & (hashes.count - 1)]
        guard bits >> (hash & 63) & 1 == 1 else { return false }
        return table.id(of: word, range).map { $0 < count } ?? false
    }
}
