import POSIX

/// Merges runs of neighbouring pages into one list of words.
///
/// Postings are copied as bytes: only the first one of each run is written anew, because it counts
/// from the pages of the runs before.
struct RunMerge: Sendable {
    /// The words of one part of all runs, as entries of a ``SearchRun``.
    struct Words: Sendable {
        fileprivate(set) var bytes: [UInt8] = []
        /// Where each entry begins.
        fileprivate(set) var starts: [UInt32] = []
    }

    /// In the order of their words.
    private let parts: [Words]
    /// The number of words in the parts before each part.
    private let firsts: [Int]
    /// All words, numbered in the order of their letters.
    let table: TermTable

    /// The bytes with the entry of a word, and where it begins there.
    func entry(of word: Int) -> (bytes: [UInt8], start: Int) {
        let part = firsts.lastIndex { $0 <= word } ?? 0
        return (parts[part].bytes, Int(parts[part].starts[word - firsts[part]]))
    }

    /// - Parameter firstPages: the number of pages before each run.
    init(_ runs: [SearchRun], firstPages: [Int]) async {
        let parts = await Array(0..<SearchRun.partCount).concurrentMap { part in
            if runs.count == 1 { return Self.entries(runs[0], part) }
            var merge = PartMerge(runs, part, firstPages)
            return merge.words()
        }
        var firsts: [Int] = []
        var count = 0
        for part in parts {
            firsts.append(count)
            count += part.starts.count
        }
        var table = TermTable(expecting: count)
        for part in parts {
            let bytes = part.bytes.span
            for start in part.starts { _ = table.add(bytes, SearchRun.word(bytes, at: Int(start))) }
        }
        self.parts = parts
        self.firsts = firsts
        self.table = table
    }

    private static func entries(_ run: SearchRun, _ part: Int) -> Words {
        var words = Words()
        let bytes = Array(run.bytes[run.parts[part]])
        var position = 0
        while position < bytes.count {
            words.starts.append(UInt32(position))
            position = SearchRun.entry(bytes.span, at: position).end
        }
        words.bytes = bytes
        return words
    }
}

/// Merges one part of some runs.
///
/// Most words are in most runs, so the next word is found by looking at the first letters of all
/// runs, which is faster than a heap. Runs are looked at in groups, for words that few runs have.
private struct PartMerge {
    private let firstPages: [Int]
    /// The part of each run, one after the other.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// The next entry of each run.
    private var next: [Int] = []
    /// The first letters of its word, as words are sorted; the largest number at the end.
    private var heads: [UInt64] = []
    /// The least of the heads of each group.
    private var groups: [UInt64] = []
    /// The runs that have the next word.
    private var found: [Int] = []
    private var entries: [SearchRun.Entry] = []

    private static let groupSize = 16

    init(_ runs: [SearchRun], _ part: Int, _ firstPages: [Int]) {
        self.firstPages = firstPages
        bytes.reserveCapacity(runs.reduce(0) { $0 + $1.parts[part].count })
        for run in runs {
            next.append(bytes.count)
            bytes += run.bytes[run.parts[part]]
            ends.append(bytes.count)
        }
        heads = next.indices.map { head($0, bytes.span) }
        groups = stride(from: 0, to: heads.count, by: Self.groupSize).map(least)
    }

    private func head(_ run: Int, _ bytes: Span<UInt8>) -> UInt64 {
        let start = next[run]
        guard start < ends[run] else { return .max }
        return bytes.prefix(at: start + 1, count: Int(bytes[start])).byteSwapped
    }

    private func least(_ start: Int) -> UInt64 {
        var least = UInt64.max
        for run in start..<min(start + Self.groupSize, heads.count) {
            least = min(least, heads[run])
        }
        return least
    }

    mutating func words() -> RunMerge.Words {
        let bytes = bytes
        var words = RunMerge.Words()
        words.bytes.reserveCapacity(bytes.count)
        while true {
            var head = UInt64.max
            for group in groups { head = min(head, group) }
            if head == .max { return words }
            find(head, bytes.span)
            words.starts.append(UInt32(words.bytes.count))
            write(bytes.span, &words.bytes)
            var group = -1
            for (run, entry) in zip(found, entries) {
                next[run] = entry.end
                heads[run] = self.head(run, bytes.span)
                if group >= 0, run / Self.groupSize != group {
                    groups[group] = least(group * Self.groupSize)
                }
                group = run / Self.groupSize
            }
            groups[group] = least(group * Self.groupSize)
        }
    }

    /// Finds the runs with the least word of those with these first letters.
    private mutating func find(_ head: UInt64, _ bytes: Span<UInt8>) {
        found.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        for group in groups.indices where groups[group] == head {
            let start = group * Self.groupSize
            for run in start..<min(start + Self.groupSize, heads.count) where heads[run] == head {
                let entry = SearchRun.entry(bytes, at: next[run])
                // The letters behind the first eight decide.
                if head & 0xFF != 0, let first = entries.first {
                    let order = bytes.order(of: entry.word, to: first.word, in: bytes, from: 8)
                    if order > 0 { continue }
                    if order < 0 {
                        found.removeAll(keepingCapacity: true)
                        entries.removeAll(keepingCapacity: true)
                    }
                }
                found.append(run)
                entries.append(entry)
            }
        }
    }

    /// Writes the entry of the word that was found.
    private mutating func write(_ bytes: Span<UInt8>, _ words: inout [UInt8]) {
        var first: SearchRun.Entry?
        var count = 0
        var size = 0
        var last = 0
        for index in entries.indices {
            let base = firstPages[found[index]]
            count += entries[index].count
            if first == nil {
                entries[index].first += base << 4
                first = entries[index]
            } else {
                entries[index].first += (base - last) << 4
                size += [UInt8].length(ofNumber: entries[index].first)
            }
            size += entries[index].rest.count
            last = base + entries[index].last
        }
        guard let first else { return }
        words.append(UInt8(first.word.count))
        words.append(bytes, first.word)
        words.append(number: count)
        words.append(number: first.first)
        if count == 1 { return }
        words.append(number: last)
        words.append(number: size)
        for index in entries.indices {
            if index > 0 { words.append(number: entries[index].first) }
            words.append(bytes, entries[index].rest)
        }
    }
}

extension [UInt8] {
    /// The number of bytes that ``append(number:)`` appends.
    static func length(ofNumber number: Int) -> Int {
        number < 0x80 ? 1 : (63 - number.leadingZeroBitCount) / 7 + 1
    }
}
