import POSIX
import RelyingParty

/// Periodic work on its own thread: cleans the list of ended sessions, watches Redis, the
/// credential's date and whether readers can be served, and reloads a changed configuration.
struct Maintenance: Sendable {
    /// Seconds between two rounds; a round without work costs almost nothing.
    private static let interval = 60

    let live: LiveConfiguration
    let revocations: any RevocationList
    let log: EventLog

    init(_ live: LiveConfiguration, _ revocations: any RevocationList, _ log: EventLog) {
        self.live = live
        self.revocations = revocations
        self.log = log
    }

    /// - Parameter isReady: whether the log does not say yet that readers cannot be served.
    func start(isReady: Bool) throws(SystemError) {
        try WorkerThread.start {
            var file: FileStatus?
            var readiness = Readiness(isReady: isReady)
            var auditProblem: String?
            revocations.resync()
            while true {
                if let event = live.relyingParty.credentialWarning() { log.report(event) }
                do {
                    try revocations.maintain(at: Host.time)
                } catch {
                    log.report(.error, "\(error)")
                }
                for second in 0..<Self.interval {
                    Host.sleep(milliseconds: 1000)
                    revocations.resync()
                    file = live.reloadIfChanged(since: file)
                    guard second.isMultiple(of: 2) else { continue }
                    // Redis is watched, and its problems are logged, without further questions.
                    let problems = live.relyingParty.problems(
                        withRevocations: !revocations.isShared
                    )
                    readiness.look(problems, log)
                    let problem = live.relyingParty.auditProblem()
                    if let problem, problem != auditProblem {
                        log.report(.error, problem)
                    } else if problem == nil, auditProblem != nil {
                        log.report(.notice, "no page is refused for want of an audit any more")
                    }
                    auditProblem = problem
                }
            }
        }
    }
}
