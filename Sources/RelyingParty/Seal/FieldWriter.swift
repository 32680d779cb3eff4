import SiteauthConfiguration

/// Writes fields with their lengths in front, so that no byte can move from one field to the next.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(byte: UInt8) { bytes.append(byte) }

    /// Writes at most 65,535 bytes of a field; the reader refuses a value whose field was cut.
    mutating func write(_ field: [UInt8]) {
        let count = UInt16(clamping: field.count)
        bytes += [UInt8(count >> 8), UInt8(count & 0xFF)]
        bytes += field.prefix(Int(count))
    }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ text: CompactText) {
        write(byte: text.isGUID ? 1 : 0)
        if text.isGUID { bytes += text.bytes } else { write(text.bytes) }
    }

    mutating func write(_ number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func write(_ date: NumericDate) { write(UInt64(bitPattern: Int64(date))) }
}

/// Reads what ``FieldWriter`` wrote; returns `nil` if bytes are missing.
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

    mutating func compactText() -> CompactText? {
        switch byte() {
        case 0:
            guard let text = field(), String(validating: text, as: UTF8.self) != nil else {
                return nil
            }
            return CompactText(bytes: text, isGUID: false)
        case 1:
            guard bytes.count >= 16 else { return nil }
            defer { bytes = bytes.dropFirst(16) }
            return CompactText(bytes: Array(bytes.prefix(16)), isGUID: true)
        default: return nil
        }
    }

    mutating func number() -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        defer { bytes = bytes.dropFirst(8) }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A date before the year 10000, so that sums with it cannot overflow.
    mutating func date() -> NumericDate? {
        guard let number = number(), number <= 253_402_300_799 else { return nil }
        return Int(number)
    }
}
