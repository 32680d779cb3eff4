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
    ///
    /// The checksum alone would say nothing: browsers show a file whose checksum is of another text.
    public static func isCompressed(_ file: [UInt8], from bytes: [UInt8]) -> Bool {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        guard file.count >= 18, file.starts(with: header) else { return false }
        let sum = unsafe bytes.withUnsafeBytes { buffer in
            unsafe libdeflate_crc32(0, buffer.baseAddress, buffer.count)
        }
        let length = UInt32(truncatingIfNeeded: bytes.count)
        let trailer = [sum, length].flatMap { value in
            [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        guard file.suffix(8).elementsEqual(trailer) else { return false }
        let data = Array(file[header.count..<file.count - trailer.count])
        return Deflate.decompress(data, size: bytes.count) == bytes
    }
}
