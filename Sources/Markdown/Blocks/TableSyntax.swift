/// The rows of tables (GitHub Flavored Markdown 0.29, section 4.10).
enum TableSyntax {
    enum Alignment: String { case left, center, right }

    struct Cell {
        /// Without the spaces around it; `\|` became `|`.
        var text: [UInt8]
        /// In the row, in bytes from 0.
        var offset: Int
    }

    /// More cells than anybody writes in a row.
    static let maximumColumns = 1000

    /// Takes a row apart; `nil` where there is no cell in it.
    static func cells(_ row: ArraySlice<UInt8>) -> [Cell]? {
        var cells: [Cell] = []
        var position = row.startIndex
        let end = row.endIndex
        func skipPipe() -> Bool {
            guard position < end, row[position] == UInt8(ascii: "|") else { return false }
            position += 1
            while position < end, isSpace(row[position]) { position += 1 }
            return true
        }
        _ = skipPipe()
        while position < end {
            let start = position
            while position < end, row[position] != UInt8(ascii: "|") {
                // Whatever stands before the backslash: two of them protect a pipe as well.
                let isEscape =
                    row[position] == UInt8(ascii: "\\") && position + 1 < end
                    && row[position + 1] == UInt8(ascii: "|")
                position += isEscape ? 2 : 1
            }
            let text = row[start..<position]
            let hasPipe = skipPipe()
            guard !text.isEmpty || hasPipe else { break }
            cells.append(cell(text, offset: start - row.startIndex))
            if cells.count > maximumColumns { return nil }
            if !hasPipe { break }
        }
        return cells.isEmpty ? nil : cells
    }

    private static func cell(_ text: ArraySlice<UInt8>, offset: Int) -> Cell {
        var start = text.startIndex
        var end = text.endIndex
        var unescaped: [UInt8] = []
        while start < end, text[start].isWhitespace { start += 1 }
        while end > start, text[end - 1].isWhitespace { end -= 1 }
        var position = start
        while position < end {
            if text[position] == UInt8(ascii: "\\"), position + 1 < end,
                text[position + 1] == UInt8(ascii: "|")
            {
                position += 1
            }
            unescaped.append(text[position])
            position += 1
        }
        return Cell(text: unescaped, offset: offset + start - text.startIndex)
    }

    /// Reads a delimiter row, `| :-- | --: |`; `nil` where the line is none.
    static func alignments(_ row: ArraySlice<UInt8>) -> [Alignment?]? {
        var text = row
        while let last = text.last, isSpace(last) { text.removeLast() }
        guard !text.isEmpty else { return nil }
        if text.first == UInt8(ascii: "|") { text.removeFirst() }
        if text.last == UInt8(ascii: "|") { text.removeLast() }
        var alignments: [Alignment?] = []
        for part in text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
            var cell = part
            while let first = cell.first, isSpace(first) { cell.removeFirst() }
            while let last = cell.last, isSpace(last) { cell.removeLast() }
            let isLeft = cell.first == UInt8(ascii: ":")
            if isLeft { cell.removeFirst() }
            let isRight = cell.last == UInt8(ascii: ":")
            if isRight { cell.removeLast() }
            guard !cell.isEmpty, cell.allSatisfy({ $0 == UInt8(ascii: "-") }) else { return nil }
            alignments.append(isLeft && isRight ? .center : isLeft ? .left : isRight ? .right : nil)
            if alignments.count > maximumColumns { return nil }
        }
        return alignments
    }

    /// Whether a line may be a delimiter row behind the marks of quotes: a quick look.
    static func mayBeDelimiterRow(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
        var hasDash = false
        var hasOther = false
        for position in line.reversed() {
            switch bytes[position] {
            case UInt8(ascii: "-"): hasDash = true
            case UInt8(ascii: "|"), UInt8(ascii: ":"): hasOther = true
            case .space, .tab, 11, 12, UInt8(ascii: ">"): continue
            default: return false
            }
        }
        return hasDash && hasOther
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == .space || byte == .tab || byte == 11 || byte == 12
    }
}
