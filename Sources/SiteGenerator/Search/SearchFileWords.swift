/// The words and postings of a search index, as its file has them.
struct SearchFileWords {
    /// The blocks of words.
    private(set) var bytes: [UInt8] = []
    private(set) var blocks = 0
    /// The longer postings.
    private(set) var postings: [UInt8] = []
    /// The first word of each block and the number of its bytes.
    private(set) var directory: [UInt8] = []

    /// Where the current block begins.
    private var block = 0
    private var firstWord: [UInt8] = []
    private var lastWord: [UInt8] = []

    private static let blockBytes = 4096
    /// Short postings are stored with the word, which is cheaper than another request.
    private static let longestInline = 8

    /// - Parameter pages: the number of pages of the index.
    init(_ runs: RunMerge, pages: Int) async {
        let parts = await WordParts(runs.table)
        let letters = parts.table.bytes.span
        postings.reserveCapacity(runs.size)
        var levels = PageLevels(pages)
        var mixed: [UInt8] = []
        var added = parts.added[...]
        for id in 0..<runs.table.count {
            let word = parts.table.range(of: id)
            while let other = added.first, parts.table.isBefore(other, id) {
                let count = levels.take(parts.compounds(of: other), of: nil, runs, &mixed)
                add(letters, parts.table.range(of: other), count, mixed.span, 0..<mixed.count)
                added.removeFirst()
            }
            let compounds = parts.compounds(of: id)
            if compounds.isEmpty {
                let (bytes, start) = runs.entry(of: id)
                let entry = SearchRun.entry(bytes.span, at: start)
                add(letters, word, entry.count, first: entry.first, bytes.span, entry.rest)
            } else {
                let count = levels.take(compounds, of: id, runs, &mixed)
                add(letters, word, count, mixed.span, 0..<mixed.count)
            }
        }
        for other in added {
            let count = levels.take(parts.compounds(of: other), of: nil, runs, &mixed)
            add(letters, parts.table.range(of: other), count, mixed.span, 0..<mixed.count)
        }
        endBlock()
    }

    /// Adds a word with the number of its pages and its postings.
    ///
    /// - Parameter first: the first posting of a ``SearchRun``; `nil` if it is among the others, as
    ///   the file has it.
    private mutating func add(
        _ letters: Span<UInt8>,
        _ word: Range<Int>,
        _ count: Int,
        first: Int? = nil,
        _ text: Span<UInt8>,
        _ rest: Range<Int>
    ) {
        if blocks == 0 || bytes.count - block >= Self.blockBytes {
            endBlock()
            blocks += 1
            block = bytes.count
            bytes.append(number: postings.count)
            firstWord.append(letters, word)
        }
        var shared = 0
        while shared < min(word.count, lastWord.count),
            letters[word.lowerBound + shared] == lastWord[shared]
        {
            shared += 1
        }
        bytes.append(number: shared)
        bytes.append(number: word.count - shared)
        bytes.append(letters, word.dropFirst(shared))
        lastWord.removeLast(lastWord.count - shared)
        lastWord.append(letters, word.dropFirst(shared))
        bytes.append(number: count)
        // The file counts from the page before the first one.
        let first = first.map { $0 + 1 << 4 }
        let size = rest.count + (first.map([UInt8].length(ofNumber:)) ?? 0)
        bytes.append(number: size)
        if size <= Self.longestInline {
            if let first { bytes.append(number: first) }
            bytes.append(text, rest)
        } else {
            if let first { postings.append(number: first) }
            postings.append(text, rest)
        }
    }

    private mutating func endBlock() {
        if blocks == 0 { return }
        directory.append(text: firstWord)
        directory.append(number: bytes.count - block)
        firstWord.removeAll()
        lastWord.removeAll()
    }
}
