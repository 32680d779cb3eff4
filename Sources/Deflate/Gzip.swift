import CDeflate

/// The gzip file format (RFC 1952).
public enum Gzip {
    /// libdeflate's default: the next levels need up to three times the time for 0.5 % of the size.
    private static let level: Int32 = 6

    /// Compresses bytes, without name or time, so that the same bytes always give the same file.
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        guard let compressor = unsafe libdeflate_alloc_compressor(level) else {
            fatalError("no memory for libdeflate")
        }
        defer { unsafe libdeflate_free_compressor(compressor) }
        let bound = unsafe libdeflate_gzip_compress_bound(compressor, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = unsafe bytes.withUnsafeBytes { input in
                unsafe libdeflate_gzip_compress(
                    compressor,
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    output.count
                )
            }
            precondition(count > 0, "libdeflate needs more room than it said")
        }
    }

    /// Whether a file has the header that ``compress(_:)`` writes, and decompresses to these bytes.
    public static func isCompressed(_ file: [UInt8], from bytes: [UInt8]) -> Bool {
        file.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
            && decompresses(file, to: bytes)
    }

    /// Whether a file of anybody, to its last byte, decompresses to these bytes.
    ///
    /// The checksum alone would say nothing: browsers show a file whose checksum is of another text.
    public static func decompresses(_ file: [UInt8], to bytes: [UInt8]) -> Bool {
        guard let decompressor = unsafe libdeflate_alloc_decompressor() else {
            fatalError("no memory for libdeflate")
        }
        defer { unsafe libdeflate_free_decompressor(decompressor) }
        var isWhole = false
        // No more than the bytes to compare with is written, however much the file would become.
        let text = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            var used = 0
            let result = unsafe file.withUnsafeBytes { input in
                unsafe libdeflate_gzip_decompress_ex(
                    decompressor,
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    bytes.count,
                    &used,
                    // Without a place for the size, any other size is an error.
                    nil
                )
            }
            isWhole = result == LIBDEFLATE_SUCCESS && used == file.count
            count = isWhole ? bytes.count : 0
        }
        return isWhole && text == bytes
    }
}
