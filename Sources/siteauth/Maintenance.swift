import Logging
import POSIX
import RelyingParty

/// What has to be done from time to time, on a thread of its own: a short list, a
/// certificate that still holds, a configuration that was changed.
struct Maintenance: Sendable {
    /// Seconds between looks; what is fresh costs nothing to look at.
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
            while true {
                if let event = live.relyingParty.certificateWarning() { logger.log(event) }
                do {
                    try revocations.maintain(at: Host.time)
                } catch {
                    logger.error("\(error)")
                }
                for _ in 0..<Self.interval {
                    Host.sleep(milliseconds: 1000)
                    file = live.reloadIfChanged(since: file)
                }
            }
        }
    }
}
