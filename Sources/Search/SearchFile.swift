import POSIX

/// A search index as one file, which browsers read by ranges (RFC 9110, section 14).
///
///     head      "sgs2", bytes of the four parts, number of pages, readers,
///               the first word of each block of words, the bytes of each block and chunk, the
///               endings of words and of their stems
///     words     blocks of about 4 KB: each word with what it shares with the one before, its stem,
///               the number of its pages, and its postings where they are short
///     postings  those of the other words, in the same order: page - page before, level
///     pages     chunks of two: URL, title, section, description, headings, where the text stands
///
/// A browser reads the head once, then a block for each word of a query, the postings of the words
/// it needs, and the chunks of the pages it shows. Numbers are groups of seven bits, lowest first,
/// except for the first four numbers. `search-index.js` reads the file.
package struct SearchFile {
    package private(set) var bytes: [UInt8] = []

    private static let chunkPages = 2
    /// The number of pages whose words one core sorts at once.
    private static let runPages = 256

    /// Makes the index of some pages.
    ///
    /// - Parameters:
    ///   - language: of the pages, as a language tag.
    ///   - readers: the readers of the index, for display with results; empty for everybody.
    ///   - words: of the page at a position among `documents`.
    package init(
        _ documents: [SearchDocument],
        language: String,
        readers: String,
        words: @escaping @Sendable (Int) throws(SystemError) -> PageTerms
    ) async throws(SystemError) {
        let count = documents.reduce(0) { $0 + $1.wordCount }
        let score = SearchScore(words: count, pages: documents.count)
        async let usual = UsualHeadings(documents)
        let starts = Array(stride(from: 0, to: documents.count, by: Self.runPages))
        let results = await starts.concurrentMap { start in
            Result { () throws(SystemError) in
                var builder = SearchRunBuilder(score)
                for index in start..<min(start + Self.runPages, documents.count) {
                    builder.add(documents[index], try words(index))
                }
                return builder.run()
            }
        }
        var runs: [SearchRun] = []
        for result in results { runs.append(try result.get()) }
        let merge = await RunMerge(runs, firstPages: starts)
        let words = await SearchFileWords(merge, pages: documents.count, language: language)
        await self.init(documents, words, without: usual, readers: readers)
    }

    /// - Parameters:
    ///   - usual: the headings of the pages that are left out.
    ///   - readers: the readers of the index, for display with results; empty for everybody.
    private init(
        _ documents: [SearchDocument],
        _ words: SearchFileWords,
        without usual: UsualHeadings,
        readers: String
    ) {
        var usual = usual
        var pages: [UInt8] = []
        pages.reserveCapacity(128 * documents.count)
        var chunks: [Int] = []
        for start in stride(from: 0, to: documents.count, by: Self.chunkPages) {
            let size = pages.count
            let end = min(start + Self.chunkPages, documents.count)
            for index in start..<end {
                let last = index > start ? index - 1 : nil
                Self.add(documents, index, after: last, without: &usual, to: &pages)
            }
            chunks.append(pages.count - size)
        }
        var head: [UInt8] = []
        head.append(number: documents.count)
        head.append(text: readers.utf8)
        head.append(number: words.blocks)
        head += words.directory
        head.append(number: Self.chunkPages)
        head.append(number: chunks.count)
        for chunk in chunks { head.append(number: chunk) }
        head += words.endings

        let sizes = [head.count + 20, words.bytes.count, words.postings.count, pages.count]
        bytes.reserveCapacity(sizes.reduce(0, +))
        bytes += "sgs2".utf8
        for size in sizes {
            for shift in [0, 8, 16, 24] { bytes.append(UInt8(size >> shift & 0xFF)) }
        }
        bytes += head
        bytes += words.bytes
        bytes += words.postings
        bytes += pages
    }

    private static func add(
        _ documents: [SearchDocument],
        _ index: Int,
        after last: Int?,
        without usual: inout UsualHeadings,
        to chunk: inout [UInt8]
    ) {
        chunk.append(documents[index].url, after: last.map { documents[$0].url } ?? "")
        chunk.append(documents[index].title)
        chunk.append(documents[index].section, after: last.map { documents[$0].section } ?? "")
        chunk.append(documents[index].description)
        usual.append(othersOf: documents[index].headings, to: &chunk)
        chunk.append(number: documents[index].text.lowerBound)
        chunk.append(number: documents[index].text.count)
    }
}

extension [UInt8] {
    /// Appends the number of bytes that a text shares with the text before, and the other bytes.
    fileprivate mutating func append(_ text: String, after last: String) {
        let text = text.utf8.span
        let last = last.utf8.span
        var shared = 0
        while shared < Swift.min(text.count, last.count), text[shared] == last[shared] {
            shared += 1
        }
        append(number: shared)
        append(number: text.count - shared)
        append(text, shared..<text.count)
    }
}
