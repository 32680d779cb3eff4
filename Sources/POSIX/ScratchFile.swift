import Glibc

/// A file that is written and read at any position, by several threads at once.
public final class ScratchFile: Sendable {
    private let file: FileDescriptor
    private let path: String

    /// Opens a file for reading and writing, and creates it if it does not exist.
    public init(opening path: String) throws(SystemError) {
        file = try FileDescriptor(
            opening: path,
            flags: O_RDWR | O_CREAT | O_NOFOLLOW,
            mode: 0o600
        )
        self.path = path
    }

    /// Creates a file that must not exist, not even as a link, and that nobody else may read.
    public init(creating path: String) throws(SystemError) {
        file = try FileDescriptor(
            opening: path,
            flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
            mode: 0o600
        )
        self.path = path
    }

    /// Opens an existing file for reading.
    public init(reading path: String) throws(SystemError) {
        file = try FileDescriptor(opening: path, flags: O_RDONLY | O_NOFOLLOW)
        self.path = path
    }

    private init(_ file: consuming FileDescriptor, _ path: String) {
        self.file = file
        self.path = path
    }

    /// Creates a file without a name, which disappears with this object or process.
    public convenience init(in folder: String) throws(SystemError) {
        // Some file systems create it without a name (open(2)); then a killed process leaves nothing.
        let flags = O_RDWR | Self.withoutName
        if let file = try? FileDescriptor(opening: folder, flags: flags, mode: 0o600) {
            self.init(file, folder)
            return
        }
        try self.init(
            creating: "\(folder)/.scratch-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        )
        _ = unsafe unlink(path)
    }

    /// `O_TMPFILE`, which is an expression in C and so does not exist in Swift.
    private static let withoutName: Int32 = 0o20_000_000 | O_DIRECTORY

    public func size() throws(SystemError) -> Int {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw SystemError("fstat", path) }
        return Int(status.st_size)
    }

    public func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    file.number,
                    buffer.baseAddress?.advanced(by: start),
                    buffer.count - start,
                    off_t(offset + start)
                )
            }
            guard count >= 0 || errno == EINTR else { throw SystemError("write", path) }
            start += max(count, 0)
        }
    }

    /// Reads a range; fewer bytes if the file ends before it.
    public func read(_ range: Range<Int>) throws(SystemError) -> [UInt8] {
        var done = 0
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, used in
            while done < range.count {
                let count = unsafe pread(
                    file.number,
                    buffer.baseAddress?.advanced(by: done),
                    range.count - done,
                    off_t(range.lowerBound + done)
                )
                if count < 0, errno == EINTR { continue }
                failed = count < 0
                if count <= 0 { break }
                done += count
            }
            used = done
        }
        if failed { throw SystemError("read", path) }
        return bytes
    }

    /// Cuts the file off.
    public func truncate(to size: Int) throws(SystemError) {
        guard ftruncate(file.number, off_t(size)) == 0 else {
            throw SystemError("ftruncate", path)
        }
    }
}
