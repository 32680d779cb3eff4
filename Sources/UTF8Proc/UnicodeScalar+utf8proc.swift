import CUTF8Proc

/// What Unicode says of a character and Swift's library without Foundation does not tell.
extension Unicode.Scalar {
    /// How many columns of a terminal the character takes: 0 for a mark on another one, 2 for wide
    /// ones (Unicode Standard Annex 11).
    public var columns: Int { Int(utf8proc_charwidth(Int32(value))) }

    /// Taken apart (normalization form NFKD), in lower case.
    public var lowercaseDecomposition: [Unicode.Scalar] {
        // The longest one, of U+FDFA, has 18.
        let room = 32
        let scalars = unsafe [Int32](unsafeUninitializedCapacity: room) { buffer, count in
            var boundary: Int32 = 0
            let length = unsafe utf8proc_decompose_char(
                Int32(value),
                buffer.baseAddress,
                room,
                utf8proc_option_t(UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue),
                &boundary
            )
            count = min(max(length, 0), room)
        }
        return scalars.compactMap { Unicode.Scalar(UInt32(bitPattern: utf8proc_tolower($0))) }
    }
}

/// Normalization of text (Unicode Standard Annex 15).
public enum Normalization {
    /// A text in normalization form C.
    public static func composed(_ text: [UInt8]) -> [Unicode.Scalar] {
        let options = utf8proc_option_t(UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue)
        // A byte becomes fewer than three characters.
        let room = 3 * text.count
        let scalars = unsafe [Int32](unsafeUninitializedCapacity: room) { buffer, count in
            let length = unsafe text.withUnsafeBufferPointer { text in
                unsafe utf8proc_decompose(
                    text.baseAddress,
                    text.count,
                    buffer.baseAddress,
                    room,
                    options
                )
            }
            guard (0...room).contains(length) else { return count = 0 }
            count = unsafe max(utf8proc_normalize_utf32(buffer.baseAddress, length, options), 0)
        }
        return scalars.compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
    }
}
