import FlyingSocks
import Glibc

/// A socket pool that makes the kernel send written bytes at once (`TCP_NODELAY`).
///
/// The server writes the head and the body of an answer separately. On a kept connection, the
/// kernel would hold the body back until the client has acknowledged the head, which clients do
/// after 40 ms (RFC 9293, section 3.7.4).
struct NoDelaySocketPool: AsyncSocketPool {
    private static var sendsAtOnce: BoolSocketOption {
        BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
    }

    let pool: any AsyncSocketPool

    func prepare() async throws { try await pool.prepare() }

    func run() async throws { try await pool.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // The first socket is the listening one, and the sockets of its connections inherit the
        // option.
        try? socket.setValue(true, for: Self.sendsAtOnce)
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}
