import CommonMark

/// Where in the document the bytes of a block of HTML stand.
///
/// Each line of the block is the end of a line of the document.
struct HTMLBlockLocations {
    private let source: SourceText
    private let firstLine: Int
    /// Where the lines begin, and where the last one ends.
    private var starts = [0]

    init(_ html: [UInt8], line: Int, in source: SourceText) {
        self.source = source
        firstLine = line
        for (index, byte) in html.enumerated() where byte == .newline { starts.append(index + 1) }
        if starts.last != html.count { starts.append(html.count + 1) }
    }

    func location(at offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = starts.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        let line = firstLine + low
        guard line <= source.lines.count, low + 1 < starts.count else { return (line, 1) }
        let length = starts[low + 1] - 1 - starts[low]
        return (line, max(0, source.line(line).count - length) + offset - starts[low] + 1)
    }
}
