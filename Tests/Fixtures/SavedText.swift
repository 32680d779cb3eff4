/// The ways in which editors save a text.
public enum SavedText {
    /// By a name for messages.
    public static func variants(of text: String) -> [(name: String, bytes: [UInt8])] {
        let returns = text.replacing("\n", with: "\r\n")
        let units = { (low: Int) in
            returns.utf16.flatMap { unit in
                let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
                return low == 0 ? bytes : bytes.reversed()
            }
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return [
            ("byte-order mark", mark + text.utf8),
            ("two byte-order marks", mark + mark + text.utf8),
            ("CRLF", Array(returns.utf8)),
            ("byte-order mark and CRLF", mark + returns.utf8),
            ("CR", Array(text.replacing("\n", with: "\r").utf8)),
            ("no last line end", Array(text.utf8.dropLast(text.hasSuffix("\n") ? 1 : 0))),
            ("UTF-16, low byte first", [0xFF, 0xFE] + units(0)),
            ("UTF-16, high byte first", [0xFE, 0xFF] + units(1)),
        ]
    }
}
