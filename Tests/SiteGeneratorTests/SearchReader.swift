@testable import Site
@testable import SiteGenerator

/// Reads an index as browsers do, and as a test that wants to know all that is in it.
struct SearchReader {
    struct Page {
        var url = ""
        var title = ""
        var section = ""
        var description = ""
        var headings: [String] = []
        var text = 0..<0
    }

    private(set) var pages: [Page] = []
    private(set) var readers = ""
    /// Each with its pages and their levels.
    private(set) var words: [String: [Int: Int]] = [:]
    /// The stem of each word.
    private(set) var stems: [String: String] = [:]
    /// How words and their stems end.
    private(set) var endings: [(word: String, stem: String)] = []
    /// In the order of the file.
    private(set) var order: [String] = []
    private(set) var blockSizes: [Int] = []
    private(set) var chunkSizes: [Int] = []

    private struct Cursor {
        let bytes: [UInt8]
        var at: Int

        mutating func number() -> Int {
            var number = 0
            var shift = 0
            while true {
                let byte = bytes[at]
                at += 1
                number |= Int(byte & 0x7F) << shift
                if byte < 0x80 { return number }
                shift += 7
            }
        }

        mutating func take(_ count: Int) -> [UInt8] {
            defer { at += count }
            return Array(bytes[at..<at + count])
        }

        mutating func text() -> String { String(decoding: take(number()), as: UTF8.self) }

        mutating func next(after last: [UInt8]) -> [UInt8] {
            let shared = number()
            return last[..<shared] + take(number())
        }
    }

    /// `nil` where the bytes are no index.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 20, bytes.starts(with: "sgs2".utf8) else { return nil }
        let sizes = (1...4).map { part in
            (0..<4).reduce(0) { $0 | Int(bytes[4 * part + $1]) << (8 * $1) }
        }
        guard sizes.reduce(0, +) == bytes.count else { return nil }
        var head = Cursor(bytes: bytes, at: 20)
        let count = head.number()
        readers = head.text()
        let blocks = (0..<head.number()).map { _ in (first: head.text(), size: head.number()) }
        blockSizes = blocks.map(\.size)
        _ = head.number()
        chunkSizes = (0..<head.number()).map { _ in head.number() }
        endings = (0..<head.number()).map { _ in (head.text(), head.text()) }
        guard head.at == sizes[0] else { return nil }

        let lists = sizes[0] + sizes[1]
        var at = sizes[0]
        for block in blocks {
            var cursor = Cursor(bytes: bytes, at: at)
            at += block.size
            var offset = lists + cursor.number()
            var last: [UInt8] = []
            while cursor.at < at {
                let isFirst = last.isEmpty
                last = cursor.next(after: last)
                let word = String(decoding: last, as: UTF8.self)
                guard !isFirst || word == block.first else { return nil }
                let change = cursor.number()
                let more = change & 1 == 1 ? cursor.text() : ""
                stems[word] = String(decoding: last.dropLast(change >> 1), as: UTF8.self) + more
                let pages = cursor.number()
                let size = cursor.number()
                var list = Cursor(bytes: bytes, at: size > 8 ? offset : cursor.at)
                let end = list.at + size
                var page = -1
                while list.at < end {
                    let number = list.number()
                    page += number >> 4
                    words[word, default: [:]][page] = number & 15
                }
                guard words[word]?.count == pages, page < count else { return nil }
                order.append(word)
                if size > 8 { offset += size } else { cursor.at = end }
            }
        }
        at = lists + sizes[2]
        for size in chunkSizes {
            var cursor = Cursor(bytes: bytes, at: at)
            at += size
            var (url, section): ([UInt8], [UInt8]) = ([], [])
            while cursor.at < at {
                var page = Page()
                url = cursor.next(after: url)
                page.url = String(decoding: url, as: UTF8.self)
                page.title = cursor.text()
                section = cursor.next(after: section)
                page.section = String(decoding: section, as: UTF8.self)
                page.description = cursor.text()
                page.headings = (0..<cursor.number()).map { _ in
                    let id = cursor.text()
                    let text = cursor.text()
                    return text.isEmpty ? id : "\(id) \(text)"
                }
                let start = cursor.number()
                page.text = start..<start + cursor.number()
                pages.append(page)
            }
        }
        guard pages.count == count else { return nil }
    }

    /// All that a reader of the file learns.
    var text: String {
        let records = pages.map {
            "\($0.url) \($0.title) \($0.section) \($0.description) \($0.headings)"
        }
        return ([readers] + order + records).joined(separator: "\n")
    }
}
