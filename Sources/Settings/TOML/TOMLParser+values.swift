extension TOMLParser {
    /// A value of any kind (TOML 1.0, "Key/Value Pair").
    ///
    /// - Parameter depth: the number of tables and lists around the value.
    mutating func parseValue(depth: Int) throws(TOMLMistake) -> TOMLValue {
        let start = position
        guard depth <= Self.depthLimit else { throw tooDeep(at: start) }
        let content: TOMLValue.Content
        switch peek {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): content = .string(try parseString())
        case UInt8(ascii: "["): content = .array(try parseArray(depth: depth))
        case UInt8(ascii: "{"): content = .table(try parseInlineTable(depth: depth))
        default: content = try parseWord()
        }
        return TOMLValue(content: content, range: start..<position)
    }

    /// TOML 1.0, "Array": line ends are allowed between values, and a comma after the last one.
    private mutating func parseArray(depth: Int) throws(TOMLMistake) -> [TOMLValue] {
        let start = position
        position += 1
        openArrays += 1
        var values: [TOMLValue] = []
        while true {
            skipBlank()
            if skip(UInt8(ascii: "]")) { break }
            if peek == nil { throw unclosedArray(start) }
            values.append(try parseValue(depth: depth + 1))
            skipBlank()
            if skip(UInt8(ascii: ",")) { continue }
            if skip(UInt8(ascii: "]")) { break }
            throw unclosedArray(start)
        }
        openArrays -= 1
        return values
    }

    private func unclosedArray(_ start: Int) -> TOMLMistake {
        guard peek != nil else {
            return mistake("']' is missing: the list is not closed", at: start..<start + 1)
        }
        let isLong = bytes[start..<position].contains(10)
        return mistake(
            "',' or ']' is missing in a list; found \(found)",
            note: isLong ? .init(message: "the list begins here", range: start..<start + 1) : nil
        )
    }

    /// TOML 1.0, "Inline Table": on one line, without a comma after the last key.
    private mutating func parseInlineTable(depth: Int) throws(TOMLMistake) -> TOMLTable {
        let start = position
        position += 1
        let table = TOMLTable(.inline, at: start..<position)
        skipSpaces()
        if skip(UInt8(ascii: "}")) { return table }
        while true {
            guard peek != nil, peek != 10, peek != 13 else {
                let message = "'}' is missing: an inline table ends on the line where it begins"
                throw mistake(message, at: start..<start + 1)
            }
            try parseKeyValue(into: table, depth: depth)
            skipSpaces()
            if skip(UInt8(ascii: "}")) { return table }
            guard skip(UInt8(ascii: ",")) else {
                throw mistake("',' or '}' is missing in an inline table; found \(found)")
            }
            skipSpaces()
            if peek == UInt8(ascii: "}") {
                throw mistake("an inline table must not end with ','")
            }
        }
    }

    /// A value without quotes and brackets: a number, a date, a time, `true` or `false`.
    private mutating func parseWord() throws(TOMLMistake) -> TOMLValue.Content {
        let start = position
        skipWord()
        if start == position { throw mistake("a value is missing; found \(found)") }
        // RFC 3339, section 5.6, and TOML allow a space between the date and the time.
        if position - start == 10, TOMLDate.begins(bytes[start..<position]), peek == 32,
            let next = peek(at: 1), (48...57).contains(next)
        {
            position += 1
            skipWord()
        }
        let word = bytes[start..<position]
        let range = start..<position
        if TOMLDate.begins(word) {
            switch TOMLDate.parse(word) {
            case .success(let date): return .date(date)
            case .failure(let reason): throw mistake(reason.message, at: range)
            }
        }
        switch TOMLNumber.parse(word) {
        case .success(let content): return content
        case .failure(let reason): throw mistake(reason.message, at: range)
        case nil: break
        }
        if word.elementsEqual("true".utf8) { return .bool(true) }
        if word.elementsEqual("false".utf8) { return .bool(false) }
        throw mistake("this is not a value; a string needs quotes", at: range)
    }

    private mutating func skipWord() {
        while let byte = peek, !" \t\r\n,]}#".utf8.contains(byte) { position += 1 }
    }
}
