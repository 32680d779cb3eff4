/// An invisible character: white space, or a character without width.
struct InvisibleScalar {
    let value: Unicode.Scalar
    /// In bytes.
    let length: Int

    /// - Parameter bytes: UTF-8.
    /// - Returns: `nil` if the character is visible.
    init?(_ bytes: [UInt8], at start: Int) {
        let first = bytes[start]
        if first < 0x80 {
            guard first <= 0x20 || first == 0x7F else { return nil }
            (value, length) = (Unicode.Scalar(first), 1)
            return
        }
        let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let end = min(start + count, bytes.count)
        let scalars = String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars
        guard let scalar = scalars.first, Self.isInvisible(scalar) else { return nil }
        (value, length) = (scalar, end - start)
    }

    /// Whether the character takes up space on its line.
    var isSpace: Bool { value.properties.isWhitespace }

    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
        return properties.generalCategory == .control || properties.generalCategory == .format
    }
}
