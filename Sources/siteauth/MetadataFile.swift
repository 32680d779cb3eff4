import Jansson
import POSIX
import RelyingParty

/// The provider's documents in the state folder, so that a start needs no network.
///
/// A user who can write the file can admit anybody, so the file is used only if no other user can
/// write it.
struct MetadataFile: Sendable {
    private let path: String

    init(_ state: String) { path = "\(state)/provider.json" }

    /// Why what is kept is not used, if a newer version has kept it; it is fetched again.
    var formatProblem: String? {
        guard let members = read().flatMap({ try? JSON(parsing: $0) })?.members,
            case .integer(let version) = members["version"],
            version > CachedMetadata.version
        else { return nil }
        return "'\(path)' has version \(version), and this siteauth reads version "
            + "\(CachedMetadata.version), so the provider is asked again"
    }

    @Sendable func read() -> [UInt8]? {
        guard let status = try? FileStatus(of: path, followingLinks: false), status.kind == .file,
            status.owner == Host.userID, status.permissions & 0o022 == 0
        else { return nil }
        return try? File.read(path, maximumBytes: 4 << 20)
    }

    /// Writes a new file and renames it over the old one, so that a reader never sees half a file.
    @Sendable func write(_ bytes: [UInt8]) -> Bool {
        // Several processes may write at the same time, each to its own file.
        let fresh = "\(path).\(Host.processID)"
        do throws(SystemError) {
            try? File.remove(fresh)
            try File.create(bytes, at: fresh, mode: 0o600)
            try File.rename(fresh, to: path)
            return true
        } catch {
            try? File.remove(fresh)
            return false
        }
    }
}
