import POSIX
import RelyingParty
import SiteauthConfiguration

extension FileSnapshot {
    /// Reads a file of the configuration, or returns `nil` if it does not exist.
    static let onDisk: ReadFile = { path in
        do throws(SystemError) {
            let bytes = try File.read(path, maximumBytes: 1 << 20)
            let status = try FileStatus(of: path)
            return FileSnapshot(
                bytes: bytes,
                isAccessibleToOthers: status.isAccessibleToOthers,
                isWritableByOthers: status.permissions & 0o002 != 0
            )
        } catch {
            if error.isMissingFile { return nil }
            throw error
        }
    }
}

extension FileStatus {
    /// Whether a file of secrets has permissions for accounts that do not need them.
    ///
    /// A group may read a file of `root` or of another account, because siteauth reads it as a
    /// member of that group. A group that may write could name another provider.
    var isAccessibleToOthers: Bool {
        if permissions & 0o027 != 0 { return true }
        return permissions & 0o040 != 0 && owner != 0 && owner == Host.userID
    }

    /// Whether no group but that of `root` can read the file.
    var isForRootOnly: Bool {
        owner == 0 && permissions & 0o004 == 0 && (permissions & 0o040 == 0 || group == 0)
    }

    /// The mode that such a file should have.
    var recommendedMode: String { owner == 0 && group != 0 ? "640" : "600" }
}
