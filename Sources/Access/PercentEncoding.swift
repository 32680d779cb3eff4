/// Percent-encoding (RFC 3986, section 2.1).
public enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes everything but unreserved characters, so that the result fits into any part of a URL
    /// or form.
    public static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
            default: bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The decoded text, or `nil` if a `%` is not followed by two hexadecimal digits, or the bytes
    /// are not UTF-8.
    public static func decode(_ text: some StringProtocol) -> String? {
        bytes(text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes that are meant, or `nil` where `%` is not before two hexadecimal digits.
    ///
    /// - Parameter plusIsSpace: as in forms (URL Standard, section 5.1).
    public static func bytes(
        _ text: some StringProtocol,
        plusIsSpace: Bool = false
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                continue
            }
            // Digit by digit, because `UInt8(_:radix:)` accepts a sign, and `%+A` would be a line
            // break.
            guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The bytes with each valid escape decoded once, and all others left as they are, as lenient
    /// programs decode (URL Standard, section 1.3).
    public static func decodingWhereValid(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = value(rest[rest.startIndex]), let low = value(rest[rest.startIndex + 1])
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 65...70: digit - 55
        case 97...102: digit - 87
        default: nil
        }
    }
}
