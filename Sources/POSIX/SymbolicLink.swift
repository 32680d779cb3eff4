import Glibc

/// Symbolic links: read, and exchanged in one step.
public enum SymbolicLink {
    /// The text of a link, or `nil` where there is no link.
    public static func destination(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(validating: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Lets `path` point at `destination`; whoever looks sees the old link or the new one.
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
