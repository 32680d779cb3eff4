import Bytes

/// `<https://example.com>` and `<alice@example.com>` (CommonMark 0.30, section 6.5).
enum AngleAutolink {
    /// Where the closing bracket stands, and whether it is an e-mail address.
    static func end(_ input: [UInt8], after start: Int) -> (end: Int, isEmail: Bool)? {
        if let end = endOfURI(input, start) { return (end, false) }
        if let end = endOfEmail(input, start) { return (end, true) }
        return nil
    }

    private static func endOfURI(_ input: [UInt8], _ start: Int) -> Int? {
        var position = start
        guard position < input.count, input[position].isLetter else { return nil }
        while position < input.count,
            isSchemePart(input[position])
        {
            position += 1
        }
        guard (2...32).contains(position - start), position < input.count,
            input[position] == UInt8(ascii: ":")
        else { return nil }
        while position < input.count {
            let byte = input[position]
            if byte == UInt8(ascii: ">") { return position }
            if byte <= 0x20 || byte == UInt8(ascii: "<") { return nil }
            position += 1
        }
        return nil
    }

    private static func endOfEmail(_ input: [UInt8], _ start: Int) -> Int? {
        var position = start
        while position < input.count,
            isNamePart(input[position])
        {
            position += 1
        }
        guard position > start, position < input.count, input[position] == UInt8(ascii: "@")
        else { return nil }
        position += 1
        while true {
            let label = position
            while position < input.count,
                input[position].isLetterOrDigit || input[position] == UInt8(ascii: "-")
            {
                position += 1
            }
            let hyphen = UInt8(ascii: "-")
            guard (1...63).contains(position - label), input[label] != hyphen,
                input[position - 1] != hyphen, position < input.count
            else { return nil }
            if input[position] == UInt8(ascii: ">") { return position }
            guard input[position] == UInt8(ascii: ".") else { return nil }
            position += 1
        }
    }

    private static func isSchemePart(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == 43 || byte == 45 || byte == 46
    }

    /// The characters of HTML's pattern for the part before the at sign.
    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"):
            false
        default: byte.isLetterOrDigit || byte.isPunctuation
        }
    }
}
