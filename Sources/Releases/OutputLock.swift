import POSIX

/// The lock of an output folder, held by one build at a time.
///
/// A build takes the lock before it reads pages, and reads the configuration again under the lock.
/// If the lock were taken only for writing, a build that read an older state of the site could
/// publish after a build that read a newer one: pages that had just been protected would be open
/// again.
package struct OutputLock: ~Copyable {
    private let lock: FileLock

    /// Takes the lock, and waits while another build holds it.
    ///
    /// - Returns: `nil` if the other build took too long.
    package static func take(
        _ output: String,
        secondsToWait: Int,
        tellWait: (String) -> Void
    ) async throws(SystemError) -> OutputLock? {
        try ReleaseFolder(output: output).create()
        let start = Host.uptimeNanoseconds
        var isTold = false
        while true {
            if let lock = try FileLock.take("\(output)/.lock") { return OutputLock(lock: lock) }
            let waited = (Host.uptimeNanoseconds - start) / 1_000_000_000
            if waited >= UInt64(max(0, secondsToWait)) { return nil }
            if !isTold {
                tellWait("another build publishes to '\(output)'; waiting until it ends")
                isTold = true
            }
            try? await Task.sleep(for: .milliseconds(50))
            if Task.isCancelled { return nil }
        }
    }
}
