import FlyingSocks
import Glibc

/// Waits for sockets as another pool does, and has the kernel send at once what is written to them.
///
/// The server writes the head of an answer and its body one after the other. On a connection that
/// is kept, the kernel would hold the body back until the client has acknowledged the head, which
/// clients do after 40 ms (RFC 9293, section 3.7.4).
struct NoDelaySocketPool: AsyncSocketPool {
    private static var sendsAtOnce: BoolSocketOption {
        BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
    }

    let pool: any AsyncSocketPool

    func prepare() async throws { try await pool.prepare() }

    func run() async throws { try await pool.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // The first one listens, and those of its connections have what it has.
        try? socket.setValue(true, for: Self.sendsAtOnce)
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}
