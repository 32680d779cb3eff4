import Bytes

/// The value of an attribute, its character references resolved as a browser does it
/// (HTML Living Standard, section 13.2.5.72).
package enum HTMLAttributeText {
    package static func decoded(_ source: ArraySlice<UInt8>) -> String {
        guard source.contains(UInt8(ascii: "&")) else {
            return String(decoding: source, as: UTF8.self)
        }
        var text: [UInt8] = []
        var position = source.startIndex
        while position < source.endIndex {
            if source[position] == UInt8(ascii: "&"),
                let (character, end) = reference(source, at: position)
            {
                text += character
                position = end
            } else {
                text.append(source[position])
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func reference(
        _ source: ArraySlice<UInt8>,
        at start: Int
    ) -> (text: [UInt8], end: Int)? {
        if source[start...].dropFirst().first == UInt8(ascii: "#") {
            return number(source, at: start + 2)
        }
        if let (text, end) = CharacterReference.read(source, at: start) {
            return (Array(text), end)
        }
        // Some names need no semicolon, except before a letter, a digit or '=', as in '?a=1&lt=2'.
        for (name, text) in [("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\"")] {
            let rest = source[(start + 1)...]
            guard rest.starts(with: name.utf8) else { continue }
            let next = rest.dropFirst(name.utf8.count).first
            if let next, next.isLetterOrDigit || next == UInt8(ascii: "=") { return nil }
            return (Array(text.utf8), start + 1 + name.utf8.count)
        }
        return nil
    }

    /// `&#115;`, `&#x73`: any number of leading zeros, and no semicolon needed.
    private static func number(
        _ source: ArraySlice<UInt8>,
        at start: Int
    ) -> (text: [UInt8], end: Int)? {
        var position = start
        var radix: UInt32 = 10
        if position < source.endIndex, source[position] | 0x20 == UInt8(ascii: "x") {
            radix = 16
            position += 1
        }
        let first = position
        var value: UInt32 = 0
        while position < source.endIndex,
            let digit = Character(Unicode.Scalar(source[position])).hexDigitValue, digit < radix
        {
            value = min(value * radix + UInt32(digit), 0x11_0000)
            position += 1
        }
        guard position > first else { return nil }
        if position < source.endIndex, source[position] == UInt8(ascii: ";") { position += 1 }
        let scalar = value == 0 ? nil : Unicode.Scalar(value)
        return (Array(String(Character(scalar ?? "\u{FFFD}")).utf8), position)
    }
}
