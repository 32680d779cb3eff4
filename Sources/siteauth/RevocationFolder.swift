import POSIX

/// The sessions that were ended, an empty file for each.
///
/// A folder is shared by all processes of a machine without a lock, and outlives them. A check
/// costs two calls of `stat(2)`.
struct RevocationFolder: Sendable {
    private let path: String

    init(_ state: String) { path = "\(state)/revoked" }

    func create() throws(SystemError) { try Folder.create(path, mode: 0o700) }

    /// Whether a session was ended.
    ///
    /// Without a folder nobody knows, so the answer is yes.
    @Sendable func contains(_ sessionID: String) -> Bool {
        guard let folder = try? FileStatus(of: path), folder.kind == .folder else { return true }
        do {
            _ = try FileStatus(of: "\(path)/\(sessionID)")
            return true
        } catch {
            return !error.isMissingFile
        }
    }

    /// - Returns: whether it is written down for good.
    @Sendable func add(_ sessionID: String) -> Bool {
        (try? File.touchDurably("\(path)/\(sessionID)", in: path)) != nil
    }

    /// How many there are; `nil` where nobody can say.
    var count: Int? { (try? Folder.entries(of: path))?.count }

    /// Forgets sessions that would have ended by themselves before `time`.
    func removeEntries(before time: Int) throws(SystemError) {
        for entry in try Folder.entries(of: path) {
            let file = "\(path)/\(entry.name)"
            if try FileStatus(of: file).modifiedSeconds < time { try File.remove(file) }
        }
    }
}
