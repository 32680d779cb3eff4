import Diagnostics

/// Which bytes of a line a place means.
struct Extent: Equatable {
    let start: Int
    let end: Int

    init(of place: Place, in line: [UInt8]) {
        start = min(place.column - 1, line.count)
        if let length = place.length {
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
    func characters(in line: [UInt8]) -> (start: Int, end: Int) {
        func count(_ end: Int) -> Int {
            String(decoding: line[..<end], as: UTF8.self).unicodeScalars.count + 1
        }
        return (count(start), count(end))
    }
}
