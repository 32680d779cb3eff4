import POSIX

/// The right to publish to an output folder, held by one build at a time.
///
/// A build takes it before it reads anything, the configuration included. If it were taken only for
/// writing, a build that read an older state of the site could publish after a build that read a
/// newer one: pages that had just been closed would be open again.
struct OutputLock: ~Copyable {
    private let lock: FileLock

    /// Takes the lock, and waits where another build holds it.
    ///
    /// - Returns: `nil` where the other build took too long.
    static func take(
        _ output: String,
        _ options: BuildOptions
    ) async throws(SystemError) -> OutputLock? {
        try Folder.create(output)
        let start = Host.uptimeNanoseconds
        var isTold = false
        while true {
            if let lock = try FileLock.take("\(output)/.lock") { return OutputLock(lock: lock) }
            let waited = (Host.uptimeNanoseconds - start) / 1_000_000_000
            if waited >= UInt64(max(0, options.secondsToWait)) { return nil }
            if !isTold {
                options.tellWait("another build publishes to '\(output)'; waiting until it ends")
                isTold = true
            }
            try? await Task.sleep(for: .milliseconds(50))
            if Task.isCancelled { return nil }
        }
    }
}
