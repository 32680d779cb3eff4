import POSIX

/// Tells when a site's sources have changed, once for each burst of changes.
///
/// The folders that are watched are listed anew whenever a folder came or went, and before the
/// change is told: a build that begins then sees what was there, and what comes later is told again.
public final class SourceWatcher {
    private let watch: FileWatch
    private let paths: @Sendable () -> WatchedPaths
    /// The names that matter, by watch; `nil` for all.
    private var names: [Int32: Set<String>?] = [:]

    /// The changes of what a `sitegen.toml` names, whatever it will name later.
    ///
    /// The first element says that watching has begun. Whoever is busy finds one element for all
    /// that happened meanwhile. It fails where the system does not let us watch.
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

    /// Waits until something has changed and nothing more happens.
    private func next() throws(CommandError) {
        var debouncer: Debouncer?
        var isOfFolders = false
        while true {
            let waiting: Int?
            if let debouncer {
                waiting = debouncer.waiting(at: Self.now)
                if waiting == nil { break }
            } else {
                waiting = nil
            }
            let changes: [FileWatch.Change]
            do { changes = try watch.changes(waiting: waiting) } catch {
                throw Self.refusal(error)
            }
            let relevant = changes.filter { matters($0) }
            if relevant.isEmpty { continue }
            debouncer = debouncer ?? Debouncer(startingAt: Self.now)
            debouncer?.add(at: Self.now)
            isOfFolders = isOfFolders || relevant.contains { needsListing($0) }
        }
        if isOfFolders { try arrange() }
    }

    private func matters(_ change: FileWatch.Change) -> Bool {
        guard let watch = change.watch else { return true }
        guard let known = names[watch] else { return false }
        if let known { return known.contains(change.name) }
        // Hidden files are no part of a site; editors write many.
        return !change.name.hasPrefix(".")
    }

    /// A change of `sitegen.toml` may name other folders.
    private func needsListing(_ change: FileWatch.Change) -> Bool {
        guard let watch = change.watch, let known = names[watch] else { return true }
        return change.isOfFolders || known != nil
    }

    private func arrange() throws(CommandError) {
        var wanted: [Int32: Set<String>?] = [:]
        for (path, more) in paths().folders() {
            do {
                let number = try watch.add(path)
                // The folder around a place may be one that is watched for itself.
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
