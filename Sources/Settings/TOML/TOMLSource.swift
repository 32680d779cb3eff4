/// The bytes of a TOML document with the beginnings of their lines.
///
/// The parser sees only text whose only control characters are tabs and the line ends LF and CRLF
/// (TOML 1.0, "Spec" and "Comment").
struct TOMLSource {
    let bytes: [UInt8]
    let mistakes: [TOMLMistake]

    private let lineStarts: [Int]

    /// - Parameter bytes: UTF-8, see `DecodedText`.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var lineStarts = [0]
        var mistakes: [TOMLMistake] = []
        for (offset, byte) in bytes.enumerated() where byte < 32 || byte == 127 {
            switch byte {
            case 9: break
            case 10: lineStarts.append(offset + 1)
            case 13 where offset + 1 < bytes.count && bytes[offset + 1] == 10: break
            default:
                guard mistakes.count < TOMLMistake.limit else { continue }
                mistakes.append(TOMLMistake(Self.message(control: byte), at: offset..<offset + 1))
            }
        }
        self.lineStarts = lineStarts
        self.mistakes = mistakes
    }

    /// The line and the column of an offset, both from 1; the column counts bytes.
    func position(of offset: Int) -> (line: Int, column: Int) {
        // Binary search for the last line that begins at or before the offset.
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, max(offset - lineStarts[low], 0) + 1)
    }

    private static func message(control byte: UInt8) -> String {
        if byte == 13 {
            return
                "is not TOML: a carriage return is not followed by a line feed; lines end with LF or CRLF"
        }
        let digits = String(byte, radix: 16, uppercase: true)
        let name = "U+00\(digits.count < 2 ? "0" : "")\(digits)"
        return "is not TOML: it contains the control character \(name)"
    }
}
