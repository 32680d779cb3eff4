/// Makes the run of some pages: takes their words page by page, then sorts them.
struct SearchRunBuilder {
    private var table = TermTable(expecting: 8192)
    /// The numbers of words and their levels, page by page.
    private var entries: [UInt32] = []
    /// Where the entries of each page end.
    private var ends: [Int] = []
    private let score: SearchScore
    /// What title, tags, description and links add to the words of the current page.
    private var named: [Double] = []
    /// The words that they have.
    private var open: [Int] = []
    private var title = WordScanner(DistinctWords())
    private var about = WordScanner(DistinctWords())
    /// The levels of the words of the current page, by their weight; 0xFF where it is not known.
    private var levels = [UInt8](repeating: 0xFF, count: 256)

    private struct DistinctWords: WordSink {
        var table = TermTable(expecting: 16)

        mutating func take(_ text: Span<UInt8>, _ word: Range<Int>) { _ = table.add(text, word) }
    }

    init(_ score: SearchScore) { self.score = score }

    /// Counts each of these words for the current page.
    private mutating func name(_ words: TermTable, _ value: Double) {
        for id in 0..<words.count {
            name(table.add(words.bytes.span, words.range(of: id)), value)
        }
    }

    private mutating func name(_ id: Int, _ value: Double) {
        while named.count <= id { named.append(0) }
        if named[id] == 0 { open.append(id) }
        named[id] += value
    }

    /// Counts the words of links to the current page.
    private mutating func name(_ links: [[UInt8]]) {
        var counts: [Int: Int] = [:]
        for html in links {
            PageTerms(html).forEach { text, word, _ in
                let id = table.add(text, word)
                let count = counts[id, default: 0]
                counts[id] = count + 1
                let more = SearchScore.linked(by: count + 1) - SearchScore.linked(by: count)
                name(id, more)
            }
        }
    }

    mutating func add(_ document: SearchDocument, _ terms: PageTerms) {
        title.sink.table.removeAll()
        title.scan(document.title)
        name(title.sink.table, SearchScore.title(of: title.sink.table.count))
        about.sink.table.removeAll()
        for text in document.names { about.scan(text) }
        name(about.sink.table, SearchScore.about)
        name(document.links)
        for index in levels.indices { levels[index] = 0xFF }
        let length = terms.length
        terms.forEach { text, word, weight in
            let id = table.add(text, word)
            entries.append(UInt32(id) << 4 | UInt32(level(id, weight, length)))
        }
        for id in open where named[id] > 0 {
            entries.append(UInt32(id) << 4 | UInt32(SearchScore.level(named[id])))
            named[id] = 0
        }
        open.removeAll(keepingCapacity: true)
        ends.append(entries.count)
    }

    private mutating func level(_ id: Int, _ weight: PageTerms.Weight, _ length: Int) -> UInt8 {
        if id < named.count, named[id] > 0 {
            let value = score.text(weight, length: length) + named[id]
            named[id] = 0
            return SearchScore.level(value)
        }
        guard weight.packed < levels.count else {
            return SearchScore.level(score.text(weight, length: length))
        }
        if levels[weight.packed] == 0xFF {
            levels[weight.packed] = SearchScore.level(score.text(weight, length: length))
        }
        return levels[weight.packed]
    }

    /// The run of the pages.
    func run() -> SearchRun {
        // Grouped by word; within a word in the order of the pages.
        var starts = [UInt32](repeating: 0, count: table.count + 1)
        for entry in entries { starts[Int(entry >> 4) + 1] += 1 }
        for id in 0..<table.count { starts[id + 1] += starts[id] }
        var postings = [UInt32](repeating: 0, count: entries.count)
        var next = starts
        var start = 0
        for (page, end) in ends.enumerated() {
            for index in start..<end {
                let id = Int(entries[index] >> 4)
                postings[Int(next[id])] = UInt32(page) << 4 | entries[index] & 15
                next[id] += 1
            }
            start = end
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(table.bytes.count + 6 * table.count + 2 * entries.count)
        var ends = [Int](repeating: 0, count: SearchRun.partCount)
        var rest: [UInt8] = []
        let letters = table.bytes.span
        for id in table.sorted(0..<table.count) {
            let word = table.range(of: id)
            let list = Int(starts[id])..<Int(starts[id + 1])
            rest.removeAll(keepingCapacity: true)
            var last = postings[list.lowerBound] >> 4
            for index in list.dropFirst() {
                rest.append(number: Int(postings[index] - last << 4))
                last = postings[index] >> 4
            }
            bytes.append(UInt8(word.count))
            bytes.append(letters, word)
            bytes.append(number: list.count)
            bytes.append(number: Int(postings[list.lowerBound]))
            if list.count > 1 {
                bytes.append(number: Int(last))
                bytes.append(number: rest.count)
                bytes += rest
            }
            ends[SearchRun.part(of: letters[word.lowerBound])] = bytes.count
        }
        return SearchRun(bytes: bytes, ends: ends)
    }
}
