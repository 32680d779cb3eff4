import CUTF8Proc

/// What Unicode says of a character and Swift's library without Foundation does not tell.
extension Unicode.Scalar {
    /// How many columns of a terminal the character takes: 0 for a mark on another one, 2 for wide
    /// ones (Unicode Standard Annex 11).
    public var columns: Int { Int(utf8proc_charwidth(Int32(value))) }

    /// In lower case and taken apart: normalization form NFKD.
    public var lowercaseDecomposition: [Unicode.Scalar] {
        // The longest one, of U+FDFA, has 18.
        let room = 32
        let scalars = unsafe [Int32](unsafeUninitializedCapacity: room) { buffer, count in
            var boundary: Int32 = 0
            let length = unsafe utf8proc_decompose_char(
                utf8proc_tolower(Int32(value)),
                buffer.baseAddress,
                room,
                utf8proc_option_t(UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue),
                &boundary
            )
            count = min(max(length, 0), room)
        }
        return scalars.compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
    }
}

/// Normalization of text (Unicode Standard Annex 15).
public enum Normalization {
    /// What is in normalization form D, in form C.
    public static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var values = scalars.map { Int32(bitPattern: $0.value) }
        let length = unsafe values.withUnsafeMutableBufferPointer { buffer in
            unsafe utf8proc_normalize_utf32(
                buffer.baseAddress,
                buffer.count,
                utf8proc_option_t(UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue)
            )
        }
        return values.prefix(max(length, 0)).compactMap {
            Unicode.Scalar(UInt32(bitPattern: $0))
        }
    }
}
