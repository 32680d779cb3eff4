import OpenSSL

/// A text that is stored in 16 bytes if it is a GUID, and that a check can compare without decoding
/// it.
package struct CompactText: Sendable, Equatable {
    /// The 16 bytes of a GUID, or a text in UTF-8.
    package let bytes: [UInt8]
    package let isGUID: Bool

    package init(_ text: String) {
        let guid = Self.guidBytes(text)
        bytes = guid ?? Array(text.utf8)
        isGUID = guid != nil
    }

    package init(bytes: [UInt8], isGUID: Bool) {
        self.bytes = bytes
        self.isGUID = isGUID
    }

    package var text: String {
        guard isGUID else { return String(decoding: bytes, as: UTF8.self) }
        let digits = Array(Digest.hexadecimal(bytes).utf8)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
    }

    /// The bytes of a GUID in the one spelling that ``text`` gives back.
    private static func guidBytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 36, [8, 13, 18, 23].allSatisfy({ digits[$0] == UInt8(ascii: "-") })
        else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for (index, digit) in digits.enumerated() where ![8, 13, 18, 23].contains(index) {
            let value: UInt8
            switch digit {
            case 48...57: value = digit - 48
            case 97...102: value = digit - 87
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}
