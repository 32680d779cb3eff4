import Glibc

/// An open folder that this program fills with files.
///
/// Each path is relative to the folder, so the system looks up a few names and not all that lead to
/// the folder. Many threads may call it at once. Unlike an ``OpenFolder``, it is only for folders to
/// which nobody else may write: links on the way to a file are followed.
public final class OutputFolder: Sendable {
    private let folder: FileDescriptor
    /// The path that was opened, for errors.
    private let path: String

    public init(_ path: String) throws(SystemError) {
        folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        self.path = path
    }

    /// The status of a file, or `nil` if it cannot be found; a link is not followed.
    public func status(of file: String) -> FileStatus? {
        try? FileStatus(of: file, in: folder.number, path: path)
    }

    public func read(_ file: String) throws(SystemError) -> [UInt8] {
        let display = "\(path)/\(file)"
        let flags = O_RDONLY | O_NONBLOCK
        let open = try FileDescriptor(
            opening: file,
            in: folder.number,
            flags: flags,
            path: display
        )
        return try File.read(open, display, 1 << 30)
    }

    /// Creates the folder of a file, and the folders above it, unless they exist.
    public func createFolder(of file: String) throws(SystemError) {
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        let name = String(file[..<slash])
        if unsafe mkdirat(folder.number, name, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, name.utf8.contains(UInt8(ascii: "/")) else {
            throw SystemError("mkdirat", "\(path)/\(name)")
        }
        try createFolder(of: name)
        guard unsafe mkdirat(folder.number, name, 0o755) == 0 || errno == EEXIST else {
            throw SystemError("mkdirat", "\(path)/\(name)")
        }
    }

    /// Creates a file that must not exist: a file of that name may be a link to a file elsewhere,
    /// which would be overwritten, too.
    public func create(_ bytes: [UInt8], at file: String) throws(SystemError) -> FileStatus {
        let display = "\(path)/\(file)"
        let new = try FileDescriptor(
            opening: file,
            in: folder.number,
            flags: O_WRONLY | O_CREAT | O_EXCL,
            mode: 0o644,
            path: display
        )
        try File.writeAll(bytes, to: new.number, display)
        return try FileStatus(ofOpen: new.number, path: display)
    }

    /// Sets the time of the last change, in seconds since 1970.
    ///
    /// - Returns: the status of the file with this time.
    public func setModified(_ file: String, seconds: Int) throws(SystemError) -> FileStatus {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        guard unsafe utimensat(folder.number, file, [time, time], 0) == 0 else {
            throw SystemError("utimensat", "\(path)/\(file)")
        }
        return try FileStatus(of: file, in: folder.number, path: path)
    }

    /// Gives a file of another folder the same name in this folder (a hard link).
    public func link(_ file: String, from other: OutputFolder) throws(SystemError) {
        let (source, target) = (other.folder.number, folder.number)
        guard unsafe linkat(source, file, target, file, 0) == 0 else {
            throw SystemError("linkat", "\(path)/\(file)")
        }
    }
}
