import CZlib

/// The gzip file format (RFC 1952).
public enum Gzip {
    /// Compresses bytes at the highest level, without name or time, so that the same bytes always
    /// give the same file.
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        let begun = unsafe shim_deflate_init_gzip(&stream, Z_BEST_COMPRESSION)
        precondition(begun == Z_OK, "zlib does not start")
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            unsafe input.withUnsafeMutableBufferPointer { source in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                let end = unsafe deflate(&stream, Z_FINISH)
                precondition(end == Z_STREAM_END, "zlib needs more room than it said")
            }
            count = unsafe Int(stream.total_out)
        }
    }

    /// Whether ``compress(_:)`` made a file from these bytes, judged by the file's checksum.
    public static func isCompressed(_ file: [UInt8], from bytes: [UInt8]) -> Bool {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3]
        guard file.count >= 18, file.starts(with: header) else { return false }
        let sum = unsafe UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(bytes.count)))
        let length = UInt32(truncatingIfNeeded: bytes.count)
        let trailer = [sum, length].flatMap { value in
            [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return file.suffix(8).elementsEqual(trailer)
    }
}
