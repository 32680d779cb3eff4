import Diagnostics

/// Reads the source lines of diagnostics.
///
/// Diagnostics are sorted, so only the last file and the last line are cached: a line of a megabyte
/// may have 100,000 findings.
struct SourceLines {
    private let read: @Sendable (_ path: String) -> [UInt8]?
    private var path: String?
    private var lines: [ArraySlice<UInt8>] = []
    private var number = 0
    private var line: MeasuredLine?

    init(reading read: @escaping @Sendable (_ path: String) -> [UInt8]?) { self.read = read }

    /// The line of a location; `nil` for a file as a whole.
    mutating func line(of location: SourceLocation) -> MeasuredLine? {
        if location.isWholeFile { return nil }
        if path != location.path {
            path = location.path
            let bytes = read(location.path) ?? []
            let text = DecodedText(bytes)
            // A file that is not text is shown as far as possible.
            lines = (text.mistake == nil ? text.utf8 : bytes)
                .split(separator: 10, omittingEmptySubsequences: false)
            number = 0
        }
        guard location.line <= lines.count else { return nil }
        if number != location.line {
            number = location.line
            line = MeasuredLine(lines[location.line - 1])
        }
        return line
    }
}

/// A source line without its line end.
struct MeasuredLine {
    let bytes: [UInt8]
    /// The number of UTF-16 code units before each byte whose offset is a multiple of ``step``.
    private let counts: [Int]

    private static let step = 64

    init(_ line: ArraySlice<UInt8>) {
        bytes = Array(line.last == 13 ? line.dropLast() : line)
        var counts = [0]
        var count = 0
        for (offset, byte) in bytes.enumerated() {
            count += Self.utf16Units(of: byte)
            if (offset + 1) % Self.step == 0 { counts.append(count) }
        }
        self.counts = counts
    }

    /// The number of UTF-16 code units before a byte.
    func utf16Units(before offset: Int) -> Int {
        let start = offset / Self.step
        return bytes[(start * Self.step)..<offset]
            .reduce(counts[start]) { $0 + Self.utf16Units(of: $1) }
    }

    /// The first byte of a character counts for all: a character of four bytes has two units.
    private static func utf16Units(of byte: UInt8) -> Int {
        byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
    }
}
