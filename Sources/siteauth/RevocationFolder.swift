import POSIX

/// What ended sessions, an empty file for each reason; its date says when.
///
/// A folder is shared by all processes of a machine without a lock, and outlives them. A check
/// costs a call of `stat(2)` for the folder and one for each name.
struct RevocationFolder: Sendable {
    private let path: String

    init(_ state: String) { path = "\(state)/revoked" }

    func create() throws(SystemError) { try Folder.create(path, mode: 0o700) }

    /// When each name was called last.
    ///
    /// Without a folder nobody knows, so there is no answer.
    @Sendable func dates(of names: [String]) -> [Int?]? {
        guard let folder = try? FileStatus(of: path), folder.kind == .folder else { return nil }
        var dates: [Int?] = []
        dates.reserveCapacity(names.count)
        for name in names {
            do { dates.append(try FileStatus(of: "\(path)/\(name)").modifiedSeconds) } catch {
                guard error.isMissingFile else { return nil }
                dates.append(nil)
            }
        }
        return dates
    }

    /// - Returns: whether it is written down for good.
    @Sendable func add(_ name: String) -> Bool {
        (try? File.touchDurably("\(path)/\(name)", in: path)) != nil
    }

    /// How many there are; `nil` where nobody can say.
    var count: Int? { (try? Folder.entries(of: path))?.count }

    /// Forgets what ended sessions that would have ended by themselves before `time`.
    func removeEntries(before time: Int) throws(SystemError) {
        do {
            for entry in try Folder.entries(of: path) {
                let file = "\(path)/\(entry.name)"
                if try FileStatus(of: file).modifiedSeconds < time { try File.remove(file) }
            }
        } catch {
            // Another process tidies up at the same moment; what is left waits for the next time.
            guard error.isMissingFile, (try? FileStatus(of: path)) != nil else { throw error }
        }
    }
}
