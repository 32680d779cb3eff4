/// The spans of code between backticks on a line (CommonMark 0.30, section 6.1).
enum CodeSpans {
    static func find(in line: ArraySlice<UInt8>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var index = line.startIndex
        while let start = line[index...].firstIndex(of: UInt8(ascii: "`")) {
            index = line[start...].prefix { $0 == UInt8(ascii: "`") }.endIndex
            runs.append(start..<index)
        }
        // The next run of the same length, from the last to the first.
        var later: [Int: Int] = [:]
        var partners = [Int?](repeating: nil, count: runs.count)
        for run in runs.indices.reversed() {
            partners[run] = later[runs[run].count]
            later[runs[run].count] = run
        }
        var spans: [Range<Int>] = []
        var run = 0
        while run < runs.count {
            guard let partner = partners[run] else {
                run += 1
                continue
            }
            spans.append(runs[run].lowerBound..<runs[partner].upperBound)
            run = partner + 1
        }
        return spans
    }
}
