/// Some neighbouring words of a search index in blocks, with their postings.
struct WordBlocks: Sendable {
    struct Block: Sendable {
        let firstWord: [UInt8]
        /// Where it begins.
        let start: Int
        /// Where its longer postings begin.
        let postings: Int
    }

    /// The blocks, one after the other, each without the place of its postings.
    private(set) var bytes: [UInt8] = []
    private(set) var blocks: [Block] = []
    /// The longer postings.
    private(set) var postings: [UInt8] = []
    private var lastWord: [UInt8] = []
    /// How words and their stems end.
    private(set) var endings = WordEndings()

    private static let blockBytes = 4096
    /// Short postings are stored with the word, which is cheaper than another request.
    private static let longestInline = 8

    /// - Parameters:
    ///   - words: some of `parts`, as positions among its words.
    ///   - pages: the number of pages of the index.
    init(
        _ words: Range<Int>,
        _ parts: WordParts,
        _ runs: RunMerge,
        pages: Int,
        language: String
    ) {
        var stems = WordStems(language: language)
        var stem: [UInt8] = []
        let letters = parts.table.bytes.span
        var levels = PageLevels(pages)
        var mixed: [UInt8] = []
        for index in words {
            let id = parts.words[index]
            let word = parts.table.range(of: id)
            stem.removeAll(keepingCapacity: true)
            stems.append(letters.extracting(word), to: &stem)
            let compounds = parts.compounds(of: id)
            if compounds.isEmpty {
                let (bytes, start) = runs.entry(of: id)
                let entry = SearchRun.entry(bytes.span, at: start)
                add(letters, word, stem, entry.count, entry.first, bytes.span, entry.rest)
            } else {
                let itself = id < runs.table.count ? id : nil
                let count = levels.take(compounds, of: itself, runs, &mixed)
                add(letters, word, stem, count, nil, mixed.span, 0..<mixed.count)
            }
        }
        endings = stems.endings
    }

    /// Adds a word with its stem, the number of its pages and its postings.
    ///
    /// - Parameter first: the first posting of a ``SearchRun``; `nil` if it is among the others, as
    ///   the file has it.
    private mutating func add(
        _ letters: Span<UInt8>,
        _ word: Range<Int>,
        _ stem: [UInt8],
        _ count: Int,
        _ first: Int?,
        _ text: Span<UInt8>,
        _ rest: Range<Int>
    ) {
        if bytes.count - (blocks.last?.start ?? -Self.blockBytes) >= Self.blockBytes {
            var firstWord: [UInt8] = []
            firstWord.append(letters, word)
            blocks.append(
                Block(firstWord: firstWord, start: bytes.count, postings: postings.count)
            )
            lastWord.removeAll(keepingCapacity: true)
        }
        var shared = 0
        while shared < min(word.count, lastWord.count),
            letters[word.lowerBound + shared] == lastWord[shared]
        {
            shared += 1
        }
        let others = word.lowerBound + shared..<word.upperBound
        bytes.append(number: shared)
        bytes.append(number: others.count)
        bytes.append(letters, others)
        lastWord.removeLast(lastWord.count - shared)
        lastWord.append(letters, others)
        bytes.append(stem.span, 0..<stem.count)
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
}
