import ArgumentParser
import FastCGI
import POSIX
import RelyingParty
import Synchronization

/// The threads of the program: a server for each socket and the pools that wait for the provider.
final class ThreadPools: Sendable {
    /// The longest wait for running requests at the end: longer than a slow sign-in usually takes,
    /// shorter than systemd waits.
    private static let patienceMilliseconds = 10_000

    struct Servers: Sendable {
        let check: Server
        let pages: Server
        let status: Server?
    }

    private let servers = Mutex<Servers?>(nil)
    private let provider: ProviderPools
    private let startedAt = Host.time

    init(_ provider: ProviderPools) { self.provider = provider }

    func set(_ servers: Servers) { self.servers.withLock { $0 = servers } }

    func start() throws(SystemError) {
        guard let servers = servers.withLock(\.self) else { return }
        try servers.check.start()
        try provider.start()
        try servers.pages.start()
        try servers.status?.start()
    }

    /// - Returns: whether all requests were finished.
    func stop() -> Bool {
        guard let servers = servers.withLock(\.self) else { return true }
        // The pages stop first: while a last sign-in waits for the provider, checks are still
        // answered.
        let isFinished =
            servers.pages.stop(waiting: Self.patienceMilliseconds)
            && provider.stop(waiting: Self.patienceMilliseconds)
        _ = servers.status?.stop(waiting: 1000)
        return servers.check.stop(waiting: 1000) && isFinished
    }

    /// The state of the threads; what else there is to report is for the caller to add.
    var gauges: Gauges {
        let servers = servers.withLock(\.self)
        var gauges = Gauges()
        gauges.version = SiteauthCommand.configuration.version
        gauges.startedAt = startedAt
        gauges.pools = [("check", servers?.check), ("pages", servers?.pages)].compactMap { pool in
            pool.1.map { (pool.0, $0.threads, $0.busyThreads) }
        }
        gauges.queues = Waiting.Queue.allCases.map { queue in
            let pool = provider[queue]
            return (queue.rawValue, pool.threads, pool.busyThreads, pool.waitingJobs)
        }
        return gauges
    }
}
