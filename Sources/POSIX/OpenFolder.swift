import Glibc

/// An open folder, which stays the same folder even if its path comes to mean another one.
///
/// No symbolic link below it is followed, neither for a file nor for a folder on the way. Otherwise
/// a user who may write to the folder could replace a listed file by a link, and have any file read
/// that this process may read.
public final class OpenFolder: Sendable {
    private let folder: FileDescriptor
    /// The path that was opened, for errors.
    private let path: String

    /// Opens a folder; its own path may contain links.
    public init(_ path: String) throws(SystemError) {
        folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        self.path = path
    }

    /// Reads a regular file below the folder.
    public func read(
        _ file: String,
        maximumBytes: Int = 1 << 30
    ) throws(SystemError) -> [UInt8] {
        try File.read(open(file, O_RDONLY | O_NONBLOCK), "\(path)/\(file)", maximumBytes)
    }

    /// Reads the first bytes of a regular file below the folder, and no more.
    public func readStart(_ file: String, bytes count: Int) throws(SystemError) -> [UInt8] {
        try File.readStart(open(file, O_RDONLY | O_NONBLOCK), "\(path)/\(file)", bytes: count)
    }

    /// Lists a folder below this one, or this one for an empty path, as ``Folder/entries(of:)``.
    public func entries(of subfolder: String = "") throws(SystemError) -> [Folder.Entry] {
        if subfolder.isEmpty {
            return try Folder.entries(
                of: FileDescriptor(
                    opening: ".",
                    in: folder.number,
                    flags: Self.folderFlags,
                    path: path
                ),
                path
            )
        }
        return try Folder.entries(of: open(subfolder, Self.folderFlags), "\(path)/\(subfolder)")
    }

    /// The names in a folder below this one, as ``Folder/names(in:)``.
    public func names(of subfolder: String) throws(SystemError) -> [String] {
        try Folder.names(of: open(subfolder, Self.folderFlags), "\(path)/\(subfolder)")
    }

    /// Creates an empty file in a folder below this one unless it exists, sets its time of change
    /// to now, and syncs the file and its folder to disk.
    ///
    /// What is there and is no regular file is an error: a pipe would block, and what a link leads to
    /// may belong to somebody else.
    ///
    /// - Returns: whether the file was created.
    public func touchDurably(_ name: String, in subfolder: String) throws(SystemError) -> Bool {
        let file = "\(subfolder)/\(name)"
        let display = "\(path)/\(file)"
        let (flags, mode): (Int32, mode_t) = (O_WRONLY | O_NONBLOCK, 0o600)
        let isNew: Bool
        let open: FileDescriptor
        do throws(SystemError) {
            open = try self.open(file, flags | O_CREAT | O_EXCL, mode)
            isNew = true
        } catch {
            guard error.number == EEXIST else { throw error }
            open = try self.open(file, flags)
            isNew = false
        }
        guard try FileStatus(ofOpen: open.number, path: display).kind == .file else {
            throw SystemError("open", display, number: EINVAL)
        }
        // Without a time, the kernel takes that of its last tick, which may lie in the second before:
        // a session that began in this second would not be ended.
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else {
            throw SystemError("clock_gettime", display)
        }
        guard unsafe futimens(open.number, [now, now]) == 0 else {
            throw SystemError("futimens", display)
        }
        guard fsync(open.number) == 0 else { throw SystemError("fsync", display) }
        let folder = try self.open(subfolder, Self.folderFlags)
        guard fsync(folder.number) == 0 else { throw SystemError("fsync", "\(path)/\(subfolder)") }
        return isNew
    }

    private static let folderFlags = O_RDONLY | O_DIRECTORY

    /// Opens a relative path, one folder after the other.
    private func open(
        _ file: String,
        _ flags: Int32,
        _ mode: mode_t = 0
    ) throws(SystemError) -> FileDescriptor {
        // By bytes, as the system does: a slash with a combining mark is another character in
        // Swift, and a link in the folder before it would be followed.
        let parts = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let names = parts.map { Substring($0) }
        let path = path
        var display: String { "\(path)/\(file)" }
        guard let last = names.last, !names.contains(where: { $0 == "" || $0 == "." || $0 == ".." })
        else { throw SystemError("open", display, number: EINVAL) }
        guard names.count > 1 else {
            return try FileDescriptor(
                opening: last,
                in: folder.number,
                flags: flags,
                mode: mode,
                path: display
            )
        }
        var above = try FileDescriptor(
            opening: names[0],
            in: folder.number,
            flags: Self.folderFlags,
            path: display
        )
        for name in names.dropFirst().dropLast() {
            above = try FileDescriptor(
                opening: name,
                in: above.number,
                flags: Self.folderFlags,
                path: display
            )
        }
        return try FileDescriptor(
            opening: last,
            in: above.number,
            flags: flags,
            mode: mode,
            path: display
        )
    }
}
