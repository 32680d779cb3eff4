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

    /// Lists an open folder.
    ///
    /// - Parameter path: for errors.
    static func entries(
        of folder: consuming FileDescriptor,
        _ path: String
    ) throws(SystemError) -> [Entry] {
        try unsafe entries(of: folder, path) { unsafe readdir($0) }
    }

    /// Reads the next entry of a folder as `readdir(3)` does: `nil` at the end, and also after an
    /// error, with `errno` set.
    typealias NextEntry = (OpaquePointer) -> UnsafeMutablePointer<dirent>?

    /// - Parameter next: replaced in tests, because no file system fails on demand.
    static func entries(
        of folder: consuming FileDescriptor,
        _ path: String,
        next: NextEntry
    ) throws(SystemError) -> [Entry] {
        var entries: [Entry] = []
        try unsafe forEachName(in: folder, path, next: next) { name throws(SystemError) in
            let status = try FileStatus(of: name, in: folder.number, path: path)
            entries.append(Entry(name: name, status: status))
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Calls `body` with each name of an open folder but `.` and `..`, in the order of the disk.
    private static func forEachName(
        in folder: borrowing FileDescriptor,
        _ path: String,
        next: NextEntry,
        _ body: (String) throws(SystemError) -> Void
    ) throws(SystemError) {
        // Closing the stream closes its descriptor, so it gets a copy.
        let number = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw SystemError("fcntl", path) }
        guard let stream = unsafe fdopendir(number) else {
            let error = SystemError("fdopendir", path)
            close(number)
            throw error
        }
        defer { unsafe closedir(stream) }
        while true {
            // A failed read that looks like the end of the folder would silently leave out files;
            // one of them may be the file that says who may read the others.
            errno = 0
            guard let entry = unsafe next(stream) else {
                guard errno == 0 else { throw SystemError("readdir", path) }
                return
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
                    unsafe String(validatingCString: characters)
                }
            }
            guard let name else { throw SystemError("readdir", path, number: EILSEQ) }
            if name != ".", name != ".." { try body(name) }
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
        try unsafe forEachName(in: folder, path, next: { unsafe readdir($0) }) {
            name throws(SystemError) in
            do throws(SystemError) {
                let status = try FileStatus(of: name, in: folder.number, path: path)
                guard status.kind == .file, status.modifiedSeconds < time else {
                    left += 1
                    return
                }
                try File.remove("\(path)/\(name)")
            } catch {
                guard error.isMissingFile else { throw error }
            }
        }
        return left
    }

    /// Creates a folder and the folders above it; an existing folder is left as it is.
    public static func create(_ path: String, mode: UInt32 = 0o755) throws(SystemError) {
        if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex
        else { throw SystemError("mkdir", path) }
        try create(String(path[..<slash]), mode: mode)
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
    public static func remove(_ path: String) throws(SystemError) {
        for entry in try entries(of: path) {
            let child = path + "/" + entry.name
            if entry.kind == .folder { try remove(child) } else { try File.remove(child) }
        }
        guard unsafe rmdir(path) == 0 else { throw SystemError("rmdir", path) }
    }
}
