/// A search index as one file, which browsers read by ranges (RFC 9110, section 14).
///
///     head      "sgs1", bytes of the four parts, number of pages, readers,
///               the first word of each block of words, the bytes of each block and chunk
///     words     blocks of about 4 KB: each word with what it shares with the one before, the number
///               of its pages, and its postings where they are short
///     postings  those of the other words, in the same order: page - page before, level
///     pages     chunks of eight: URL, title, section, description, where the text stands
///
/// A browser reads the head once, then a block for each word of a query, the postings of the words
/// it needs, and the chunks of the pages it shows. Numbers are groups of seven bits, lowest first,
/// except for the first four numbers. `search-index.js` reads the file.
struct SearchFile {
    private(set) var bytes: [UInt8] = []

    private static let blockBytes = 4096
    private static let chunkPages = 8
    /// Short postings are stored with the word, which is cheaper than another request.
    private static let longestInline = 8

    /// - Parameter readers: the readers of the index, for display with results; empty for
    ///   everybody.
    init(_ documents: [SearchDocument], _ postings: SearchPostings, readers: String) {
        let table = postings.table
        let words = (0..<table.count).sorted { table[$0].lexicographicallyPrecedes(table[$1]) }
        var blocks = FrontCodedBlocks()
        var lists: [UInt8] = []
        for id in words {
            let list = postings[id]
            if blocks.isEmpty || blocks.size >= Self.blockBytes {
                blocks.start(with: table[id], at: lists.count)
            }
            blocks.append(word: table[id])
            blocks.append(number: list.count)
            let coded = Self.coded(list)
            blocks.append(number: coded.count)
            if coded.count <= Self.longestInline {
                blocks.append(bytes: coded)
            } else {
                lists += coded
            }
        }
        let chunks = Self.chunks(documents)
        var head: [UInt8] = []
        head.append(number: documents.count)
        head.append(text: readers.utf8)
        head.append(number: blocks.blocks.count)
        for block in blocks.blocks {
            head.append(text: block.first)
            head.append(number: block.bytes.count)
        }
        head.append(number: Self.chunkPages)
        head.append(number: chunks.count)
        for chunk in chunks { head.append(number: chunk.count) }

        let coded = blocks.blocks.reduce(0) { $0 + $1.bytes.count }
        let pages = chunks.reduce(0) { $0 + $1.count }
        bytes.reserveCapacity(20 + head.count + coded + lists.count + pages)
        bytes += "sgs1".utf8
        for count in [head.count + 20, coded, lists.count, pages] {
            for shift in [0, 8, 16, 24] { bytes.append(UInt8(count >> shift & 0xFF)) }
        }
        bytes += head
        for block in blocks.blocks { bytes += block.bytes }
        bytes += lists
        for chunk in chunks { bytes += chunk }
    }

    private static func coded(_ list: ArraySlice<SearchPostings.Posting>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * list.count)
        var last = -1
        for posting in list {
            bytes.append(number: (posting.page - last) << 4 | Int(posting.level))
            last = posting.page
        }
        return bytes
    }

    private static func chunks(_ documents: [SearchDocument]) -> [[UInt8]] {
        stride(from: 0, to: documents.count, by: chunkPages).map { start in
            var chunk: [UInt8] = []
            var url: [UInt8] = []
            var section: [UInt8] = []
            for document in documents[start..<min(start + chunkPages, documents.count)] {
                chunk.append(frontCoded: Array(document.page.url.utf8), after: url)
                chunk.append(text: document.page.title.utf8)
                chunk.append(frontCoded: Array(document.section.utf8), after: section)
                chunk.append(text: Self.description(document).utf8)
                chunk.append(number: document.text.lowerBound)
                chunk.append(number: document.text.count)
                url = Array(document.page.url.utf8)
                section = Array(document.section.utf8)
            }
            return chunk
        }
    }

    /// The description, shortened to what a result shows.
    private static func description(_ document: SearchDocument) -> String {
        let text = document.page.description ?? ""
        return text.utf8.count <= 160 ? text : text.prefix(150) + "…"
    }
}

/// Sorted words in blocks that can be read independently.
private struct FrontCodedBlocks {
    private(set) var blocks: [(first: [UInt8], bytes: [UInt8])] = []
    private var last: [UInt8] = []

    var isEmpty: Bool { blocks.isEmpty }
    var size: Int { blocks.last?.bytes.count ?? 0 }

    mutating func start(with word: ArraySlice<UInt8>, at offset: Int) {
        blocks.append((Array(word), []))
        append(number: offset)
        last = []
    }

    mutating func append(word: ArraySlice<UInt8>) {
        blocks[blocks.count - 1].bytes.append(frontCoded: Array(word), after: last)
        last = Array(word)
    }

    mutating func append(number: Int) { blocks[blocks.count - 1].bytes.append(number: number) }

    mutating func append(bytes: [UInt8]) { blocks[blocks.count - 1].bytes += bytes }
}

extension [UInt8] {
    /// Appends the number of bytes that a text shares with the text before, and the other bytes.
    fileprivate mutating func append(frontCoded text: [UInt8], after last: [UInt8]) {
        let shared = zip(text, last).prefix { $0 == $1 }.count
        append(number: shared)
        append(text: text[shared...])
    }
}
