/// Whole numbers and numbers with a fraction or an exponent (TOML 1.0, "Integer" and "Float").
enum TOMLNumber {
    struct Reason: Error {
        let message: String
    }

    /// The number, or `nil` if the word does not begin like a number.
    static func parse(_ word: ArraySlice<UInt8>) -> Result<TOMLValue.Content, Reason>? {
        let unsigned = word.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        guard let first = unsigned.first else { return .failure(malformed) }
        let hasSign = unsigned.count < word.count
        guard word.count - unsigned.count < 2 else { return .failure(malformed) }
        let isNegative = word.first == UInt8(ascii: "-")
        if unsigned.elementsEqual("inf".utf8) {
            return .success(.float(isNegative ? -.infinity : .infinity))
        }
        if unsigned.elementsEqual("nan".utf8) { return .success(.float(.nan)) }
        guard (48...57).contains(first) else { return hasSign ? .failure(malformed) : nil }
        if !hasSign, first == 48, let radix = radix(unsigned.dropFirst().first) {
            let digits = unsigned.dropFirst(2)
            guard self.digits(digits, radix) == digits.count else { return .failure(malformed) }
            return integer(digits, radix)
        }
        return decimal(word, unsigned)
    }

    private static let malformed = Reason(message: "this is not a number")

    private static func radix(_ letter: UInt8?) -> Int? {
        switch letter {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private static func decimal(
        _ word: ArraySlice<UInt8>,
        _ unsigned: ArraySlice<UInt8>
    ) -> Result<TOMLValue.Content, Reason> {
        let whole = digits(unsigned, 10)
        if whole > 1, unsigned.first == 48 {
            return .failure(Reason(message: "a number must not begin with 0"))
        }
        var rest = unsigned.dropFirst(whole)
        if rest.isEmpty { return integer(word, 10) }
        if rest.first == UInt8(ascii: ".") {
            let fraction = digits(rest.dropFirst(), 10)
            if fraction == 0 { return .failure(malformed) }
            rest = rest.dropFirst(1 + fraction)
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
            let exponent = digits(rest, 10)
            if exponent == 0 { return .failure(malformed) }
            rest = rest.dropFirst(exponent)
        }
        guard rest.isEmpty, let number = Double(text(word)) else { return .failure(malformed) }
        return .success(.float(number))
    }

    private static func integer(
        _ digits: ArraySlice<UInt8>,
        _ radix: Int
    ) -> Result<TOMLValue.Content, Reason> {
        guard let number = Int(text(digits), radix: radix) else {
            return .failure(Reason(message: "a whole number must be from -2^63 to 2^63 - 1"))
        }
        return .success(.integer(number))
    }

    /// The number of bytes at the start that are digits, or single '_' between digits.
    private static func digits(_ text: ArraySlice<UInt8>, _ radix: Int) -> Int {
        var count = 0
        var isDigitBefore = false
        for byte in text {
            if let value = Character(Unicode.Scalar(byte)).hexDigitValue, value < radix {
                isDigitBefore = true
            } else if byte == UInt8(ascii: "_"), isDigitBefore {
                isDigitBefore = false
            } else {
                break
            }
            count += 1
        }
        // A '_' at the end does not count.
        return isDigitBefore || count == 0 ? count : count - 1
    }

    private static func text(_ digits: ArraySlice<UInt8>) -> String {
        String(decoding: digits.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    }
}
