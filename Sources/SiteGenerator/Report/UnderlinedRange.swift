import Diagnostics

/// The bytes of a line that a location covers.
struct UnderlinedRange: Equatable {
    let start: Int
    let end: Int

    init(of location: SourceLocation, in line: [UInt8]) {
        start = min(location.column - 1, line.count)
        if let length = location.length {
            end = max(start, min(start + length, line.count))
            return
        }
        // Without a length: the word that begins there, such as a key, a name or a path.
        let word = line[start...].prefix { byte in
            byte >= 0x80 || "-_./".utf8.contains(byte) || (48...57).contains(byte)
                || (97...122).contains(byte | 0x20)
        }
        end = min(start + max(word.count, 1), line.count)
    }

    /// The range in UTF-16 code units, as GitHub, editors and SARIF without another word count them:
    /// from 1, with the end after the last.
    func utf16Columns(in line: MeasuredLine) -> (start: Int, end: Int) {
        (line.utf16Units(before: start) + 1, line.utf16Units(before: end) + 1)
    }
}
