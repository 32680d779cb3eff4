import Bytes

/// Escapes text for HTML.
public enum HTMLText {
    /// For text and for attributes in double quotes.
    public static func escape(_ text: String) -> String {
        if isPlain(text.utf8.span) { return text }
        var bytes: [UInt8] = []
        escape(text.utf8.span, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""):
                return false
            default: continue
            }
        }
        return true
    }

    /// - Parameter apostrophes: for attributes in single quotes, too.
    public static func escape(
        _ text: Span<UInt8>,
        into bytes: inout [UInt8],
        apostrophes: Bool = false
    ) {
        // What stands between two escaped bytes is appended at once.
        var start = 0
        var index = 0
        while index < text.count {
            if index <= text.count &- 8 {
                let count = text.word(at: index).leadingWords
                index &+= count
                if count == 8 { continue }
            }
            let byte = text[index]
            index += 1
            if byte > UInt8(ascii: ">") || byte == .space { continue }
            let escape: StaticString
            switch byte {
            case UInt8(ascii: "&"): escape = "&amp;"
            case UInt8(ascii: "<"): escape = "&lt;"
            case UInt8(ascii: ">"): escape = "&gt;"
            case UInt8(ascii: "\""): escape = "&quot;"
            case UInt8(ascii: "'") where apostrophes: escape = "&#39;"
            default: continue
            }
            bytes.append(copying: text.extracting(start..<index - 1))
            bytes.append(escape)
            start = index
        }
        bytes.append(copying: text.extracting(start..<text.count))
    }

    /// A URL for an attribute in double quotes, as libcmark writes it: characters that a URL cannot
    /// have are percent-encoded, encoded ones stay.
    public static func escapeURL(_ url: String) -> String {
        if url.utf8.allSatisfy(staysInURL) { return url }
        var bytes: [UInt8] = []
        escapeURL(url.utf8.span, into: &bytes)
        // What is escaped becomes longer; a URL without it needs no memory of its own.
        return bytes.count == url.utf8.count ? url : String(decoding: bytes, as: UTF8.self)
    }

    package static func escapeURL(_ url: Span<UInt8>, into bytes: inout [UInt8]) {
        var start = 0
        for index in url.indices {
            let byte = url[index]
            if staysInURL(byte) { continue }
            bytes.append(copying: url.extracting(start..<index))
            start = index + 1
            switch byte {
            case UInt8(ascii: "&"): bytes.append("&amp;")
            case UInt8(ascii: "'"): bytes.append("&#x27;")
            default: bytes += [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 15)]
            }
        }
        bytes.append(copying: url.extracting(start..<url.count))
    }

    private static func staysInURL(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "!"), UInt8(ascii: "*"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "%"),
            UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "="),
            UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "$"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }

    /// Whether a URL runs a program or opens a file where it is clicked.
    public static func isDangerous(_ url: String) -> Bool {
        // The first letter tells of most URLs that they are harmless.
        if let first = url.utf8.first, first > 0x20, first < 0x7F,
            !"jvfd".utf8.contains(first | 0x20)
        {
            return false
        }
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
