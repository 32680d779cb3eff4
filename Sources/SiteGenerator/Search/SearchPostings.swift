/// The words of an index, each with its pages and its level there.
struct SearchPostings: Sendable {
    /// All words, with the parts of compounds.
    let table: TermTable
    /// The postings of the words in the pages, grouped by word, in the order of the pages.
    private let postings: [Posting]
    private let starts: [Int]
    /// The postings of words that are parts of compounds.
    private let mixed: [Int: [Posting]]

    /// A page's number and a level.
    struct Posting: Sendable {
        let packed: UInt32

        init(page: Int, level: UInt8) { packed = UInt32(page) << 4 | UInt32(level) }

        var page: Int { Int(packed >> 4) }
        var level: UInt8 { UInt8(packed & 15) }
    }

    subscript(id: Int) -> ArraySlice<Posting> {
        if let mixed = mixed[id] { return mixed[...] }
        return id + 1 < starts.count ? postings[starts[id]..<starts[id + 1]] : []
    }

    init(_ documents: [SearchDocument]) async {
        let lengths = documents.reduce(0) { $0 + $1.words.length }
        let score = SearchScore(
            averageLength: Double(lengths) / Double(max(1, documents.count))
        )
        // Pieces are merged in the order of the pages, so their number does not change the result.
        let size = max(500, (documents.count + 7) / 8)
        let ranges = stride(from: 0, to: documents.count, by: size).map {
            $0..<min($0 + size, documents.count)
        }
        let pieces = await ranges.concurrentMap { Piece(documents, $0, score) }
        var table = TermTable(expecting: 4 * (pieces.first?.table.count ?? 0))
        var ids: [[Int]] = []
        for piece in pieces {
            ids.append(
                (0..<piece.table.count).map { table.add(piece.table[$0].span) }
            )
        }
        var starts = [Int](repeating: 0, count: table.count + 1)
        for (piece, ids) in zip(pieces, ids) {
            for entry in piece.entries { starts[ids[entry.word] + 1] += 1 }
        }
        for id in 0..<table.count { starts[id + 1] += starts[id] }
        var postings = [Posting](
            repeating: Posting(page: 0, level: 0),
            count: starts[table.count]
        )
        var ends = starts
        for (piece, ids) in zip(pieces, ids) {
            for page in piece.pages {
                for entry in piece.entries[page.entries] {
                    let id = ids[entry.word]
                    postings[ends[id]] = Posting(page: page.number, level: entry.level)
                    ends[id] += 1
                }
            }
        }
        self.postings = postings
        self.starts = starts
        (self.table, mixed) = await Self.withParts(table, postings, starts)
    }

    /// Adds the pages of compounds to the postings of their parts.
    private static func withParts(
        _ words: TermTable,
        _ postings: [Posting],
        _ starts: [Int]
    ) async -> (TermTable, [Int: [Posting]]) {
        let compounds = CompoundWords(table: words, count: words.count)
        let parts = await Array(0..<words.count).concurrentMap(compounds.parts)
        var table = words
        var sources: [Int: [Int]] = [:]
        for (id, parts) in parts.enumerated() {
            for part in parts {
                let word = Array(words[id])
                sources[table.add(word.span.extracting(part)), default: []].append(id)
            }
        }
        let mixed = sources.map { part, sources in
            var list =
                part < words.count ? Array(postings[starts[part]..<starts[part + 1]]) : []
            for source in sources {
                for posting in postings[starts[source]..<starts[source + 1]] {
                    let level = posting.level - min(posting.level, SearchScore.partLevels)
                    list.append(Posting(page: posting.page, level: level))
                }
            }
            // Keeps the highest level for each page.
            list.sort { ($0.page, $1.level) < ($1.page, $0.level) }
            var last = -1
            list.removeAll { posting in
                defer { last = posting.page }
                return posting.page == last
            }
            return (part, list)
        }
        return (table, Dictionary(uniqueKeysWithValues: mixed))
    }

    /// The words of a range of pages.
    private struct Piece: Sendable {
        /// A word's number and its level, packed because there are millions.
        struct Entry: Sendable {
            let packed: UInt32

            init(word: Int, level: UInt8) { packed = UInt32(word) << 4 | UInt32(level) }

            var word: Int { Int(packed >> 4) }
            var level: UInt8 { UInt8(packed & 15) }
        }

        private(set) var table = TermTable(expecting: 16384)
        /// The entries of a page are adjacent.
        private(set) var entries: [Entry] = []
        private(set) var pages: [(number: Int, entries: Range<Int>)] = []

        init(_ documents: [SearchDocument], _ range: Range<Int>, _ score: SearchScore) {
            // What title, tags and description add to the words of the current page.
            var named: [Double] = []
            // A word takes about ten bytes there.
            entries.reserveCapacity(range.reduce(0) { $0 + documents[$1].words.bytes.count / 8 })
            for index in range {
                let document = documents[index]
                let start = entries.count
                var open: [Int] = []
                func name(_ word: Span<UInt8>, _ value: Double) {
                    let id = table.add(word)
                    while named.count <= id { named.append(0) }
                    if named[id] == 0 { open.append(id) }
                    named[id] += value
                }
                let names = document.scanNames()
                for id in 0..<names.title.count {
                    name(names.title[id].span, SearchScore.title(of: names.title.count))
                }
                for id in 0..<names.about.count { name(names.about[id].span, SearchScore.about) }
                let length = document.words.length
                document.words.forEach { word, weight in
                    let id = table.add(word)
                    var value = score.text(weight, length: length)
                    if id < named.count, named[id] > 0 {
                        value += named[id]
                        named[id] = 0
                    }
                    let level = SearchScore.level(value)
                    entries.append(Entry(word: id, level: level))
                }
                for id in open where named[id] > 0 {
                    let level = SearchScore.level(named[id])
                    entries.append(Entry(word: id, level: level))
                    named[id] = 0
                }
                pages.append((index, start..<entries.count))
            }
        }
    }
}
