import POSIX

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

    /// The number of words that one core writes at once; a block ends with them.
    private static let wordsAtOnce = 4096

    /// - Parameters:
    ///   - pages: the number of pages of the index.
    ///   - language: of the words.
    init(_ runs: RunMerge, pages: Int, language: String) async {
        let parts = await WordParts(runs.table, language: language)
        let count = parts.words.count
        let pieces = await stride(from: 0, to: count, by: Self.wordsAtOnce)
            .map { $0..<min($0 + Self.wordsAtOnce, count) }
            .concurrentMap { WordBlocks($0, parts, runs, pages: pages, language: language) }
        bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.bytes.count + 8 * $1.blocks.count })
        postings.reserveCapacity(pieces.reduce(0) { $0 + $1.postings.count })
        for piece in pieces { add(piece) }
        endings = pieces.reduce(into: WordEndings()) { $0.add($1.endings) }.encoded
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
