/// Escapes text for HTML.
public enum HTMLText {
    /// For text and for attributes in double quotes.
    public static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        let characters = Array(text.utf8)
        escape(characters.span, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter apostrophes: for attributes in single quotes, too.
    public static func escape(
        _ text: Span<UInt8>,
        into bytes: inout [UInt8],
        apostrophes: Bool = false
    ) {
        for index in text.indices {
            let byte = text[index]
            // Most bytes are above these five.
            if byte > UInt8(ascii: ">") {
                bytes.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'") where apostrophes: bytes += "&#39;".utf8
            default: bytes.append(byte)
            }
        }
    }

    /// The characters of a URL that stay, beside letters and digits.
    private static let isURLMark: [Bool] = (0..<256).map { byte in
        "-_.+!*(),%#@?=;:/$~".utf8.contains { Int($0) == byte }
    }

    /// A URL for an attribute in double quotes, as libcmark writes it: characters that a URL cannot
    /// have are percent-encoded, encoded ones stay.
    public static func escapeURL(_ url: String) -> String {
        var bytes: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in url.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "'"): bytes += "&#x27;".utf8
            case 48...57, 65...90, 97...122: bytes.append(byte)
            case _ where isURLMark[Int(byte)]: bytes.append(byte)
            default: bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a URL runs a program or opens a file where it is clicked.
    public static func isDangerous(_ url: String) -> Bool {
        // Browsers leave out white space and control characters before and inside a scheme.
        let letters = url.utf8.lazy.filter { $0 > 0x20 && $0 != 0x7F }.prefix(32)
        // A scheme ends with a colon.
        guard letters.contains(UInt8(ascii: ":")) else { return false }
        let start = String(decoding: letters, as: UTF8.self).lowercased()
        if ["png", "gif", "jpeg", "webp"].contains(where: { start.hasPrefix("data:image/\($0)") }) {
            return false
        }
        return ["javascript:", "vbscript:", "file:", "data:"].contains { start.hasPrefix($0) }
    }
}
