/// A line of a source with a place in it underlined, as compilers show it.
struct Excerpt: Equatable {
    /// Columns that a line may take.
    static let width = 100

    let text: String
    /// `^~~~` below what is meant.
    let mark: String

    init(_ line: [UInt8], _ extent: Extent) {
        // A line may be a megabyte long, and only what is near is shown.
        let margin = Self.width * 4
        let first = Self.boundary(line, max(0, extent.start - margin))
        let last = Self.boundary(line, min(line.count, extent.start + margin))
        var cells = Self.cells(line, first..<last)
        var offset = 0
        // Where the place lies far to the right, the line begins later.
        let before = Self.columns(cells, upTo: extent.start)
        if first > 0 || before > Self.width * 2 / 3 {
            while let cell = cells.first, before - offset > Self.width / 3 {
                offset += cell.columns
                cells.removeFirst()
            }
            cells.insert(Cell(text: "…", columns: 1, start: -1), at: 0)
        }
        var shown = 0
        var count = 0
        while count < cells.count, shown + cells[count].columns < Self.width {
            shown += cells[count].columns
            count += 1
        }
        let isCut = count < cells.count || last < line.count
        cells = Array(cells[..<count])
        text = cells.map(\.text).joined() + (isCut ? "…" : "")
        let start = Self.columns(cells, upTo: extent.start)
        let end = Self.columns(cells, upTo: extent.end)
        mark =
            String(repeating: " ", count: start) + "^"
            + String(repeating: "~", count: max(0, end - start - 1))
    }

    /// A character as it is shown.
    private struct Cell {
        let text: String
        let columns: Int
        /// Its first byte in the line.
        let start: Int
    }

    private static func cells(_ line: [UInt8], _ range: Range<Int>) -> [Cell] {
        var cells: [Cell] = []
        var start = range.lowerBound
        for character in String(decoding: line[range], as: UTF8.self) {
            let text = character == "\t" ? "    " : SafeText.of(String(character))
            let columns = text.reduce(0) { $0 + DisplayWidth.of($1) }
            cells.append(Cell(text: text, columns: columns, start: start))
            start += character.utf8.count
        }
        return cells
    }

    private static func columns(_ cells: [Cell], upTo byte: Int) -> Int {
        cells.prefix { $0.start < byte }.reduce(0) { $0 + $1.columns }
    }

    /// The beginning of the character that a byte belongs to.
    private static func boundary(_ line: [UInt8], _ position: Int) -> Int {
        var position = position
        while position > 0, position < line.count, line[position] & 0xC0 == 0x80 { position -= 1 }
        return position
    }
}
