import Glibc

/// Reads, writes, links and removes whole files by path.
public enum File {
    /// Reads a regular file; a pipe or a device, which might block or never end, is an error.
    public static func read(
        _ path: String,
        maximumBytes: Int = 1 << 30
    ) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
        return try read(file, path, maximumBytes)
    }

    /// Reads an open file if it is a regular file.
    static func read(
        _ file: borrowing FileDescriptor,
        _ path: String,
        _ maximumBytes: Int
    ) throws(SystemError) -> [UInt8] {
        let size = try regularSize(of: file, path)
        guard size <= maximumBytes else { throw SystemError("read", path, number: EFBIG) }
        return try readAll(file.number, path, expected: size, maximumBytes)
    }

    /// Reads the first bytes of an open file, and no more, if it is a regular file.
    static func readStart(
        _ file: borrowing FileDescriptor,
        _ path: String,
        bytes count: Int
    ) throws(SystemError) -> [UInt8] {
        let number = file.number
        _ = try regularSize(of: file, path)
        while true {
            var used = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                used = unsafe Glibc.pread(number, buffer.baseAddress, count, 0)
                filled = max(used, 0)
            }
            if used >= 0 { return bytes }
            guard errno == EINTR else { throw SystemError("read", path) }
        }
    }

    private static func regularSize(
        of file: borrowing FileDescriptor,
        _ path: String
    ) throws(SystemError) -> Int {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw SystemError("fstat", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw SystemError("read", path, number: isFolder ? EISDIR : EINVAL)
        }
        return Int(status.st_size)
    }

    /// Reads standard input to its end.
    public static func readStandardInput(
        maximumBytes: Int = 1 << 30
    ) throws(SystemError) -> [UInt8] {
        try readAll(0, "standard input", expected: 0, maximumBytes)
    }

    /// Creates a file, or overwrites it.
    public static func write(
        _ bytes: [UInt8],
        to path: String,
        mode: UInt32 = 0o644
    ) throws(SystemError) {
        let file = try FileDescriptor(
            opening: path,
            flags: O_WRONLY | O_CREAT | O_TRUNC,
            mode: mode
        )
        try writeAll(bytes, to: file.number, path)
    }

    /// Creates a file that must not exist, not even as a link.
    public static func create(
        _ bytes: [UInt8],
        at path: String,
        mode: UInt32 = 0o644
    ) throws(SystemError) {
        let file = try FileDescriptor(
            opening: path,
            flags: O_WRONLY | O_CREAT | O_EXCL,
            mode: mode
        )
        try writeAll(bytes, to: file.number, path)
    }

    /// Gives a file a second name (a hard link).
    public static func link(_ path: String, as newPath: String) throws(SystemError) {
        guard unsafe Glibc.link(path, newPath) == 0 else { throw SystemError("link", newPath) }
    }

    public static func rename(_ path: String, to newPath: String) throws(SystemError) {
        guard unsafe Glibc.rename(path, newPath) == 0 else {
            throw SystemError("rename", newPath)
        }
    }

    public static func remove(_ path: String) throws(SystemError) {
        guard unsafe unlink(path) == 0 else { throw SystemError("unlink", path) }
    }

    /// Sets the time of the last change, in seconds since 1970.
    public static func setModified(_ path: String, seconds: Int) throws(SystemError) {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        guard unsafe utimensat(AT_FDCWD, path, [time, time], 0) == 0 else {
            throw SystemError("utimensat", path)
        }
    }

    static func writeAll(
        _ bytes: [UInt8],
        to descriptor: Int32,
        _ path: String
    ) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor,
                    buffer.baseAddress?.advanced(by: start),
                    buffer.count - start
                )
            }
            guard count >= 0 || errno == EINTR else { throw SystemError("write", path) }
            start += max(count, 0)
        }
    }

    private static func readAll(
        _ descriptor: Int32,
        _ path: String,
        expected: Int,
        _ maximumBytes: Int
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        // One byte more than expected, so that the same round sees the end of the file.
        var room = expected + 1
        while true {
            let chunk = expected > 0 && bytes.isEmpty ? room : max(room, 65_536)
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: chunk) { buffer, used in
                count = unsafe Glibc.read(descriptor, buffer.baseAddress, chunk)
                used = max(count, 0)
            }
            guard count >= 0 || errno == EINTR else { throw SystemError("read", path) }
            if count == 0 { return bytes }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            // A regular file returns all of its bytes.
            if count == expected, expected > 0, bytes.count == expected { return bytes }
            guard bytes.count <= maximumBytes else {
                throw SystemError("read", path, number: EFBIG)
            }
            room -= max(count, 0)
        }
    }
}
