import ArgumentParser
import Curl
import FastCGI
import Logging
import POSIX
import RelyingParty
import SiteauthConfiguration
import Version

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

    @Option(help: "The Unix socket for health, readiness and metrics; without this option, none.")
    var statusSocket: String?

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
            let (revocations, log) = (service.revocations, service.log)
            // The sockets come last: from here on, nginx asks this process.
            let sockets = try openSockets()
            let providerPools = ProviderPools()
            let pools = ThreadPools(providerPools)
            let live = service.live {
                var gauges = pools.gauges
                gauges.revocations = revocations.counts?.ended
                gauges.providerSessions = revocations.counts?.providerSessions
                gauges.redis = revocations.redisGauges
                return gauges
            }
            let gateway = Gateway(live: live, logger: logger, pools: providerPools)
            pools.set(servers(at: sockets, gateway, log))
            // The maintenance thread starts before the first request that may need the provider's
            // keys.
            try maintenance.start(live, log)
            try pools.start()
            let origin = live.relyingParty.configuration.origin
            let problem = service.storage.policyProblem()
            if let problem {
                log.report(.error, "not ready for \(origin): \(problem)", as: .start)
            } else {
                log.report(.notice, "ready for \(origin), version \(Version.current)", as: .start)
            }
            try Maintenance(live, revocations, log).start(isReady: problem == nil)
            try WorkerThread.start {
                while true {
                    live.relyingParty.watchAccounts().forEach(log.report)
                    Host.sleep(milliseconds: 1000)
                }
            }
            ReadyNotification.send()
            try serve(live, sockets, signals, log)
            let isFinished = pools.stop()
            let text = isFinished ? "stopped" : "stopped with requests in flight"
            log.report(.notice, text, as: .stop)
        } catch let error as SystemError {
            logger.error("\(error)")
            // Not by 'exit(3)', which destroys what threads that have started are using.
            Host.exit(1)
        }
        Host.exit(0)
    }

    /// Returns when the process is to end.
    private func serve(
        _ live: LiveConfiguration,
        _ sockets: ServiceSockets,
        _ signals: [Int32],
        _ log: EventLog
    ) throws(SystemError) {
        try WorkerThread.start {
            while true {
                Host.sleep(milliseconds: 500)
                guard sockets.areReused else { continue }
                let text = "stopping: another process has taken over the sockets"
                log.report(.notice, text, as: .stop)
                return Signals.sendSelf(Signals.terminate)
            }
        }
        while Signals.wait(for: signals) == Signals.hangUp { live.reload() }
    }

    /// The sockets of systemd, or new ones at the paths of the command line.
    private func openSockets() throws -> ServiceSockets {
        if let activated = try ListeningSocket.activated() {
            return try ServiceSockets(activated: activated)
        }
        guard let mode = UInt32(socketMode, radix: 8), mode <= 0o777 else {
            throw ValidationError("'--socket-mode' is '\(socketMode)'; it must be octal, like 660")
        }
        return try ServiceSockets(
            check: checkSocket,
            pages: pagesSocket,
            status: statusSocket,
            permissions: mode
        )
    }

    private func servers(
        at sockets: ServiceSockets,
        _ gateway: Gateway,
        _ log: EventLog
    ) -> ThreadPools.Servers {
        let report: @Sendable (SystemError) -> Void = { error in
            log.report(.error, "no connection of nginx can be accepted: \(error)")
        }
        // Checks that wait only for the disk are answered fastest by few threads that stay busy: on
        // two cores, 3 or 4 answer a fifth more than 8. With Redis, each check waits for the
        // network, so there are more.
        let asksRedis = gateway.live.relyingParty.configuration.session.redis != nil
        let checkThreads = asksRedis ? max(8, 4 * Host.processors) : Host.processors + 2
        return ThreadPools.Servers(
            check: Server(
                sockets.check,
                threads: checkThreads,
                report: report,
                respond: { .now(gateway.check($0)) }
            ),
            pages: Server(
                sockets.pages,
                threads: 16,
                report: report,
                respond: { gateway.page($0) }
            ),
            // A second thread answers while one waits for the disk or for Redis.
            status: sockets.status.map {
                Server($0, threads: 2, report: report, respond: { .now(gateway.status($0)) })
            }
        )
    }
}
