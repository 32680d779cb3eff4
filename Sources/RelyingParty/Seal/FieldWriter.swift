/// Writes fields with their lengths before them, so that no byte can move from one to the next.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(byte: UInt8) { bytes.append(byte) }

    /// At most 65,535 bytes; what is longer is cut, and its reader refuses it for what follows.
    mutating func write(_ field: [UInt8]) {
        let count = UInt16(clamping: field.count)
        bytes += [UInt8(count >> 8), UInt8(count & 0xFF)]
        bytes += field.prefix(Int(count))
    }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    /// A text that is often a GUID: then 17 bytes instead of 38.
    mutating func write(compact text: String) {
        guard let bytes = Self.guidBytes(text) else {
            write(byte: 0)
            return write(text)
        }
        write(byte: 1)
        self.bytes += bytes
    }

    /// The 16 bytes of a GUID in the one spelling that ``FieldReader`` gives back.
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

    mutating func write(_ number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func write(_ date: NumericDate) { write(UInt64(bitPattern: Int64(date))) }
}

/// Reads what ``FieldWriter`` wrote; `nil` where there is not enough of it.
struct FieldReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// Whether all was read.
    var isAtEnd: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8? { bytes.popFirst() }

    mutating func field() -> [UInt8]? {
        guard let high = bytes.popFirst(), let low = bytes.popFirst() else { return nil }
        let count = Int(high) << 8 | Int(low)
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    mutating func text() -> String? {
        field().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func compactText() -> String? {
        guard byte() == 1 else { return text() }
        guard bytes.count >= 16 else { return nil }
        defer { bytes = bytes.dropFirst(16) }
        let digits = bytes.prefix(16).map { byte in
            byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16)
        }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
            .joined(separator: "-")
    }

    mutating func number() -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        defer { bytes = bytes.dropFirst(8) }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func date() -> NumericDate? { number().map { Int(Int64(bitPattern: $0)) } }
}
