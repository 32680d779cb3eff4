import Logging
import POSIX
import RelyingParty

/// Periodic work on its own thread: cleans the list of ended sessions, watches Redis and the certificate's
/// dates, and reloads a changed configuration.
struct Maintenance: Sendable {
    /// Seconds between two rounds; a round without work costs almost nothing.
    private static let interval = 60

    let live: LiveConfiguration
    let revocations: RevocationList
    let logger: Logger

    init(_ live: LiveConfiguration, _ revocations: RevocationList, _ logger: Logger) {
        self.live = live
        self.revocations = revocations
        self.logger = logger
    }

    func start() throws(SystemError) {
        try WorkerThread.start {
            var file: FileStatus?
            revocations.watch()
            while true {
                if let event = live.relyingParty.certificateWarning() { logger.log(event) }
                do {
                    try revocations.maintain(at: Host.time)
                } catch {
                    logger.error("\(error)")
                }
                for _ in 0..<Self.interval {
                    Host.sleep(milliseconds: 1000)
                    revocations.watch()
                    file = live.reloadIfChanged(since: file)
                }
            }
        }
    }
}
