import ArgumentParser
import Curl
import Logging
import POSIX
import RelyingParty

/// The options of the commands that answer nginx: folders and the format of log lines.
struct ServiceOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "The file with the [auth] table.")
    var config = ConfigurationFile.defaultPath

    @Option(help: "The folder that sitegen publishes to.")
    var site = "public"

    @Option(help: "The folder for the list of ended sessions.")
    var state = "state"

    @Option(help: "The format of log lines: text or json.")
    var logFormat = LogFormat.text

    private var file: ConfigurationFile { ConfigurationFile(path: config) }

    var logger: Logger {
        Logger(label: "siteauth") { [logFormat] _ in LineLogHandler(logFormat) }
    }

    /// Reads configuration and folders, or ends the program with all errors.
    ///
    /// - Parameter wakeMaintenance: wakes the thread that fetches the provider's keys; `nil` if
    ///   there is none.
    func prepare(
        _ logger: Logger,
        wakeMaintenance: (@Sendable () -> Void)? = nil
    ) throws -> PreparedService {
        Signals.ignoreBrokenPipes()
        HTTPClient.prepare()
        let configuration = try file.read()
        let log = EventLog(logger: logger, metrics: Metrics())
        let revocations = configuration.revocationList(state: state) { level, text in
            log.report(level, text)
        }
        guard let revocations, revocations.problem() == nil else { throw ExitCode.failure }
        var environment = Environment.live()
        environment.uptimeNanoseconds = { Host.uptimeNanoseconds }
        environment.wakeMaintenance = wakeMaintenance
        environment.sleep = { Host.sleep(milliseconds: $0) }
        return PreparedService(
            file: file,
            log: log,
            configuration: configuration,
            revocations: revocations,
            environment: environment,
            storage: try storage(revocations, log)
        )
    }

    private func storage(_ revocations: any RevocationList, _ log: EventLog) throws -> Storage {
        let releases: ReleaseFiles
        do throws(SystemError) {
            releases = try ReleaseFiles(site: site) { log.report(.error, $0) }
        } catch {
            guard error.isMissingFile else { throw error }
            log.logger.error(
                "there is no release in '\(site)'; run 'sitegen build', or set '--site'"
            )
            throw ExitCode.failure
        }
        try revocations.create()
        var storage = Storage(
            policy: releases.policy(of:),
            frame: releases.frame(of:),
            revocations: revocations.dates(of:),
            revoke: revocations.add
        )
        storage.languages = releases.languages(of:)
        storage.currentRelease = releases.current
        storage.policyProblem = releases.currentProblem
        let metadata = MetadataFile(state)
        if let problem = metadata.formatProblem { log.report(.notice, problem) }
        storage.noteProviderSession = revocations.noteProviderSession(_:until:)
        storage.knowsProviderSession = revocations.knowsProviderSession
        storage.noteAccount = revocations.noteAccount(_:at:)
        storage.accounts = revocations.accounts(since:)
        storage.keptMetadata = metadata.read
        storage.keepMetadata = metadata.write
        return storage
    }
}
