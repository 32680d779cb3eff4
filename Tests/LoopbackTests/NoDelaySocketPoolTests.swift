import FlyingSocks
import Glibc
import Testing

@testable import Loopback

@Suite struct NoDelaySocketPoolTests {
    /// Every socket is ready at once.
    private struct ReadyPool: AsyncSocketPool {
        func prepare() {}
        func run() {}
        func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) {}
    }

    @Test func `what is written to a socket does not wait for an acknowledgement`() async throws {
        let socket = try Socket(domain: AF_INET)
        defer { try? socket.close() }
        let sendsAtOnce = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
        #expect(try !socket.getValue(for: sendsAtOnce))
        let pool = NoDelaySocketPool(pool: ReadyPool())
        try await pool.suspendSocket(socket, untilReadyFor: .connection)
        #expect(try socket.getValue(for: sendsAtOnce))
    }
}
