/// The highest level of each page, of the postings of several words.
struct PageLevels {
    /// One more than the level; 0 for a page without.
    private var levels: [UInt8]
    /// A bit for each page with a level.
    private var pages: [UInt64]
    /// A bit for each number in ``pages`` that is not zero.
    private var groups: [UInt64]

    /// - Parameter count: the number of pages.
    init(_ count: Int) {
        levels = [UInt8](repeating: 0, count: count)
        pages = [UInt64](repeating: 0, count: count / 64 + 1)
        groups = [UInt64](repeating: 0, count: pages.count / 64 + 1)
    }

    /// The postings of a word that is a part of compounds, as the file of an index has them.
    ///
    /// - Parameters:
    ///   - word: `nil` if it is in no page by itself.
    ///   - postings: what is in it is replaced.
    /// - Returns: the number of pages.
    mutating func take(
        _ compounds: ArraySlice<Int>,
        of word: Int?,
        _ runs: RunMerge,
        _ postings: inout [UInt8]
    ) -> Int {
        if let word { add(runs.entry(of: word), lowering: 0) }
        for compound in compounds {
            add(runs.entry(of: compound), lowering: SearchScore.partLevels)
        }
        return take(&postings)
    }

    /// Takes the postings of an entry, each as worth this number of levels less.
    private mutating func add(_ place: (bytes: [UInt8], start: Int), lowering: UInt8) {
        let bytes = place.bytes.span
        let entry = SearchRun.entry(bytes, at: place.start)
        var page = 0
        var position = entry.rest.lowerBound
        var posting = entry.first
        while true {
            page += posting >> 4
            // Only damaged postings have a page behind the last one.
            guard page < levels.count else { return }
            let level = UInt8(posting & 15)
            levels[page] = max(levels[page], level - min(level, lowering) + 1)
            pages[page >> 6] |= 1 << UInt64(page & 63)
            groups[page >> 12] |= 1 << UInt64(page >> 6 & 63)
            guard position < entry.rest.upperBound else { return }
            posting = bytes.number(&position)
        }
    }

    /// Writes what was taken, and forgets it.
    private mutating func take(_ postings: inout [UInt8]) -> Int {
        postings.removeAll(keepingCapacity: true)
        var count = 0
        var last = -1
        for group in groups.indices {
            while groups[group] != 0 {
                let index = group << 6 | groups[group].trailingZeroBitCount
                groups[group] &= groups[group] &- 1
                while pages[index] != 0 {
                    let page = index << 6 | pages[index].trailingZeroBitCount
                    pages[index] &= pages[index] &- 1
                    postings.append(number: (page - last) << 4 | Int(levels[page] - 1))
                    levels[page] = 0
                    last = page
                    count += 1
                }
            }
        }
        return count
    }
}
