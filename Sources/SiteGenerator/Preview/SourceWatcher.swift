import Diagnostics
import POSIX
import Site
import SourceFolder

/// Reports changes of a site's sources, once for each burst.
///
/// The kernel reports changes at once, except for those that another machine or a virtual machine's
/// host makes in a shared folder. So the folders are also listed every few seconds.
///
/// The watched folders are listed again when a folder was added or removed, before the change is
/// reported. So a build that starts then misses nothing, and later changes are reported again.
public final class SourceWatcher {
    private let watch: FileWatch
    private let paths: @Sendable () -> WatchedPaths
    /// The relevant names, by watch; `nil` for all names.
    private var names: [Int32: Set<String>?] = [:]
    private var folders: [(path: String, names: Set<String>?)] = []
    /// A digest of what the folders list.
    private var listed = 0
    /// How long listing them took.
    private var listingMilliseconds = 0

    /// The changes of the files that a `sitegen.toml` names, also after it names others.
    ///
    /// The first element reports that watching has begun. A slow consumer gets one element for all
    /// changes in the meantime. The stream fails if the system refuses to watch.
    public static func changes(
        configurationPath: String?,
        _ options: BuildOptions
    ) -> AsyncThrowingStream<Void, any Error> {
        changes { WatchedPaths(configurationPath: configurationPath, options) }
    }

    static func changes(
        _ paths: @escaping @Sendable () -> WatchedPaths
    ) -> AsyncThrowingStream<Void, any Error> {
        let (stream, changes) = AsyncThrowingStream<Void, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        do {
            try WorkerThread.start {
                do {
                    let watcher = try SourceWatcher(paths)
                    while true {
                        if case .terminated = changes.yield() { return }
                        try watcher.next()
                    }
                } catch { changes.finish(throwing: error) }
            }
        } catch { changes.finish(throwing: error) }
        return stream
    }

    private init(_ paths: @escaping @Sendable () -> WatchedPaths) throws(CommandError) {
        self.paths = paths
        do { watch = try FileWatch() } catch { throw Self.refusal(error) }
        try arrange()
    }

    /// Waits until something has changed, and the burst of changes is over.
    private func next() throws(CommandError) {
        // Beside the build of the change before, which must not wait for it.
        _ = list()
        var debouncer: Debouncer?
        var isOfFolders = false
        while true {
            let waiting: Int?
            if let debouncer {
                waiting = debouncer.waiting(at: Self.now)
                if waiting == nil { break }
            } else {
                // Listing takes at most a fiftieth of the time.
                waiting = max(Self.pollMilliseconds, 50 * listingMilliseconds)
            }
            let changes: [FileWatch.Change]
            do { changes = try watch.changes(waiting: waiting) } catch {
                throw Self.refusal(error)
            }
            let relevant = changes.filter { matters($0) }
            if relevant.isEmpty {
                if debouncer == nil, list() {
                    isOfFolders = true
                    break
                }
                continue
            }
            debouncer = debouncer ?? Debouncer(startingAt: Self.now)
            debouncer?.add(at: Self.now)
            isOfFolders = isOfFolders || relevant.contains { needsListing($0) }
        }
        if isOfFolders { try arrange() }
    }

    private static let pollMilliseconds = 2000

    /// Lists the folders.
    ///
    /// - Returns: whether anything differs from the last time.
    private func list() -> Bool {
        let start = Self.now
        var hasher = Hasher()
        for (path, names) in folders {
            for entry in (try? Folder.entries(of: path)) ?? []
            where names?.contains(entry.name) ?? !entry.name.hasPrefix(".") {
                hasher.combine(entry.name)
                // What is below another folder counts there.
                if entry.kind != .folder { hasher.combine(SourceState(entry.status)) }
            }
        }
        let now = hasher.finalize()
        defer { (listed, listingMilliseconds) = (now, Self.now - start) }
        return now != listed
    }

    private func matters(_ change: FileWatch.Change) -> Bool {
        guard let watch = change.watch else { return true }
        guard let known = names[watch] else { return false }
        if let known { return known.contains(change.name) }
        // Hidden files are not part of a site, and editors write many.
        return !change.name.hasPrefix(".")
    }

    /// Whether the folders must be listed again: a changed `sitegen.toml` may name others.
    private func needsListing(_ change: FileWatch.Change) -> Bool {
        guard let watch = change.watch, let known = names[watch] else { return true }
        return change.isOfFolders || known != nil
    }

    private func arrange() throws(CommandError) {
        var wanted: [Int32: Set<String>?] = [:]
        folders = paths().folders()
        for (path, more) in folders {
            do {
                let number = try watch.add(path)
                // A parent folder may also be watched as a whole.
                if let before = wanted[number], let before, let more {
                    wanted[number] = .some(before.union(more))
                } else if wanted[number] == nil {
                    wanted[number] = .some(more)
                } else {
                    wanted[number] = .some(nil)
                }
            } catch {
                if !error.isMissingFile { throw Self.refusal(error) }
            }
        }
        for number in names.keys where wanted[number] == nil { watch.remove(number) }
        names = wanted
    }

    private static var now: Int { Int(Host.uptimeNanoseconds / 1_000_000) }

    private static func refusal(_ error: SystemError) -> CommandError {
        let advice =
            switch error.call {
            case "inotify_add_watch" where error.isLimit:
                "; raise 'sysctl fs.inotify.max_user_watches' to watch more folders"
            case "inotify_init1" where error.isLimit:
                "; raise 'sysctl fs.inotify.max_user_instances' to let more programs watch"
            default: ""
            }
        return CommandError("\(error)\(advice)", isDisk: true)
    }
}
