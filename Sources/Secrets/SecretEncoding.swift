import JOSE

/// Decodes a secret that is written as hexadecimal or base64, because such an encoding hides a weak
/// text but does not strengthen it.
enum SecretEncoding {
    /// Nested encodings, such as base64 of hexadecimal, are decoded to this depth.
    private static let depth = 3

    /// All decodings of a text, and the decodings of those.
    static func decodings(of text: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var level = [text]
        for _ in 0..<depth {
            level = level.flatMap { [hexadecimal($0), base64($0), twoByteText($0)] }
                .compactMap(\.self)
            found += level
        }
        return found
    }

    /// Whether it is text in UTF-8, without control characters but line ends and tabs.
    static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || [9, 10, 13].contains($0) }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Decodes hexadecimal, with the prefixes and separators that people write.
    static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
        let isPrefixed = text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8)
        var digits: [UInt8] = []
        for byte in text.dropFirst(isPrefixed ? 2 : 0) where !":- \n".utf8.contains(byte) {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            digits.append(UInt8(digit))
        }
        guard digits.count >= 16 else { return nil }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Decodes base64 in either alphabet; an incomplete last group is ignored.
    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        let characters = text.filter { !"=\r\n".utf8.contains($0) }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        guard characters.count >= 16 else { return nil }
        return Base64URL.decode(characters)
            ?? Base64URL.decode(Array(characters.dropLast(characters.count % 4)))
    }

    /// Decodes ASCII in UTF-16, which PowerShell writes.
    private static func twoByteText(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 16, bytes.count.isMultiple(of: 2) else { return nil }
        for first in [0, 1] {
            let other = stride(from: 1 - first, to: bytes.count, by: 2)
            guard other.allSatisfy({ bytes[$0] == 0 }) else { continue }
            return stride(from: first, to: bytes.count, by: 2).map { bytes[$0] }
        }
        return nil
    }
}

/// Estimates how hard bytes are to guess: equal steps and repetitions add little.
struct ByteEstimate {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var bits: Double {
        // In random bytes, few values occur twice.
        let distinct = Set(bytes).count
        let limit =
            distinct * 2 > bytes.count ? 8 : Double(Int.bitWidth - distinct.leadingZeroBitCount)
        var bits = 0.0
        var index = 0
        while index < bytes.count {
            let count = max(run(at: index), repetition(at: index))
            if count >= 4 {
                bits += 16
                index += count
            } else {
                bits += limit
                index += 1
            }
        }
        return bits
    }

    /// The length of the run from `index` that rises or falls in equal steps, or is constant.
    private func run(at index: Int) -> Int {
        guard index + 1 < bytes.count else { return 1 }
        let step = bytes[index + 1] &- bytes[index]
        var end = index + 2
        while end < bytes.count, bytes[end] &- bytes[end - 1] == step { end += 1 }
        return end - index
    }

    /// The length of the text from `index` on that occurred before.
    private func repetition(at index: Int) -> Int {
        (0..<index).map { start in zip(bytes[start...], bytes[index...]).prefix { $0 == $1 }.count }
            .max() ?? 0
    }
}
