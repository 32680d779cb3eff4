/// The inline content of a paragraph, a heading or a table cell as it stands in the source.
struct LeafText {
    /// Lines joined by newlines, without the marks and spaces before them.
    private(set) var bytes: [UInt8] = []
    /// Where each line begins in ``bytes`` and in the document.
    private var starts: [(offset: Int, line: Int, column: Int)] = []

    /// - Parameter column: in bytes, from 1.
    mutating func append(_ text: some Collection<UInt8>, line: Int, column: Int) {
        if !starts.isEmpty { bytes.append(.newline) }
        starts.append((bytes.count, line, column))
        bytes += text
    }

    /// Takes bytes off the start, as those of a definition or of a task's box.
    mutating func dropFirst(_ count: Int) {
        guard count > 0 else { return }
        let location = location(at: count)
        bytes.removeFirst(count)
        starts = starts.map { ($0.offset - count, $0.line, $0.column) }.filter { $0.0 > 0 }
        starts.insert((0, location.line, location.column), at: 0)
    }

    mutating func dropLast(_ count: Int) { bytes.removeLast(count) }

    /// Takes white space off the end.
    mutating func trim() {
        while let last = bytes.last, last.isWhitespace { bytes.removeLast() }
    }

    /// Where in the document a byte stands.
    func location(at offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle].offset <= offset { low = middle } else { high = middle }
        }
        guard low < starts.count else { return (1, 1) }
        return (starts[low].line, starts[low].column + offset - starts[low].offset)
    }
}
