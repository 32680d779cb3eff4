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
    public typealias Responder =
        @Sendable (borrowing Exchange) -> (response: HTTPResponse, body: [UInt8])

    public let path: String
    public let threads: Int
    private let socket: Int32
    private let inFlight = Atomic<Int>(0)
    private let isStopping = Atomic<Bool>(false)
    private let respond: Responder

    /// Opens the socket; an old one at the same path is taken over.
    ///
    /// - Parameter permissions: of the socket. Whoever may connect may say anything nginx may say.
    public init(
        path: String,
        permissions: UInt32 = 0o660,
        threads: Int,
        respond: @escaping Responder
    ) throws(SystemError) {
        guard path.utf8.count < 108 else {
            throw SystemError("bind", path, number: ENAMETOOLONG)
        }
        // libfcgi takes `:9000` for a TCP port, open to every machine around.
        guard path.contains("/"), !path.contains(":") else {
            throw SystemError("bind", path, number: EINVAL)
        }
        FCGX_Init()
        socket = unsafe FCGX_OpenSocket(path, 1024)
        guard socket >= 0 else { throw SystemError("bind", path) }
        guard unsafe chmod(path, permissions) == 0 else { throw SystemError("chmod", path) }
        self.path = path
        self.threads = threads
        self.respond = respond
    }

    /// Starts the threads.
    public func start() throws(SystemError) {
        for _ in 0..<threads {
            try WorkerThread.start { self.serve() }
        }
    }

    /// Takes no further request, and waits for those in flight, as long as `milliseconds`.
    ///
    /// Threads that idle on a kept connection stay blocked; the process ends without them.
    ///
    /// - Returns: whether all were finished.
    public func stop(waiting milliseconds: Int) -> Bool {
        isStopping.store(true, ordering: .releasing)
        // Every `accept` fails from now on. FCGX_ShutdownPending() would stop all servers of the
        // process, and for good.
        shutdown(socket, Int32(SHUT_RD))
        unsafe unlink(path)
        let deadline = Host.uptimeNanoseconds + UInt64(max(0, milliseconds)) * 1_000_000
        while inFlight.load(ordering: .acquiring) > 0 {
            if Host.uptimeNanoseconds >= deadline { return false }
            Host.sleep(milliseconds: 5)
        }
        return true
    }

    private func serve() {
        var request = unsafe FCGX_Request()
        guard unsafe FCGX_InitRequest(&request, socket, 0) == 0 else { return }
        while !isStopping.load(ordering: .acquiring) {
            guard unsafe FCGX_Accept_r(&request) == 0 else {
                // Out of descriptors or memory, perhaps: a thread that gave up now would be
                // missing for good.
                Host.sleep(milliseconds: 50)
                continue
            }
            inFlight.add(1, ordering: .acquiring)
            unsafe withUnsafeMutablePointer(to: &request) { pointer in
                let exchange = unsafe Exchange(pointer)
                let answer = respond(exchange)
                exchange.send(answer.response, body: answer.body)
            }
            unsafe FCGX_Finish_r(&request)
            inFlight.subtract(1, ordering: .releasing)
        }
    }
}
