import Bytes

/// The rows of tables (GitHub Flavored Markdown 0.29, section 4.10).
enum TableSyntax {
    enum Alignment: String { case left, center, right }

    /// More cells than anybody writes in a row.
    static let maximumColumns = 1000

    /// Takes a row apart: where its cells are, without the spaces around them; `nil` where there is
    /// no cell in it.
    static func cells(_ text: [UInt8], _ row: Range<Int>) -> [Range<Int>]? {
        var cells: [Range<Int>] = []
        cells.reserveCapacity(8)
        var position = row.lowerBound
        let end = row.upperBound
        func skipPipe() -> Bool {
            guard position < end, text[position] == UInt8(ascii: "|") else { return false }
            position += 1
            while position < end, isSpace(text[position]) { position += 1 }
            return true
        }
        _ = skipPipe()
        while position < end {
            let start = position
            while position < end, text[position] != UInt8(ascii: "|") {
                // Whatever stands before the backslash: two of them protect a pipe as well.
                let isEscape =
                    text[position] == UInt8(ascii: "\\") && position + 1 < end
                    && text[position + 1] == UInt8(ascii: "|")
                position += isEscape ? 2 : 1
            }
            let cell = start..<position
            let hasPipe = skipPipe()
            guard !cell.isEmpty || hasPipe else { break }
            let trimmed = text[cell].trimmed(where: \.isWhitespace)
            cells.append(trimmed.startIndex..<trimmed.endIndex)
            if cells.count > maximumColumns { return nil }
            if !hasPipe { break }
        }
        return cells.isEmpty ? nil : cells
    }

    /// The text of a cell, in which `\|` is `|`.
    static func unescaped(_ cell: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(cell.count)
        for index in cell.indices {
            let isEscape =
                cell[index] == UInt8(ascii: "\\") && index + 1 < cell.endIndex
                && cell[index + 1] == UInt8(ascii: "|")
            if !isEscape { text.append(cell[index]) }
        }
        return text
    }

    /// Reads a delimiter row, `| :-- | --: |`; `nil` where the line is none.
    static func alignments(_ row: ArraySlice<UInt8>) -> [Alignment?]? {
        var text = row.trimmed(where: isSpace)
        guard !text.isEmpty else { return nil }
        if text.first == UInt8(ascii: "|") { text.removeFirst() }
        if text.last == UInt8(ascii: "|") { text.removeLast() }
        var alignments: [Alignment?] = []
        for part in text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
            var cell = part.trimmed(where: isSpace)
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

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == .space || byte == .tab || byte == 11 || byte == 12
    }
}
