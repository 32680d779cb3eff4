/// TOML 1.0, "String".
extension TOMLParser {
    private static let quote = UInt8(ascii: "\"")
    private static let apostrophe = UInt8(ascii: "'")
    private static let backslash = UInt8(ascii: "\\")

    /// A string of any of the four kinds.
    mutating func parseString() throws(TOMLMistake) -> String {
        let mark = bytes[position]
        if peek(at: 1) == mark, peek(at: 2) == mark { return try parseLongString(mark) }
        return try mark == Self.quote ? parseBasicString() : parseLiteralString()
    }

    /// `"…"` on one line, with escapes.
    mutating func parseBasicString() throws(TOMLMistake) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = peek, byte != 10, byte != 13 {
            if skip(Self.quote) { return String(decoding: text, as: UTF8.self) }
            if byte == Self.backslash {
                try parseEscape(into: &text)
            } else {
                text.append(byte)
                position += 1
            }
        }
        throw unclosedString(start, Self.quote)
    }

    /// `'…'` on one line, without escapes.
    mutating func parseLiteralString() throws(TOMLMistake) -> String {
        let start = position
        position += 1
        while let byte = peek, byte != 10, byte != 13 {
            position += 1
            if byte == Self.apostrophe {
                return String(decoding: bytes[start + 1..<position - 1], as: UTF8.self)
            }
        }
        throw unclosedString(start, Self.apostrophe)
    }

    /// A string of several lines between three quotation marks; each line ends with LF in the
    /// value.
    private mutating func parseLongString(_ mark: UInt8) throws(TOMLMistake) -> String {
        let start = position
        position += 3
        _ = skipNewline()
        var text: [UInt8] = []
        while let byte = peek {
            if byte == mark {
                var count = 0
                // Two quotation marks may precede the three that end the string.
                while count < 5, skip(mark) { count += 1 }
                text.append(contentsOf: repeatElement(mark, count: count < 3 ? count : count - 3))
                if count >= 3 { return String(decoding: text, as: UTF8.self) }
            } else if byte == Self.backslash, mark == Self.quote {
                if !skipEscapedNewline() { try parseEscape(into: &text) }
            } else if skipNewline() {
                text.append(10)
            } else {
                text.append(byte)
                position += 1
            }
        }
        let marks = String(repeating: mark == Self.quote ? "\"" : "'", count: 3)
        throw mistake("the string is not closed: \(marks) is missing", at: start..<start + 3)
    }

    /// A backslash at the end of a line removes the line end and all white space after it.
    private mutating func skipEscapedNewline() -> Bool {
        let start = position
        position += 1
        skipSpaces()
        guard skipNewline() else {
            position = start
            return false
        }
        repeat { skipSpaces() } while skipNewline()
        return true
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(TOMLMistake) {
        let start = position
        position += 1
        guard let letter = peek else { throw mistake("the string is not closed") }
        position += 1
        switch letter {
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "r"): text.append(13)
        case Self.quote, Self.backslash: text.append(letter)
        case UInt8(ascii: "u"): try parseScalar(digits: 4, from: start, into: &text)
        case UInt8(ascii: "U"): try parseScalar(digits: 8, from: start, into: &text)
        default:
            position -= 1
            throw mistake(
                "unknown escape; write '\\\\' for a backslash, or put the string between ' and '",
                at: start..<start + 1
            )
        }
    }

    /// `\u00E9` and `\U000000E9`: any Unicode scalar value, so surrogates are refused.
    private mutating func parseScalar(
        digits: Int,
        from start: Int,
        into text: inout [UInt8]
    ) throws(TOMLMistake) {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                let message = "this escape needs \(digits) hexadecimal digits; found \(found)"
                throw mistake(message, at: start..<max(position, start + 1))
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw mistake("this escape is not a Unicode character", at: start..<position)
        }
        text.append(contentsOf: String(scalar).utf8)
    }

    private func unclosedString(_ start: Int, _ mark: UInt8) -> TOMLMistake {
        let shown = mark == Self.quote ? "'\"'" : "\"'\""
        return mistake("the string is not closed: \(shown) is missing", at: start..<position)
    }
}
