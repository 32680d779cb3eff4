import EntraEmulator
import Loopback
import POSIX
import Synchronization

/// A port of this machine, and the function that answers there.
final class Listener: Sendable {
    /// A structure, because a mutex of a bare function wraps it in two more functions at each lock:
    /// after fifty thousand requests, calling all of them would overflow a thread's stack.
    private struct Responder: Sendable {
        let respond: @Sendable (EmulatorRequest) -> EmulatorResponse
    }

    private let responder = Mutex<Responder?>(nil)

    /// Starts to answer; before that, every answer is a 503.
    func answer(_ respond: @escaping @Sendable (EmulatorRequest) -> EmulatorResponse) {
        responder.withLock { $0 = Responder(respond: respond) }
    }

    /// Starts to listen.
    ///
    /// - Returns: the port, which the system chooses for 0.
    func start(at addresses: [LoopbackAddress], port: UInt16) async throws -> UInt16 {
        let gateway = HTTPGateway { [self] request in
            responder.withLock { $0 }?.respond(request)
        }
        return try await LoopbackServer.start(at: addresses, port: port, handler: gateway)
    }
}
