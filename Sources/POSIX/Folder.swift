import CPOSIX
import Glibc

/// Lists, creates and removes folders by path.
public enum Folder {
    public struct Entry: Sendable, Equatable {
        /// The name on disk.
        public let name: String
        /// The status of the entry itself; links are not followed, as ``FileStatus`` can.
        public let status: FileStatus

        public var kind: FileStatus.Kind { status.kind }
    }

    /// Lists a folder, sorted by the bytes of the names, without `.` and `..`.
    ///
    /// - Throws: `EILSEQ` with the path if a name is not UTF-8: such a file has no URL.
    public static func entries(of path: String) throws(SystemError) -> [Entry] {
        try entries(of: FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY), path)
    }

    /// The names in a folder, in the order of the disk, without `.` and `..`.
    ///
    /// Unlike ``entries(of:)``, it does not fail if a file is removed at the same moment.
    public static func names(in path: String) throws(SystemError) -> [String] {
        try names(of: FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY), path)
    }

    /// - Parameter path: for errors.
    static func names(
        of folder: consuming FileDescriptor,
        _ path: String
    ) throws(SystemError) -> [String] {
        var names: [String] = []
        try unsafe forEachName(in: folder, path) { name, _ throws(SystemError) in
            names.append(try unsafe text(name, path))
        }
        return names
    }

    /// Lists an open folder.
    ///
    /// - Parameter path: for errors.
    static func entries(
        of folder: consuming FileDescriptor,
        _ path: String
    ) throws(SystemError) -> [Entry] {
        try unsafe entries(of: folder, path) { unsafe getdents64($0, $1, $2) }
    }

    /// Reads entries of an open folder as `getdents64(2)` does: `0` at the end, and `-1` after an
    /// error, with `errno` set.
    typealias ReadEntries = (Int32, UnsafeMutableRawPointer, _ room: Int) -> Int

    private static let bufferBytes = 32_768

    /// - Parameter read: replaced in tests, because no file system fails on demand.
    static func entries(
        of folder: consuming FileDescriptor,
        _ path: String,
        read: ReadEntries
    ) throws(SystemError) -> [Entry] {
        var entries: [Entry] = []
        try unsafe forEachName(in: folder, path, read) { name, _ throws(SystemError) in
            let name = try unsafe text(name, path)
            let status = try FileStatus(of: name, in: folder.number, path: path)
            entries.append(Entry(name: name, status: status))
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Calls `body` with each name of an open folder but `.` and `..`, in the order of the disk,
    /// and with the kind of the entry as `readdir(3)` has it.
    ///
    /// A failed read throws: if it looked like the end of the folder, files would be left out
    /// silently; one of them may be the file that says who may read the others.
    private static func forEachName(
        in folder: borrowing FileDescriptor,
        _ path: String,
        _ read: ReadEntries = { unsafe getdents64($0, $1, $2) },
        _ body: (UnsafePointer<CChar>, _ kind: UInt8) throws(SystemError) -> Void
    ) throws(SystemError) {
        let buffer = UnsafeMutableRawPointer.allocate(
            byteCount: bufferBytes,
            alignment: 8
        )
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe read(folder.number, buffer, bufferBytes)
            guard count >= 0 else { throw SystemError("getdents64", path) }
            if count == 0 { return }
            // getdents(2): inode and offset, eight bytes each, the length of the entry, its kind,
            // and the name, which ends with a zero byte.
            var start = 0
            while start < count {
                let entry = unsafe UnsafeRawPointer(buffer) + start
                let name = unsafe (entry + 19).assumingMemoryBound(to: CChar.self)
                if unsafe strcmp(name, ".") != 0, unsafe strcmp(name, "..") != 0 {
                    try unsafe body(name, entry.load(fromByteOffset: 18, as: UInt8.self))
                }
                start += unsafe Int(entry.load(fromByteOffset: 16, as: UInt16.self))
            }
        }
    }

    /// Removes the files of a folder whose last change is before a time, in seconds since 1970.
    ///
    /// The entries are handled one by one, so that a folder of a million files costs time and no
    /// memory. A file that another process removes at the same moment is no error.
    ///
    /// - Returns: the number of remaining entries.
    public static func removeFiles(
        in path: String,
        changedBefore time: Int
    ) throws(SystemError) -> Int {
        let folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        var left = 0
        try unsafe forEachName(in: folder, path) { name, _ throws(SystemError) in
            do throws(SystemError) {
                let status = try unsafe FileStatus(
                    of: String(cString: name),
                    in: folder.number,
                    path: path
                )
                guard status.kind == .file, status.modifiedSeconds < time else {
                    left += 1
                    return
                }
                try unsafe removeFile(name, in: folder.number, path)
            } catch {
                guard error.isMissingFile else { throw error }
            }
        }
        return left
    }

    /// The folder that a path is in.
    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates a folder and the folders above it; an existing folder is left as it is.
    public static func create(_ path: String, mode: UInt32 = 0o755) throws(SystemError) {
        if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
        let parent = parent(of: path)
        guard errno == ENOENT, parent != ".", parent != "/" else {
            throw SystemError("mkdir", path)
        }
        try create(parent, mode: mode)
        guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else {
            throw SystemError("mkdir", path)
        }
    }

    /// Creates a folder with a new name that no other user may open (mode 0700).
    public static func createPrivate(_ prefix: String) throws(SystemError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemError("mkdtemp", prefix) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Syncs the entries of a folder to disk: names that were made, changed or removed.
    public static func sync(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        guard fsync(folder.number) == 0 else { throw SystemError("fsync", path) }
    }

    /// Syncs the file system of a folder to disk.
    ///
    /// For thousands of new files, this one call is many times faster than `fsync(2)` for each.
    public static func syncFileSystem(of path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        guard syncfs(folder.number) == 0 else { throw SystemError("syncfs", path) }
    }

    /// Removes a folder and everything below it; links are removed, never followed.
    ///
    /// What another process removes at the same moment is no error, nor is a missing folder.
    ///
    /// - Parameter file: the name of a file that is the only one in many of the folders below; they
    ///   are removed without being read.
    public static func remove(_ path: String, usually file: String? = nil) throws(SystemError) {
        try remove(path, in: AT_FDCWD, path, usually: file)
    }

    private static func remove(
        _ name: String,
        in above: Int32,
        _ path: String,
        usually file: String?
    ) throws(SystemError) {
        if let folder = try open(name, in: above, path) {
            for child in try removeFiles(in: folder, path) {
                if let file, unsafe unlinkat(folder.number, "\(child)/\(file)", 0) == 0,
                    unsafe unlinkat(folder.number, child, AT_REMOVEDIR) == 0
                {
                    continue
                }
                try remove(child, in: folder.number, "\(path)/\(child)", usually: file)
            }
        }
        guard unsafe unlinkat(above, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw SystemError("rmdir", path)
        }
    }

    /// Removes the files in a folder, and leaves the folders in it, as ``remove(_:)`` does.
    ///
    /// - Returns: the names of these folders.
    public static func removeFiles(in path: String) throws(SystemError) -> [String] {
        guard let folder = try open(path, in: AT_FDCWD, path) else { return [] }
        return try removeFiles(in: folder, path)
    }

    private static func removeFiles(
        in folder: borrowing FileDescriptor,
        _ path: String
    ) throws(SystemError) -> [String] {
        var folders: [String] = []
        do throws(SystemError) {
            try unsafe forEachName(in: folder, path) { name, kind throws(SystemError) in
                if unsafe isFolder(name, kind, in: folder.number) {
                    folders.append(try unsafe text(name, path))
                } else {
                    try unsafe removeFile(name, in: folder.number, path)
                }
            }
        } catch {
            // The folder was removed after it was opened.
            guard error.number == ENOENT else { throw error }
        }
        return folders
    }

    private static func isFolder(
        _ name: UnsafePointer<CChar>,
        _ kind: UInt8,
        in folder: Int32
    ) -> Bool {
        guard kind == DT_UNKNOWN else { return kind == DT_DIR }
        let status = try? unsafe FileStatus(of: String(cString: name), in: folder, path: "")
        return status?.kind == .folder
    }

    private static func removeFile(
        _ name: UnsafePointer<CChar>,
        in folder: Int32,
        _ path: String
    ) throws(SystemError) {
        guard unsafe unlinkat(folder, name, 0) == 0 || errno == ENOENT else {
            throw SystemError("unlink", "\(path)/\(unsafe String(cString: name))")
        }
    }

    /// Opens a folder, unless it is missing.
    private static func open(
        _ name: String,
        in above: Int32,
        _ path: String
    ) throws(SystemError) -> FileDescriptor? {
        do throws(SystemError) {
            let flags = O_RDONLY | O_DIRECTORY
            return try FileDescriptor(opening: name, in: above, flags: flags, path: path)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    private static func text(
        _ name: UnsafePointer<CChar>,
        _ path: String
    ) throws(SystemError) -> String {
        guard let text = unsafe String(validatingCString: name) else {
            throw SystemError("getdents64", path, number: EILSEQ)
        }
        return text
    }
}
