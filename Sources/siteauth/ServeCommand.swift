import ArgumentParser
import Curl
import FastCGI
import Logging
import POSIX
import RelyingParty

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answers nginx until SIGTERM."
    )

    @OptionGroup var file: ConfigurationFile

    @Option(help: "The folder that sitegen publishes to.")
    var site = "public"

    @Option(help: "A folder for the list of sessions that were ended.")
    var state = "state"

    @Option(help: "The Unix socket for checks.")
    var checkSocket = "run/check.sock"

    @Option(help: "The Unix socket for sign-in and our other pages.")
    var pagesSocket = "run/pages.sock"

    @Option(help: "Permissions of the sockets, octal. nginx has to be able to write to them.")
    var socketMode = "660"

    @Option(help: "How log lines look: text or json.")
    var logFormat = LogFormat.text

    func run() throws {
        let signals = [Signals.terminate, Signals.interrupt]
        Signals.block(signals)
        Signals.ignoreBrokenPipes()
        HTTPClient.prepare()
        let logger = Logger(label: "siteauth") { [logFormat] _ in LineLogHandler(logFormat) }
        do {
            let configuration = try file.read()
            let revocations = RevocationList(configuration, state: state) { news in
                logger.error("\(news)")
            }
            let relyingParty = try makeRelyingParty(configuration, revocations)
            let servers = try makeServers(relyingParty, logger)
            for server in servers { try server.start() }
            try Upkeep(relyingParty, revocations, logger).start()
            logger.notice("ready for \(relyingParty.configuration.origin)")
            _ = Signals.wait(for: signals)
            let isFinished = servers.map { $0.stop(waiting: 800) }.allSatisfy(\.self)
            logger.notice(isFinished ? "stopped" : "stopped with requests in flight")
        } catch let error as SystemError {
            logger.error("\(error)")
            throw ExitCode.failure
        }
        // Threads that idle on connections which nginx keeps have nothing to finish.
        Host.exit(0)
    }

    private func makeRelyingParty(
        _ configuration: AuthConfiguration,
        _ revocations: RevocationList
    ) throws -> RelyingParty {
        let releases = try ReleaseFiles(site: site)
        try revocations.create()
        var storage = Storage(
            policy: releases.policy(of:),
            frame: releases.frame(of:),
            revocations: revocations.dates(of:),
            revoke: revocations.add
        )
        let metadata = MetadataFile(state)
        storage.keptMetadata = metadata.read
        storage.keepMetadata = metadata.write
        return RelyingParty(configuration, .live(), storage)
    }

    private func makeServers(_ relyingParty: RelyingParty, _ logger: Logger) throws -> [Server] {
        guard let mode = UInt32(socketMode, radix: 8), mode <= 0o777 else {
            throw ValidationError("'--socket-mode' is '\(socketMode)'; it must be octal, like 660")
        }
        for path in [checkSocket, pagesSocket] {
            if let slash = path.lastIndex(of: "/") { try Folder.create(String(path[..<slash])) }
        }
        let gateway = Gateway(relyingParty: relyingParty, logger: logger)
        // A check never waits, so few threads that stay busy answer more than many that take turns:
        // measured, 4 a core twice as much as 12.
        let checkThreads = max(8, 4 * Host.processors)
        return [
            try Server(
                path: checkSocket,
                permissions: mode,
                threads: checkThreads,
                respond: { gateway.check($0) }
            ),
            try Server(
                path: pagesSocket,
                permissions: mode,
                threads: 16,
                respond: { gateway.page($0) }
            ),
        ]
    }
}
