/// The words and postings of a search index, as its file has them.
struct SearchFileWords {
    /// The blocks of words.
    private(set) var bytes: [UInt8] = []
    private(set) var blocks = 0
    /// The longer postings.
    private(set) var postings: [UInt8] = []
    /// The first word of each block and the number of its bytes.
    private(set) var directory: [UInt8] = []
    /// How words and their stems end, encoded.
    private(set) var endings: [UInt8] = []
    /// The stems of the words, as ``KeptStems`` has them; empty if they are not to be kept.
    private(set) var stems: [UInt8] = []

    /// The number of words that one core writes at once; a block ends with them.
    private static let wordsAtOnce = 4096

    /// - Parameters:
    ///   - pages: the number of pages of the index.
    ///   - language: of the words.
    ///   - stems: of an earlier build's words in this language; empty if there are none.
    init(_ runs: RunMerge, pages: Int, language: String, stems: [UInt8] = []) async {
        let parts = await WordParts(runs.table)
        let kept = KeptStems(stems, for: parts.words, in: parts.table)
        let count = parts.words.count
        let pieces = await stride(from: 0, to: count, by: Self.wordsAtOnce)
            .map { $0..<min($0 + Self.wordsAtOnce, count) }
            .concurrentMap { WordBlocks($0, parts, runs, kept, pages: pages, language: language) }
        bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.bytes.count + 8 * $1.blocks.count })
        postings.reserveCapacity(pieces.reduce(0) { $0 + $1.postings.count })
        for piece in pieces { add(piece) }
        endings = pieces.reduce(into: WordEndings()) { $0.add($1.endings) }.encoded
        self.stems = pieces.flatMap(\.stems)
    }

    private mutating func add(_ piece: WordBlocks) {
        for (index, block) in piece.blocks.enumerated() {
            let end =
                index + 1 < piece.blocks.count
                ? piece.blocks[index + 1].start : piece.bytes.count
            let start = bytes.count
            bytes.append(number: postings.count + block.postings)
            bytes += piece.bytes[block.start..<end]
            directory.append(text: block.firstWord)
            directory.append(number: bytes.count - start)
        }
        blocks += piece.blocks.count
        postings += piece.postings
    }
}
