import Logging
import POSIX
import RelyingParty

/// Fetches what the provider publishes, on a thread of its own: nobody else waits for its answer.
struct ProviderMaintenance: Sendable {
    /// Between looks where nobody waits for anything; what is fresh costs nothing to look at.
    private static let intervalMilliseconds = 1000

    private let isWanted = Monitor(false)

    /// Lets the thread look at once.
    func wake() { isWanted.withLock(waking: .one) { $0 = true } }

    func start(_ live: LiveConfiguration, _ logger: Logger) throws(SystemError) {
        try WorkerThread.start {
            while true {
                if let event = live.relyingParty.refreshProvider() { logger.log(event) }
                _ = isWanted.wait(milliseconds: Self.intervalMilliseconds) { isWanted in
                    defer { isWanted = false }
                    return isWanted ? true : nil
                }
            }
        }
    }
}
