import POSIX
import Synchronization

/// What ended sessions, an empty file for each reason; its date says when.
///
/// A folder is shared by all processes of a machine without a lock, and outlives them. A check
/// costs a call of `stat(2)` for the folder and one for each name.
///
/// A second folder has a file for each session at the provider from which somebody came here; its
/// date says when the last of their sessions here is over.
final class RevocationFolder: Sendable {
    /// As many people at once that nobody would fill a disk with empty files.
    ///
    /// Each took a whole sign-in. For those beyond it, a sign-out at the provider is heard of at
    /// the next revalidation. Processes that share the folder count each for itself between two
    /// cleanings, so there may be as many times more.
    private static let maximumProviderSessions = 200_000
    /// Seconds between two cleanings, which look at every file.
    private static let cleaningInterval = 3600

    private struct Counts: Equatable {
        var ended: Int
        var providerSessions: Int
    }

    private struct State {
        var counts: Counts?
        /// The other process's cleaning, or the own one, that the counts are of.
        var cleaning: FileStatus?
        var cleanedAt: Int?
    }

    private let ended: String
    private let providerSessions: String
    /// Says when the folders were cleaned last, and how many files were left in each.
    private let cleaning: String
    private let state = Mutex(State())

    init(_ state: String) {
        ended = "\(state)/revoked"
        providerSessions = "\(state)/provider-sessions"
        cleaning = "\(state)/cleaned"
    }

    func create() throws(SystemError) {
        try Folder.create(ended, mode: 0o700)
        try Folder.create(providerSessions, mode: 0o700)
    }

    /// When each name was called last.
    ///
    /// Without a folder nobody knows, so there is no answer.
    func dates(of names: [String]) -> [Int?]? {
        guard let folder = try? FileStatus(of: ended), folder.kind == .folder else { return nil }
        var dates: [Int?] = []
        dates.reserveCapacity(names.count)
        for name in names {
            do { dates.append(try FileStatus(of: "\(ended)/\(name)").modifiedSeconds) } catch {
                guard error.isMissingFile else { return nil }
                dates.append(nil)
            }
        }
        return dates
    }

    /// - Returns: whether it is written down for good.
    func add(_ name: String) -> Bool {
        guard let isNew = try? File.touchDurably("\(ended)/\(name)", in: ended) else {
            return false
        }
        if isNew { state.withLock { $0.counts?.ended += 1 } }
        return true
    }

    /// Notes that somebody came from a session at the provider, until `time`.
    ///
    /// It is not synced to disk: after a power loss, the next revalidation stands in for it.
    func noteProviderSession(_ name: String, until time: Int) -> Bool {
        let file = "\(providerSessions)/\(name)"
        if (try? File.setModified(file, seconds: time)) != nil { return true }
        // A process for one request has not counted.
        let counts = state.withLock(\.counts) ?? readCounts()
        guard counts?.providerSessions ?? 0 < Self.maximumProviderSessions,
            (try? File.create([], at: file, mode: 0o600)) != nil
        else { return false }
        state.withLock { $0.counts?.providerSessions += 1 }
        return (try? File.setModified(file, seconds: time)) != nil
    }

    /// Whether such a session was noted; no answer without a folder.
    func knowsProviderSession(_ name: String) -> Bool? {
        do throws(SystemError) {
            _ = try FileStatus(of: "\(providerSessions)/\(name)")
            return true
        } catch {
            guard error.isMissingFile, (try? FileStatus(of: providerSessions)) != nil else {
                return nil
            }
            return false
        }
    }

    /// How many there are of each, as of the last cleaning and what this process has added since;
    /// nobody lists a folder for it.
    var counts: (ended: Int, providerSessions: Int)? {
        state.withLock(\.counts).map { ($0.ended, $0.providerSessions) }
    }

    /// Forgets what is over by itself, once an hour for all processes together.
    func clean(at now: Int) throws(SystemError) {
        let (known, cleanedAt) = state.withLock { ($0.cleaning, $0.cleanedAt) }
        if let status = try? FileStatus(of: cleaning),
            (0..<Self.cleaningInterval).contains(now - status.modifiedSeconds)
        {
            if status == known { return }
            // Another process has counted.
            if let counts = readCounts() {
                return state.withLock { ($0.counts, $0.cleaning) = (counts, status) }
            }
        } else if let cleanedAt, (0..<Self.cleaningInterval).contains(now - cleanedAt) {
            // It could not be written down.
            return
        }
        let counts = Counts(
            ended: try Folder.removeFiles(in: ended, changedBefore: now - RevocationList.memory),
            providerSessions: try Folder.removeFiles(in: providerSessions, changedBefore: now)
        )
        let fresh = "\(cleaning).\(Host.processID)"
        let text = "\(counts.ended) \(counts.providerSessions)\n"
        do throws(SystemError) {
            try File.write(Array(text.utf8), to: fresh, mode: 0o600)
            try File.rename(fresh, to: cleaning)
        } catch { try? File.remove(fresh) }
        let status = try? FileStatus(of: cleaning)
        state.withLock { $0 = State(counts: counts, cleaning: status, cleanedAt: now) }
    }

    private func readCounts() -> Counts? {
        guard let bytes = try? File.read(cleaning, maximumBytes: 64),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        return Counts(ended: numbers[0], providerSessions: numbers[1])
    }
}
