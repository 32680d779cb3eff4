import Access

/// Percent-encoding (RFC 3986, section 2.1).
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes everything but unreserved characters, so that the result fits into any part of a URL
    /// or form.
    static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
            default: bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The decoded bytes, or `nil` if a `%` is not followed by two hexadecimal digits.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8]? {
        Access.PercentEncoding.bytes(text, plusIsSpace: plusIsSpace)
    }
}
