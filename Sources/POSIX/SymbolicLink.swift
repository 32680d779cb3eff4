import Glibc

/// Reads and atomically replaces symbolic links.
public enum SymbolicLink {
    /// The target of a link, or `nil` if there is no link.
    public static func destination(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(validating: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes `path` a link to `destination`; other processes see the old link or the new one.
    public static func replace(_ path: String, with destination: String) throws(SystemError) {
        let temporary = path + ".new"
        guard unsafe unlink(temporary) == 0 || errno == ENOENT else {
            throw SystemError("unlink", temporary)
        }
        guard unsafe symlink(destination, temporary) == 0 else {
            throw SystemError("symlink", temporary)
        }
        try File.rename(temporary, to: path)
    }
}
