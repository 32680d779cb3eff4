/// A source line with a part of it underlined, as compilers show it.
struct Excerpt: Equatable {
    /// The maximum width of a line in columns.
    static let width = 100

    let text: String
    /// The underline `^~~~`.
    let mark: String

    init(_ line: [UInt8], _ range: UnderlinedRange) {
        let near = max(0, range.start - Self.width)..<min(line.count, range.start + Self.width)
        if line[near].allSatisfy({ (0x20..<0x7F).contains($0) }) {
            (text, mark) = Self.plain(line, range)
            return
        }
        // A line may be a megabyte long, so only the part around the range is shown. A character
        // takes up to four bytes, and combining marks some more.
        let margin = Self.width * 4
        let first = Self.boundary(line, max(0, range.start - margin))
        let last = Self.boundary(line, min(line.count, range.start + margin))
        var cells = Self.cells(line, first..<last)
        var offset = 0
        // If the range is far to the right, the beginning of the line is cut.
        let before = Self.columns(cells, upTo: range.start)
        if first > 0 || before > Self.width * 2 / 3 {
            var dropped = 0
            while dropped < cells.count, before - offset > Self.width / 3 {
                offset += cells[dropped].columns
                dropped += 1
            }
            cells.replaceSubrange(..<dropped, with: [Cell(text: "…", columns: 1, start: -1)])
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
        let start = Self.columns(cells, upTo: range.start)
        let end = Self.columns(cells, upTo: range.end)
        mark =
            String(repeating: " ", count: start) + "^"
            + String(repeating: "~", count: max(0, end - start - 1))
    }

    /// The same for ASCII, in which each byte takes one column.
    private static func plain(
        _ line: [UInt8],
        _ range: UnderlinedRange
    ) -> (text: String, mark: String) {
        let isShifted = range.start > width * 2 / 3
        let first = isShifted ? range.start - width / 3 : 0
        let shift = isShifted ? 1 : 0
        let last = min(line.count, first + width - 1 - shift)
        let text =
            (isShifted ? "…" : "") + String(decoding: line[first..<last], as: UTF8.self)
            + (last < line.count ? "…" : "")
        let mark =
            String(repeating: " ", count: shift + range.start - first) + "^"
            + String(repeating: "~", count: max(0, min(range.end, last) - range.start - 1))
        return (text, mark)
    }

    /// A character with its width on the terminal.
    private struct Cell {
        let text: String
        let columns: Int
        /// The offset of its first byte in the line.
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

    /// The offset of the character that contains a byte.
    private static func boundary(_ line: [UInt8], _ position: Int) -> Int {
        var position = position
        while position > 0, position < line.count, line[position] & 0xC0 == 0x80 { position -= 1 }
        return position
    }
}
