import POSIX
import RelyingParty

extension FileSnapshot {
    /// Reads a file of the configuration, or returns `nil` if it does not exist.
    static let onDisk: ReadFile = { path in
        do throws(SystemError) {
            let bytes = try File.read(path, maximumBytes: 1 << 20)
            let status = try FileStatus(of: path)
            return FileSnapshot(
                bytes: bytes,
                isAccessibleToOthers: status.permissions & 0o007 != 0,
                isWritableByOthers: status.permissions & 0o002 != 0
            )
        } catch {
            if error.isMissingFile { return nil }
            throw error
        }
    }
}
