import CFastCGI
import Glibc
import HTTPTypes
import POSIX
import Synchronization

/// A FastCGI responder on a Unix socket, with a fixed number of threads.
///
/// One thread serves one *connection* until nginx closes it. With `fastcgi_keep_conn on`, nginx
/// keeps up to `keepalive` connections for each of its workers, idle ones too. If there are as many
/// kept connections as threads, every other request hangs. So `keepalive` times `worker_processes`
/// must stay below ``threads``. The server blocks in C and therefore runs on threads, never on
/// tasks.
public final class Server: Sendable {
    public typealias Responder = @Sendable (borrowing Exchange) -> Reply

    public let socket: ListeningSocket
    private let workers: [Worker]
    private let isStopping = Atomic<Bool>(false)
    private let respond: Responder
    private let report: @Sendable (SystemError) -> Void
    /// When an error was last reported, in nanoseconds of a monotonic clock.
    private let reportedAt = Atomic<UInt64>(0)
    private static let reportInterval: UInt64 = 60_000_000_000

    /// - Parameter report: called when no connection can be accepted, at most once a minute.
    public init(
        _ socket: ListeningSocket,
        threads: Int,
        report: @escaping @Sendable (SystemError) -> Void = { _ in },
        respond: @escaping Responder
    ) {
        FCGX_Init()
        self.socket = socket
        workers = (0..<threads).map { _ in Worker() }
        self.respond = respond
        self.report = report
    }

    public var threads: Int { workers.count }

    /// The number of threads that are working on a request.
    public var busyThreads: Int {
        workers.count { $0.activity.load(ordering: .relaxed) == .working }
    }

    /// Starts the threads.
    public func start() throws(SystemError) {
        for worker in workers {
            worker.activity.store(.accepting, ordering: .releasing)
            try WorkerThread.start { worker.thread.run { self.serve(at: worker) } }
        }
    }

    /// Accepts no further requests, and waits up to `milliseconds` for those that have arrived.
    ///
    /// Every request that has arrived is answered: siteauth's own socket is removed from its path
    /// first, then the waiting connections are served. With socket activation, waiting connections
    /// stay queued for the next process. A kept connection is closed after its request, or at once
    /// if it is idle.
    ///
    /// - Returns: whether all requests were finished.
    public func stop(waiting milliseconds: Int) -> Bool {
        let deadline = Host.uptimeNanoseconds + UInt64(max(0, milliseconds)) * 1_000_000
        socket.withdraw()
        if !socket.isActivated {
            // A client may have looked up the path but not connected yet.
            var quiet = 0
            while quiet < 5, Host.uptimeNanoseconds < deadline {
                Host.sleep(milliseconds: 5)
                quiet = socket.hasConnections ? 0 : quiet + 1
            }
        }
        isStopping.store(true, ordering: .sequentiallyConsistent)
        while true {
            let left = workers.filter { $0.activity.load(ordering: .acquiring) != .none }
            if left.isEmpty { return true }
            // Repeated, because the signal may arrive between the test of `isStopping` and the
            // wait.
            for worker in left { worker.disturb() }
            if Host.uptimeNanoseconds >= deadline { return false }
            Host.sleep(milliseconds: 5)
        }
    }

    private func serve(at worker: Worker) {
        defer { worker.activity.store(.none, ordering: .releasing) }
        while !isStopping.load(ordering: .sequentiallyConsistent) {
            worker.activity.store(.accepting, ordering: .releasing)
            do throws(SystemError) {
                if let connection = try socket.accept() { serve(connection, at: worker) }
            } catch {
                // Descriptors or memory may be exhausted for a moment: a thread that gave up now
                // would be missing from then on.
                if !isStopping.load(ordering: .sequentiallyConsistent) {
                    reportOnceAMinute(error)
                    Host.sleep(milliseconds: 50)
                }
            }
        }
    }

    private func reportOnceAMinute(_ error: SystemError) {
        let (now, last) = (Host.uptimeNanoseconds, reportedAt.load(ordering: .relaxed))
        guard last == 0 || now - last > Self.reportInterval else { return }
        // Of several threads with the same error, one reports it.
        let isMine = reportedAt.compareExchange(expected: last, desired: now, ordering: .relaxed)
        if isMine.exchanged { report(error) }
    }

    /// Answers the requests of one connection.
    private func serve(_ descriptor: Int32, at worker: Worker) {
        guard let connection = Connection(descriptor) else { return }
        worker.connection.store(descriptor, ordering: .releasing)
        worker.activity.store(.receiving, ordering: .releasing)
        while connection.receive() {
            worker.activity.store(.working, ordering: .releasing)
            switch respond(connection.exchange) {
            case .now(let answer):
                connection.exchange.send(answer.response, body: answer.body)
            case .later(let pool, let answer, let refusal):
                // From here on, another thread owns the connection.
                worker.connection.store(-1, ordering: .releasing)
                connection.endAfterAnswer()
                let isTaken = pool.add {
                    if !connection.isAbandoned {
                        Self.finish(connection, with: answer())
                    } else {
                        _ = connection.finish()
                        connection.close()
                    }
                }
                if !isTaken { Self.finish(connection, with: refusal()) }
                return
            }
            if isStopping.load(ordering: .acquiring) { connection.endAfterAnswer() }
            guard connection.finish() else { break }
            worker.activity.store(.idling, ordering: .releasing)
        }
        worker.connection.store(-1, ordering: .releasing)
        connection.close()
    }

    private static func finish(_ connection: Connection, with answer: Reply.Answer) {
        connection.exchange.send(answer.response, body: answer.body)
        _ = connection.finish()
        connection.close()
    }

    /// A thread of the server, and its present activity.
    private final class Worker: Sendable {
        enum Activity: UInt8, AtomicRepresentable {
            case none, accepting, receiving, working
            /// On a kept connection without a request.
            case idling
        }

        let thread = WorkerThread.Handle()
        let connection = Atomic<Int32>(-1)
        let activity = Atomic<Activity>(.none)

        /// Ends the thread's wait if nothing has been received.
        func disturb() {
            switch activity.load(ordering: .acquiring) {
            case .accepting: thread.interrupt()
            case .idling:
                // A request that has already arrived is still read. If nginx sends one now, it gets
                // an error at once, and asks again on another connection.
                shutdown(connection.load(ordering: .acquiring), Int32(SHUT_RD))
            case .none, .receiving, .working: break
            }
        }
    }
}
