import ArgumentParser
import FastCGI
import POSIX
import RelyingParty
import Synchronization

/// The two servers of the program, once they are there.
final class ThreadPools: Sendable {
    /// Longer than a sign-in waits for a slow Entra as a rule, shorter than systemd's patience.
    private static let patienceMilliseconds = 10_000

    private let servers = Mutex<(check: Server, pages: Server)?>(nil)
    private let provider: ProviderPools

    init(_ provider: ProviderPools) { self.provider = provider }

    func set(_ servers: (check: Server, pages: Server)) { self.servers.withLock { $0 = servers } }

    func start() throws(SystemError) {
        guard let servers = servers.withLock(\.self) else { return }
        try servers.check.start()
        try provider.start()
        try servers.pages.start()
    }

    /// - Returns: whether all requests were finished.
    func stop() -> Bool {
        guard let servers = servers.withLock(\.self) else { return true }
        // Pages first: while a sign-in waits for Entra, readers go on reading.
        let isFinished =
            servers.pages.stop(waiting: Self.patienceMilliseconds)
            && provider.stop(waiting: Self.patienceMilliseconds)
        return servers.check.stop(waiting: 1000) && isFinished
    }

    func gauges(revocations: Int?) -> Gauges {
        let servers = servers.withLock(\.self)
        let pools = [("check", servers?.check), ("pages", servers?.pages)].compactMap {
            name,
            server in
            server.map { Gauges.Pool(socket: name, threads: $0.threads, busy: $0.busyThreads) }
        }
        let queues = Waiting.Queue.allCases.map { queue in
            Gauges.Queue(
                name: queue.rawValue,
                capacity: provider[queue].threads,
                busy: provider[queue].busyThreads,
                waiting: provider[queue].waitingJobs
            )
        }
        return Gauges(
            version: SiteauthCommand.configuration.version,
            pools: pools,
            queues: queues,
            revocations: revocations
        )
    }
}
