import CFastCGI
import Glibc
import HTTPTypes
import POSIX
import Synchronization

/// A FastCGI responder on a Unix socket, with a fixed number of threads.
///
/// One thread serves one *connection* until nginx closes it. With `fastcgi_keep_conn on`, nginx
/// keeps up to `keepalive` connections for each of its workers, idle ones too; were that as many
/// as there are threads, every other request would hang. So: `keepalive` times `worker_processes`
/// stays below ``threads``. The server blocks in C and therefore runs on threads, never on tasks.
public final class Server: Sendable {
    public typealias Responder = @Sendable (borrowing Exchange) -> Reply

    public let socket: ListeningSocket
    private let workers: [Worker]
    private let isStopping = Atomic<Bool>(false)
    private let respond: Responder

    public init(
        _ socket: ListeningSocket,
        threads: Int,
        respond: @escaping Responder
    ) {
        FCGX_Init()
        self.socket = socket
        workers = (0..<threads).map { _ in Worker() }
        self.respond = respond
    }

    public var threads: Int { workers.count }

    /// How many threads work on a request now.
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

    /// Takes no further request, and waits for those that came in, as long as `milliseconds`.
    ///
    /// Whoever has connected is answered: a path of ours is withdrawn first, then what waits at the
    /// socket is served. At a socket of systemd's it waits for the next process. A kept connection
    /// is closed when its request is answered, or at once where it idles.
    ///
    /// - Returns: whether all were finished.
    public func stop(waiting milliseconds: Int) -> Bool {
        let deadline = Host.uptimeNanoseconds + UInt64(max(0, milliseconds)) * 1_000_000
        socket.withdraw()
        if !socket.isActivated {
            // Who has just found the path may still be on the way.
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
            // More than once, for it may come between a look at `isStopping` and the wait.
            for worker in left { worker.disturb() }
            if Host.uptimeNanoseconds >= deadline { return false }
            Host.sleep(milliseconds: 5)
        }
    }

    private func serve(at worker: Worker) {
        defer { worker.activity.store(.none, ordering: .releasing) }
        while !isStopping.load(ordering: .sequentiallyConsistent) {
            worker.activity.store(.accepting, ordering: .releasing)
            guard let connection = socket.accept() else {
                // Out of descriptors or memory, perhaps: a thread that gave up now would be
                // missing for good.
                if !isStopping.load(ordering: .sequentiallyConsistent) {
                    Host.sleep(milliseconds: 50)
                }
                continue
            }
            serve(connection, at: worker)
        }
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
                // Another thread has the connection from here on.
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

    /// A thread's place, and what it does there.
    private final class Worker: Sendable {
        enum Activity: UInt8, AtomicRepresentable {
            case none, accepting, receiving, working
            /// On a connection that nginx keeps without having asked anything.
            case idling
        }

        let thread = WorkerThread.Handle()
        let connection = Atomic<Int32>(-1)
        let activity = Atomic<Activity>(.none)

        /// Ends a wait in which nothing has been received.
        func disturb() {
            switch activity.load(ordering: .acquiring) {
            case .accepting: thread.interrupt()
            case .idling:
                // A request that has already arrived is still read; whoever sends one now is told
                // at once that nobody listens, and nginx asks again on another connection.
                shutdown(connection.load(ordering: .acquiring), Int32(SHUT_RD))
            case .none, .receiving, .working: break
            }
        }
    }
}
