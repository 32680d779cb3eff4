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

    private static let folderFlags = O_RDONLY | O_DIRECTORY

    /// Opens a relative path, one folder after the other.
    private func open(_ file: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
        // By bytes, as the system does: a slash with a combining mark is another character in
        // Swift, and a link in the folder before it would be followed.
        let parts = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let names = parts.map { Substring($0) }
        let path = path
        var display: String { "\(path)/\(file)" }
        guard let last = names.last, !names.contains(where: { $0 == "" || $0 == "." || $0 == ".." })
        else { throw SystemError("open", display, number: EINVAL) }
        guard names.count > 1 else {
            return try FileDescriptor(opening: last, in: folder.number, flags: flags, path: display)
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
        return try FileDescriptor(opening: last, in: above.number, flags: flags, path: display)
    }
}
