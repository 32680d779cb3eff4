import POSIX
import RelyingParty
import SiteauthConfiguration

/// Everything that a command needs to answer requests, after configuration and folders were read.
struct PreparedService {
    let file: ConfigurationFile
    let log: EventLog
    let configuration: AuthConfiguration
    let revocations: any RevocationList
    let environment: Environment
    let storage: Storage

    /// - Parameter gauges: the state of the program, for metrics.
    func live(gauges: @escaping @Sendable () -> Gauges = { Gauges() }) -> LiveConfiguration {
        let (environment, storage, metrics) = (environment, storage, log.metrics)
        return LiveConfiguration(configuration, from: file, log: log) {
            configuration,
            former in
            RelyingParty(
                configuration,
                environment,
                storage.auditing(to: configuration.audit),
                metrics: metrics,
                gauges: gauges,
                replacing: former
            )
        }
    }
}

extension Storage {
    /// The storage whose audit goes to this destination.
    func auditing(to destination: AuditDestination?) -> Storage {
        var storage = self
        let log: LineLog
        switch destination {
        case .none: return storage
        case .standardError: log = LineLog(nil)
        case .file(let path): log = LineLog(path)
        }
        storage.audit = { line in (try? log.append(line)) != nil }
        storage.auditProblem = { log.problem.map { "\($0)" } }
        return storage
    }
}
