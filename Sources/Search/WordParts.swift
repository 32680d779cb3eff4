import POSIX

/// The words of an index that are parts of compounds, each with these compounds.
struct WordParts: Sendable {
    /// The words of the pages, in their order, then those that are only parts of compounds.
    let table: TermTable
    /// All words in the order of their letters.
    let words: [Int]
    /// The compounds of each word, one list after the other.
    private let compounds: [Int]
    private let starts: [Int]

    /// - Parameters:
    ///   - words: all words of the pages, in the order of their letters.
    ///   - language: of the words.
    init(_ words: TermTable, language: String) async {
        let splitter = CompoundWords(words, language: language)
        let count = words.count
        let ranges = stride(from: 0, to: count, by: 4096).map { $0..<min($0 + 4096, count) }
        let found = await ranges.concurrentMap { ids in
            ids.flatMap { id in splitter.parts(of: id).map { (compound: id, letters: $0) } }
        }
        var table = words
        var pairs: [(part: Int, compound: Int)] = []
        for (compound, letters) in found.joined() {
            let start = words.range(of: compound).lowerBound
            let part = start + letters.lowerBound..<start + letters.upperBound
            pairs.append((table.add(words.bytes.span, part), compound))
        }
        var starts = [Int](repeating: 0, count: table.count + 1)
        for pair in pairs { starts[pair.part + 1] += 1 }
        for id in 0..<table.count { starts[id + 1] += starts[id] }
        var compounds = [Int](repeating: 0, count: pairs.count)
        var next = starts
        for pair in pairs {
            compounds[next[pair.part]] = pair.compound
            next[pair.part] += 1
        }
        self.table = table
        self.words = Self.words(table, table.sorted(count..<table.count))
        self.compounds = compounds
        self.starts = starts
    }

    /// Puts words that are only parts of compounds, in their order, between those of the pages.
    private static func words(_ table: TermTable, _ added: [Int]) -> [Int] {
        var words: [Int] = []
        words.reserveCapacity(table.count)
        var added = added[...]
        for id in 0..<table.count - added.count {
            while let other = added.first, table.isBefore(other, id) {
                words.append(other)
                added.removeFirst()
            }
            words.append(id)
        }
        return words + added
    }

    /// The compounds with a word as a part.
    func compounds(of word: Int) -> ArraySlice<Int> { compounds[starts[word]..<starts[word + 1]] }
}
