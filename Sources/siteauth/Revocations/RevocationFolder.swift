import Access
import POSIX
import RelyingParty
import Synchronization

/// The list of ended sessions as a folder: an empty file for each revocation, whose date is the
/// time of the revocation.
///
/// All processes of a machine share the folder without a lock, and it survives them. A check costs
/// one `stat(2)` for the folder, and one for each name that is in it or may be.
///
/// A second folder has a file for each session at the provider from which a reader signed in; its
/// date is the latest end of their sessions here. If Microsoft Graph is asked about accounts, it has
/// a file for each of them as well, whose date is ``memory`` after the last sign-in.
final class RevocationFolder: RevocationList {
    /// Seconds for which an entry is kept: longer than any session may last.
    ///
    /// It is independent of the configuration and has a day to spare, so that neither a clock that
    /// was ahead nor a longer lifetime in the configuration revives an ended session.
    static let memory = 31 * 86_400
    /// The greatest number of recorded sessions at the provider, so that they cannot fill the disk.
    ///
    /// Each record takes a complete sign-in. Readers beyond this number stay signed in after a
    /// sign-out at the provider until the next revalidation. Processes that share the folder count
    /// separately between two cleanings, so the true limit is that many times higher.
    private static let maximumProviderSessions = 200_000
    /// The name of the folder of ended sessions.
    private static let ended = "revoked"
    private static let providerSessions = "provider-sessions"
    /// Seconds after the folder's last change before it is listed.
    private static let quietSeconds = 3
    /// The greatest number of names that are kept in memory, some megabytes.
    private static let maximumListing = 20_000
    /// Seconds between two cleanings, each of which looks at every file.
    private static let cleaningInterval = 3600

    private struct Counts: Equatable {
        var ended: Int
        var providerSessions: Int
    }

    /// What the folder of ended sessions had in it when it last changed.
    private struct Listing {
        let status: FileStatus
        /// `nil` if these are too many to keep in memory.
        let names: Set<String>?
    }

    private struct State {
        var counts: Counts?
        /// The status of the file of the cleaning on which the counts are based, by this or another
        /// process.
        var cleaning: FileStatus?
        var cleanedAt: Int?
    }

    private let folder: String
    private let ended: String
    private let providerSessions: String
    /// A file whose date is the last cleaning, and whose text is the number of files left in each
    /// folder.
    private let cleaning: String
    private let state = Mutex(State())
    private let listing = Mutex<Listing?>(nil)
    /// Whether a newer version keeps other names here, which is looked at with each maintenance.
    private let isForeign = Atomic(false)

    init(_ state: String) {
        folder = state
        ended = "\(state)/\(Self.ended)"
        providerSessions = "\(state)/\(Self.providerSessions)"
        cleaning = "\(state)/cleaned"
    }

    static let newer = "was made by a newer siteauth"

    /// Why a version of siteauth that keeps other names must not be followed by this one: it would let
    /// in again whom that version has signed out.
    ///
    /// This version writes no mark, and a folder without one has its names.
    var formatProblem: String? {
        let path = "\(folder)/format"
        let mark = FormatMark("siteauth-state", 1, refusal: Self.newer)
        do throws(SystemError) {
            let text = String(decoding: try File.read(path, maximumBytes: 64), as: UTF8.self)
            return mark.problem(of: text.split(separator: "\n").first ?? "").map {
                "\(path):1: \($0)"
            }
        } catch { return error.isMissingFile ? nil : "\(error)" }
    }

    func create() throws(SystemError) {
        let isNew = (try? FileStatus(of: ended)) == nil
        try Folder.create(ended, mode: 0o700)
        try Folder.create(providerSessions, mode: 0o700)
        // Otherwise a power loss could take the folder away, and with it what is synced in it.
        if isNew { try Folder.sync(folder) }
    }

    /// The time of the last revocation under each name.
    ///
    /// Without a folder the answer is `nil`.
    func dates(of names: [String]) -> [Int?]? {
        if isForeign.load(ordering: .relaxed) { return nil }
        guard let folder = try? FileStatus(of: ended), folder.kind == .folder else { return nil }
        let present = present(in: folder)
        var dates: [Int?] = []
        dates.reserveCapacity(names.count)
        for name in names {
            if let present, !present.contains(name) {
                dates.append(nil)
                continue
            }
            do { dates.append(try FileStatus(of: "\(ended)/\(name)").modifiedSeconds) } catch {
                guard error.isMissingFile else { return nil }
                dates.append(nil)
            }
        }
        return dates
    }

    /// The names in the folder of ended sessions, if a listing has all of them.
    ///
    /// A new name changes the folder's times, but not if they have just changed: a file system counts
    /// time in steps, of 2 seconds at most. So a folder is listed only when it has been quiet for
    /// longer, and until then each name is looked for.
    private func present(in folder: FileStatus) -> Set<String>? {
        listing.withLock { listing in
            if let listing, listing.status == folder { return listing.names }
            let changed = max(folder.modifiedSeconds, folder.changedSeconds)
            guard Host.time - changed > Self.quietSeconds,
                let names = try? OpenFolder(self.folder).names(of: Self.ended),
                (try? FileStatus(of: ended)) == folder
            else { return nil }
            let isSmall = names.count <= Self.maximumListing
            listing = Listing(status: folder, names: isSmall ? Set(names) : nil)
            return listing?.names
        }
    }

    /// - Returns: whether the revocation is safely on disk.
    func add(_ name: String) -> Bool { (try? record(name)) != nil }

    /// Puts a revocation on disk.
    ///
    /// 'siteauth revoke' runs as root, and the folder belongs to the service's account: a service
    /// that was taken over could put a link there, to have root write elsewhere.
    func record(_ name: String) throws(SystemError) {
        let isNew = try OpenFolder(folder).touchDurably(name, in: Self.ended)
        if isNew { state.withLock { $0.counts?.ended += 1 } }
    }

    /// The entries since a time, with their dates; none before ``create()``.
    func entries(since time: Int) throws(SystemError) -> [(name: String, date: Int)] {
        try entries(of: Self.ended, "").filter { $0.date >= time }
    }

    /// - Parameter start: the beginning of their names.
    private func entries(
        of subfolder: String,
        _ start: String
    ) throws(SystemError) -> [(name: String, date: Int)] {
        var entries: [(String, Int)] = []
        let path = "\(folder)/\(subfolder)"
        let names: [String]
        do throws(SystemError) { names = try OpenFolder(folder).names(of: subfolder) } catch {
            // A link in its place is no missing folder.
            if (try? FileStatus(of: path, followingLinks: false)) == nil { return [] }
            throw error
        }
        for name in names where name.hasPrefix(start) {
            do throws(SystemError) {
                let status = try FileStatus(of: "\(path)/\(name)", followingLinks: false)
                entries.append((name, status.modifiedSeconds))
            } catch {
                // Another process has removed it.
                guard error.isMissingFile else { throw error }
            }
        }
        return entries
    }

    /// Records that a session at the provider may have sessions here until `time`.
    ///
    /// The record is not synced to disk: after a power loss, the next revalidation ends the session
    /// instead.
    func noteProviderSession(_ name: String, until time: Int) -> Bool {
        let file = "\(providerSessions)/\(name)"
        if (try? File.setModified(file, seconds: time)) != nil { return true }
        // A CGI process has not counted.
        let counts = state.withLock(\.counts) ?? readCounts()
        guard counts?.providerSessions ?? 0 < Self.maximumProviderSessions,
            (try? File.create([], at: file, mode: 0o600)) != nil
        else { return false }
        state.withLock { $0.counts?.providerSessions += 1 }
        return (try? File.setModified(file, seconds: time)) != nil
    }

    func noteAccount(_ name: String, at time: Int) -> Bool {
        let end = time + Self.memory
        // Of two sign-ins at once, the earlier one may come second.
        if let noted = try? FileStatus(of: "\(providerSessions)/\(name)", followingLinks: false),
            noted.modifiedSeconds > end
        {
            return true
        }
        return noteProviderSession(name, until: end)
    }

    func accounts(since time: Int) -> [(name: String, date: Int)]? {
        guard let entries = try? entries(of: Self.providerSessions, "account-") else { return nil }
        return entries.compactMap { name, end in
            let date = end - Self.memory
            return date >= time ? (name, date) : nil
        }
    }

    /// Whether a session at the provider is recorded; `nil` without a folder.
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

    /// The number of entries of each kind: those of the last cleaning and those that this process
    /// has added since, because listing the folders would take too long.
    var counts: (ended: Int, providerSessions: Int)? {
        state.withLock(\.counts).map { ($0.ended, $0.providerSessions) }
    }

    let redisGauges: Gauges.Redis? = nil

    func problem() -> String? { nil }

    func resync() {}

    /// Removes entries that no longer matter, once an hour for all processes together.
    func maintain(at now: Int) throws(SystemError) {
        isForeign.store(formatProblem != nil, ordering: .relaxed)
        let (known, cleanedAt) = state.withLock { ($0.cleaning, $0.cleanedAt) }
        if let status = try? FileStatus(of: cleaning),
            (0..<Self.cleaningInterval).contains(now - status.modifiedSeconds)
        {
            if status == known { return }
            // Another process has cleaned meanwhile.
            if let counts = readCounts() {
                return state.withLock { ($0.counts, $0.cleaning) = (counts, status) }
            }
        } else if let cleanedAt, (0..<Self.cleaningInterval).contains(now - cleanedAt) {
            // The cleaning could not be recorded.
            return
        }
        let counts = Counts(
            ended: try Folder.removeFiles(in: ended, changedBefore: now - Self.memory),
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
