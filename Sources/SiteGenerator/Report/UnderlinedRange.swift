import Diagnostics

/// Which bytes of a line a place means.
struct UnderlinedRange: Equatable {
    let start: Int
    let end: Int

    init(of location: SourceLocation, in line: [UInt8]) {
        start = min(location.column - 1, line.count)
        if let length = location.length {
            end = max(start, min(start + length, line.count))
            return
        }
        // The word that begins there: a key, a name, a path.
        let word = line[start...].prefix { byte in
            byte >= 0x80 || "-_./".utf8.contains(byte) || (48...57).contains(byte)
                || (97...122).contains(byte | 0x20)
        }
        end = min(start + max(word.count, 1), line.count)
    }

    /// The same in characters as SARIF and GitHub count them, from 1; the end is the one after.
    func characters(in line: MeasuredLine) -> (start: Int, end: Int) {
        (line.characters(before: start) + 1, line.characters(before: end) + 1)
    }
}
