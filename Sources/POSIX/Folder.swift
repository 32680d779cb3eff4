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
        guard let stream = unsafe opendir(path) else { throw SystemError("opendir", path) }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
                    unsafe String(validatingCString: characters)
                }
            }
            guard let name else { throw SystemError("readdir", path, number: EILSEQ) }
            if name == "." || name == ".." { continue }
            let status = try FileStatus(of: path + "/" + name, followingLinks: false)
            entries.append(Entry(name: name, kind: status.kind))
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
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

    /// Removes a folder and all below it; links are removed, never followed.
    public static func remove(_ path: String) throws(SystemError) {
        for entry in try entries(of: path) {
            let child = path + "/" + entry.name
            if entry.kind == .folder { try remove(child) } else { try File.remove(child) }
        }
        guard unsafe rmdir(path) == 0 else { throw SystemError("rmdir", path) }
    }
}
