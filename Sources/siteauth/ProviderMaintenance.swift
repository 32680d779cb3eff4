import POSIX
import RelyingParty

/// Fetches the provider's documents on its own thread, so that no other thread waits for the
/// network.
struct ProviderMaintenance: Sendable {
    /// Milliseconds between two looks if no request waits; a look without work costs almost
    /// nothing.
    private static let intervalMilliseconds = 1000

    private let isWanted = Monitor(false)

    /// Wakes the thread.
    func wake() { isWanted.withLock(waking: .one) { $0 = true } }

    func start(_ live: LiveConfiguration, _ log: EventLog) throws(SystemError) {
        try WorkerThread.start {
            while true {
                if let event = live.relyingParty.refreshProvider() { log.report(event) }
                _ = isWanted.wait(milliseconds: Self.intervalMilliseconds) { isWanted in
                    defer { isWanted = false }
                    return isWanted ? true : nil
                }
            }
        }
    }
}
