import CPOSIX
import Glibc

/// Folders: listed, made and removed by path.
public enum Folder {
    public struct Entry: Sendable, Equatable {
        /// The name as it stands on disk.
        public let name: String
        /// A link stands for itself here; use ``FileStatus`` to follow it.
        public let kind: FileStatus.Kind
    }

    /// Lists a folder, sorted by the bytes of the names, without `.` and `..`.
    ///
    /// - Throws: `EILSEQ` with the path where a name is not UTF-8: such a file has no URL.
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

    /// Reads the next entry of a folder, as `readdir(3)` does: `nil` at the end, and also where
    /// reading failed, with `errno` set.
    typealias NextEntry = (OpaquePointer) -> UnsafeMutablePointer<dirent>?

    /// - Parameter next: another one in tests: no file system fails on demand.
    static func entries(
        of folder: consuming FileDescriptor,
        _ path: String,
        next: NextEntry
    ) throws(SystemError) -> [Entry] {
        var entries: [Entry] = []
        try unsafe forEachName(in: folder, path, next: next) { name throws(SystemError) in
            let status = try FileStatus(of: name, in: folder.number, path: path)
            entries.append(Entry(name: name, kind: status.kind))
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
        // Closing the stream closes its descriptor; ours closes itself.
        let number = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw SystemError("fcntl", path) }
        guard let stream = unsafe fdopendir(number) else {
            let error = SystemError("fdopendir", path)
            close(number)
            throw error
        }
        defer { unsafe closedir(stream) }
        while true {
            // A folder whose end looks like a failed read, or the other way round, would leave out
            // files in silence; one of them may be the file that says who may read the others.
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

    /// Removes the files of a folder that were changed before a time, in seconds since 1970.
    ///
    /// One entry is looked at after the other, so that a folder of a million files costs time and
    /// no memory. A file that another process removes at the same moment is no error.
    ///
    /// - Returns: how many entries are left.
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

    /// Makes a folder and those above it; one that is there already is left as it is.
    public static func create(_ path: String, mode: UInt32 = 0o755) throws(SystemError) {
        if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex
        else { throw SystemError("mkdir", path) }
        try create(String(path[..<slash]), mode: mode)
        guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else {
            throw SystemError("mkdir", path)
        }
    }

    /// Makes a folder with a new name that nobody else may look into (mode 0700).
    public static func createPrivate(_ prefix: String) throws(SystemError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemError("mkdtemp", prefix) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Waits until the entries of a folder are on disk: names made, changed and removed.
    public static func sync(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        guard fsync(folder.number) == 0 else { throw SystemError("fsync", path) }
    }

    /// Waits until everything that was written to the file system of a folder is on disk.
    ///
    /// For thousands of new files that is one call, many times faster than `fsync(2)` for each.
    public static func syncFileSystem(of path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        guard syncfs(folder.number) == 0 else { throw SystemError("syncfs", path) }
    }

    /// Removes a folder and all below it; links are removed, never followed.
    public static func remove(_ path: String) throws(SystemError) {
        for entry in try entries(of: path) {
            let child = path + "/" + entry.name
            if entry.kind == .folder { try remove(child) } else { try File.remove(child) }
        }
        guard unsafe rmdir(path) == 0 else { throw SystemError("rmdir", path) }
    }
}
