/// Steps through the bytes.
extension TOMLParser {
    /// The next byte; `nil` at the end.
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    func peek(at distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    /// Skips the byte if it is the next one, and returns whether it was.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    /// Skips tabs and spaces.
    mutating func skipSpaces() {
        while let byte = peek, byte == 32 || byte == 9 { position += 1 }
    }

    /// Skips a line end, and returns whether there was one.
    mutating func skipNewline() -> Bool {
        if peek == 13, peek(at: 1) == 10 { position += 1 }
        return skip(10)
    }

    /// Skips the rest of the line, but not its end.
    mutating func skipComment() {
        while let byte = peek, byte != 10 { position += 1 }
    }

    /// Skips spaces, line ends and comments.
    mutating func skipBlank() {
        while true {
            skipSpaces()
            if peek == UInt8(ascii: "#") { skipComment() }
            guard skipNewline() else { return }
        }
    }

    /// The character at the position, for messages.
    ///
    /// One character only: the text may be a secret.
    var found: String {
        guard let byte = peek else { return "the end of the text" }
        if byte == 10 || byte == 13 { return "the end of the line" }
        let bytes = bytes[position..<min(position + 4, bytes.count)]
        guard let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else {
            return "nothing"
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator,
            .nonspacingMark, .enclosingMark, .unassigned, .privateUse:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        default:
            return "'\(scalar)'"
        }
    }

    /// A mistake at the current position.
    func mistake(_ message: String, note: TOMLMistake.Note? = nil) -> TOMLMistake {
        mistake(message, at: position..<position + 1, note: note)
    }

    func mistake(
        _ message: String,
        at range: Range<Int>,
        note: TOMLMistake.Note? = nil
    ) -> TOMLMistake {
        TOMLMistake("is not TOML: \(message)", at: range, note: note)
    }

    func tooDeep(at start: Int) -> TOMLMistake {
        let message = "tables and lists are nested more than \(Self.depthLimit) levels deep"
        return mistake(message, at: start..<start + 1)
    }
}
