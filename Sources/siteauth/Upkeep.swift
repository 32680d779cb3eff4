import Logging
import POSIX
import RelyingParty

/// What has to be done from time to time, on a thread of its own: fresh keys, a short list.
struct Upkeep: Sendable {
    /// Seconds between looks; what is fresh costs nothing to look at.
    private static let interval = 60

    let relyingParty: RelyingParty
    let revocations: RevocationList
    let logger: Logger

    init(_ relyingParty: RelyingParty, _ revocations: RevocationList, _ logger: Logger) {
        self.relyingParty = relyingParty
        self.revocations = revocations
        self.logger = logger
    }

    func start() throws(SystemError) {
        try WorkerThread.start {
            while true {
                if let event = relyingParty.refreshProvider() { logger.warning("\(event.text)") }
                let lifetime = relyingParty.configuration.lifetimeSeconds
                do { try revocations.removeEntries(before: Host.time - lifetime - 3600) } catch {
                    logger.error("\(error)")
                }
                for _ in 0..<Self.interval { Host.sleep(milliseconds: 1000) }
            }
        }
    }
}
