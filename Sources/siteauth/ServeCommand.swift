import ArgumentParser
import Curl
import FastCGI
import Logging
import POSIX
import RelyingParty

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer nginx until SIGTERM. SIGHUP makes siteauth read the configuration again."
    )

    @OptionGroup var options: ServiceOptions

    @Option(help: "The Unix socket for checks.")
    var checkSocket = "run/check.sock"

    @Option(help: "The Unix socket for sign-in and the other pages.")
    var pagesSocket = "run/pages.sock"

    @Option(
        help: "The permissions of the sockets, octal; nginx must be able to write to the sockets."
    )
    var socketMode = "660"

    func run() throws {
        let signals = [Signals.terminate, Signals.interrupt, Signals.hangUp]
        Signals.block(signals)
        let logger = options.logger
        // Many requests wait for the provider at the same time, each with a connection to nginx and
        // one to the provider.
        Host.raiseDescriptorLimit(to: 8192)
        let maintenance = ProviderMaintenance()
        do {
            let service = try options.prepare(logger, wakeMaintenance: maintenance.wake)
            let revocations = service.revocations
            // The sockets come last: from here on, nginx asks this process.
            let sockets = try openSockets()
            let providerPools = ProviderPools()
            let pools = ThreadPools(providerPools)
            let live = service.live {
                var gauges = pools.gauges(revocations: revocations.counts?.ended)
                gauges.providerSessions = revocations.counts?.providerSessions
                gauges.redis = revocations.redisGauges
                return gauges
            }
            let gateway = Gateway(live: live, logger: logger, pools: providerPools)
            pools.set(servers(at: sockets, gateway))
            // The maintenance thread starts before the first request that may need the provider's
            // keys.
            try maintenance.start(live, logger)
            try pools.start()
            try Maintenance(live, revocations, logger).start()
            let origin = live.relyingParty.configuration.origin
            logger.log(Event(level: .notice, text: "ready for \(origin)", kind: .start))
            try serve(live, sockets, signals, logger)
            let isFinished = pools.stop()
            let text = isFinished ? "stopped" : "stopped with requests in flight"
            logger.log(Event(level: .notice, text: text, kind: .stop))
        } catch let error as SystemError {
            logger.error("\(error)")
            throw ExitCode.failure
        }
        Host.exit(0)
    }

    /// Returns when the process is to end.
    private func serve(
        _ live: LiveConfiguration,
        _ sockets: (check: ListeningSocket, pages: ListeningSocket),
        _ signals: [Int32],
        _ logger: Logger
    ) throws(SystemError) {
        try WorkerThread.start {
            while true {
                Host.sleep(milliseconds: 500)
                guard sockets.check.isReused, sockets.pages.isReused else { continue }
                let text = "stopping: another process has taken over the sockets"
                logger.log(Event(level: .notice, text: text, kind: .stop))
                return Signals.sendSelf(Signals.terminate)
            }
        }
        while Signals.wait(for: signals) == Signals.hangUp { live.reload() }
    }

    /// The sockets of systemd, or new ones at the paths of the command line.
    private func openSockets() throws -> (check: ListeningSocket, pages: ListeningSocket) {
        if let activated = try ListeningSocket.activated() {
            guard let check = activated["check"], let pages = activated["pages"] else {
                let names = activated.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
                throw ValidationError(
                    "systemd handed over the sockets \(names); they must be 'check' and 'pages'"
                )
            }
            return (check, pages)
        }
        guard let mode = UInt32(socketMode, radix: 8), mode <= 0o777 else {
            throw ValidationError("'--socket-mode' is '\(socketMode)'; it must be octal, like 660")
        }
        for (option, path) in [("check", checkSocket), ("pages", pagesSocket)]
        where path.isEmpty || path.contains(":") || path.allSatisfy(\.isNumber) {
            let rule = "it must be the path of a Unix socket, without ':'"
            throw ValidationError("'--\(option)-socket' is '\(path)'; \(rule)")
        }
        for path in [checkSocket, pagesSocket] {
            if let slash = path.lastIndex(of: "/") { try Folder.create(String(path[..<slash])) }
        }
        return (
            try ListeningSocket(at: checkSocket, permissions: mode),
            try ListeningSocket(at: pagesSocket, permissions: mode)
        )
    }

    private func servers(
        at sockets: (check: ListeningSocket, pages: ListeningSocket),
        _ gateway: Gateway
    ) -> (check: Server, pages: Server) {
        // Checks that wait only for the disk are answered fastest by few threads that stay busy: on
        // two cores, 3 or 4 answer a fifth more than 8. With Redis, each check waits for the
        // network, so there are more.
        let asksRedis = gateway.live.relyingParty.configuration.session.redis != nil
        let checkThreads = asksRedis ? max(8, 4 * Host.processors) : Host.processors + 2
        return (
            Server(sockets.check, threads: checkThreads, respond: { .now(gateway.check($0)) }),
            Server(sockets.pages, threads: 16, respond: { gateway.page($0) })
        )
    }
}
