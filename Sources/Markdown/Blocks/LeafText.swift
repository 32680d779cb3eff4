import Bytes

/// The text of a paragraph, a heading, a table cell or HTML as it stands in the source.
struct LeafText {
    /// Lines joined by newlines, without the marks and spaces before them.
    private(set) var bytes: [UInt8] = []
    /// Whether there may be syntax of other tools.
    var mayBeForeign = false
    /// Where the first line begins in the document; 0 as long as there is none.
    private var first = (line: 0, column: 0)
    /// Where the other lines begin in ``bytes`` and in the document.
    private var others: [(offset: Int, line: Int, column: Int)] = []

    /// - Parameter column: in bytes, from 1.
    mutating func append(_ text: ArraySlice<UInt8>, line: Int, column: Int) {
        if first.line == 0 {
            first = (line, column)
        } else {
            bytes.append(.newline)
            others.append((bytes.count, line, column))
        }
        noteModule(text)
        bytes += text
    }

    /// Takes bytes off the start, as those of a definition or of a task's box.
    mutating func dropFirst(_ count: Int) {
        guard count > 0 else { return }
        if count == bytes.count {
            self = LeafText()
            return
        }
        first = location(at: count)
        bytes.removeFirst(count)
        noteModule(bytes[...])
        others = others.map { ($0.offset - count, $0.line, $0.column) }.filter { $0.0 > 0 }
    }

    /// - Parameter line: may begin with 'import ' or 'export '.
    private mutating func noteModule(_ line: ArraySlice<UInt8>) {
        guard let first = line.first, first == UInt8(ascii: "i") || first == UInt8(ascii: "e"),
            line.count > 6, line[line.startIndex + 6] == .space
        else { return }
        mayBeForeign = true
    }

    mutating func dropLast(_ count: Int) { bytes.removeLast(count) }

    var startOfLastLine: Int { others.last?.offset ?? 0 }

    mutating func removeLastLine() {
        if let last = others.popLast() {
            bytes.removeSubrange((last.offset - 1)...)
        } else {
            self = LeafText()
        }
    }

    /// Takes white space off the end.
    mutating func trim() {
        while let last = bytes.last, last.isWhitespace { bytes.removeLast() }
    }

    /// Where in the document a byte stands.
    func location(at offset: Int) -> (line: Int, column: Int) {
        guard first.line > 0 else { return (1, 1) }
        guard let second = others.first, second.offset <= offset else {
            return (first.line, first.column + offset)
        }
        var low = 0
        var high = others.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if others[middle].offset <= offset { low = middle } else { high = middle }
        }
        return (others[low].line, others[low].column + offset - others[low].offset)
    }
}
