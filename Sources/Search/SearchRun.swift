/// The words of some neighbouring pages of an index, sorted, each with its postings as the index
/// will have them.
///
///     word      its length, its letters, the number of its pages
///               the first page and its level; if there are more, the last page, and
///               how many bytes follow: page - page before, level
///
/// Pages are counted from the first one of the run, so a run depends on its pages and on nothing
/// before them. Words are parted by their first letter, so that several cores can merge runs.
struct SearchRun: Sendable {
    let bytes: [UInt8]
    /// The ranges of the parts.
    let parts: [Range<Int>]

    static let partCount = 16

    /// A word and its postings.
    struct Entry {
        let word: Range<Int>
        /// The number of pages.
        var count: Int
        /// The first page and its level.
        var first: Int
        /// The last page.
        var last: Int
        /// The other postings.
        var rest: Range<Int>
        /// Where the next entry is.
        let end: Int
    }

    /// - Parameter ends: where each part ends; 0 for one without words.
    init(bytes: [UInt8], ends: [Int]) {
        var start = 0
        var parts: [Range<Int>] = []
        for end in ends {
            parts.append(start..<max(start, end))
            start = max(start, end)
        }
        self.bytes = bytes
        self.parts = parts
    }

    /// The part of words that begin with a byte, in the order of the bytes.
    ///
    /// A word and its prefixes are in one part.
    static func part(of first: UInt8) -> Int {
        switch first {
        case ..<UInt8(ascii: "a"): 0
        case UInt8(ascii: "a")...UInt8(ascii: "b"): 1
        case UInt8(ascii: "c")...UInt8(ascii: "d"): 2
        case UInt8(ascii: "e")...UInt8(ascii: "f"): 3
        case UInt8(ascii: "g")...UInt8(ascii: "h"): 4
        case UInt8(ascii: "i")...UInt8(ascii: "k"): 5
        case UInt8(ascii: "l")...UInt8(ascii: "m"): 6
        case UInt8(ascii: "n")...UInt8(ascii: "o"): 7
        case UInt8(ascii: "p")...UInt8(ascii: "r"): 8
        case UInt8(ascii: "s"): 9
        case UInt8(ascii: "t"): 10
        case UInt8(ascii: "u")...UInt8(ascii: "w"): 11
        case ..<0x80: 12
        // Greek, and half of Cyrillic.
        case ..<0xD1: 13
        case ..<0xE4: 14
        default: 15
        }
    }

    /// The letters of an entry.
    @inline(__always)
    static func word(_ bytes: Span<UInt8>, at start: Int) -> Range<Int> {
        start + 1..<min(start + 1 + Int(bytes[start]), bytes.count)
    }

    /// Reads an entry.
    @inline(__always)
    static func entry(_ bytes: Span<UInt8>, at start: Int) -> Entry {
        let word = word(bytes, at: start)
        var position = word.upperBound
        let count = bytes.number(&position)
        let first = bytes.number(&position)
        var last = first >> 4
        var rest = position..<position
        if count > 1 {
            last = bytes.number(&position)
            let size = bytes.number(&position)
            rest = position..<min(position + size, bytes.count)
        }
        return Entry(
            word: word,
            count: count,
            first: first,
            last: last,
            rest: rest,
            end: rest.upperBound
        )
    }
}
