import EntraEmulator
import Loopback
import Synchronization

/// A port of this machine, and what answers there.
final class Listener: Sendable {
    /// In a structure, because a mutex of a bare function wraps it in two more functions whenever it
    /// is locked: after fifty thousand requests, calling them all would overflow a thread's stack.
    private struct Responder: Sendable {
        let respond: @Sendable (EmulatorRequest) -> EmulatorResponse
    }

    private let responder = Mutex<Responder?>(nil)

    /// Begins to answer; until then there is a 503.
    func answer(_ respond: @escaping @Sendable (EmulatorRequest) -> EmulatorResponse) {
        responder.withLock { $0 = Responder(respond: respond) }
    }

    /// Begins to listen.
    ///
    /// - Returns: the port, where 0 asked for any.
    func start(at addresses: [LoopbackAddress], port: UInt16) async throws -> UInt16 {
        let gateway = HTTPGateway { [self] request in
            responder.withLock { $0 }?.respond(request)
        }
        return try await LoopbackServer.start(at: addresses, port: port, handler: gateway)
    }
}
