import POSIX
import RelyingParty

/// What the provider published, kept in the state folder: with it, a start needs no network.
///
/// Whoever can write the file can let anybody in, so it is believed only if nobody else can.
struct MetadataFile: Sendable {
    private let path: String

    init(_ state: String) { path = "\(state)/provider.json" }

    @Sendable func read() -> [UInt8]? {
        guard let status = try? FileStatus(of: path, followingLinks: false), status.kind == .file,
            status.owner == Host.userID, status.permissions & 0o022 == 0
        else { return nil }
        return try? File.read(path, maximumBytes: 4 << 20)
    }

    /// Writes a new file and puts it in the old one's place, so that there is never half of one.
    @Sendable func write(_ bytes: [UInt8]) -> Bool {
        // Several processes may write at once; each writes a file of its own.
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
