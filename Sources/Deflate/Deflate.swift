import CDeflate

/// The DEFLATE format (RFC 1951), for data whose size the reader knows beforehand.
public enum Deflate {
    private static let level: Int32 = 6

    public static func compress(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard let compressor = unsafe libdeflate_alloc_compressor(level) else {
            fatalError("no memory for libdeflate")
        }
        defer { unsafe libdeflate_free_compressor(compressor) }
        let bound = unsafe libdeflate_deflate_compress_bound(compressor, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = unsafe bytes.withUnsafeBytes { input in
                unsafe libdeflate_deflate_compress(
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

    /// Decompresses data of a stranger: never writes more than `size` bytes, however much the data
    /// would become.
    ///
    /// - Returns: `nil` unless the data, to its last byte, becomes exactly `size` bytes.
    public static func decompress(_ data: [UInt8], size: Int) -> [UInt8]? {
        unsafe decompress(data, size: size, libdeflate_deflate_decompress_ex)
    }

    /// - Parameter decompress: libdeflate's function for the format.
    static func decompress(
        _ data: [UInt8],
        size: Int,
        _ decompress:
            @convention(c) (
                OpaquePointer?, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int,
                UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Int>?
            ) -> libdeflate_result
    ) -> [UInt8]? {
        guard let decompressor = unsafe libdeflate_alloc_decompressor() else {
            fatalError("no memory for libdeflate")
        }
        defer { unsafe libdeflate_free_decompressor(decompressor) }
        var isWhole = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
            var used = 0
            let result = unsafe data.withUnsafeBytes { input in
                unsafe decompress(
                    decompressor,
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    size,
                    &used,
                    // Without a place for the size, any other size is an error.
                    nil
                )
            }
            isWhole = result == LIBDEFLATE_SUCCESS && used == data.count
            count = isWhole ? size : 0
        }
        return isWhole ? bytes : nil
    }
}
