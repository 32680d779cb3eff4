extension TOMLParser {
    /// A dotted key (TOML 1.0, "Keys"), with the spaces around it.
    mutating func parseKey() throws(TOMLMistake) -> [TOMLKeyPart] {
        var parts: [TOMLKeyPart] = []
        repeat {
            skipSpaces()
            parts.append(try parseKeyPart())
            skipSpaces()
        } while skip(UInt8(ascii: "."))
        return parts
    }

    private mutating func parseKeyPart() throws(TOMLMistake) -> TOMLKeyPart {
        let start = position
        let text: String
        switch peek {
        case UInt8(ascii: "\""): text = try parseBasicString()
        case UInt8(ascii: "'"): text = try parseLiteralString()
        default:
            while let byte = peek, Self.isBareKey(byte) { position += 1 }
            text = String(decoding: bytes[start..<position], as: UTF8.self)
            if let byte = peek, !Self.mayFollowKey(byte) {
                throw mistake(
                    "a key without quotes consists of letters from A to Z, digits, '_' and '-';"
                        + " found \(found)"
                )
            }
            if text.isEmpty { throw mistake("a key is missing; found \(found)") }
        }
        return TOMLKeyPart(text: text, range: start..<position)
    }

    private static func isBareKey(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20) || (48...57).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// Whether the byte can follow a key.
    ///
    /// If not, the message names the character as forbidden in a key.
    private static func mayFollowKey(_ byte: UInt8) -> Bool {
        " \t\r\n=.:,[]{}#\"'".utf8.contains(byte)
    }
}
