import FlyingSocks
import Glibc
import Testing

@testable import Loopback

@Suite struct LoopbackServerTests {
    @Test func `an error tells why a port is not free for this program`() {
        let inUse = SocketError.failed(type: "Bind", errno: EADDRINUSE, message: "")
        let forbidden = SocketError.failed(type: "Bind", errno: EACCES, message: "")
        #expect(LoopbackServer.isInUse(inUse) && !LoopbackServer.isInUse(forbidden))
        #expect(
            LoopbackServer.isPermissionDenied(forbidden)
                && !LoopbackServer.isPermissionDenied(inUse)
        )
    }
}
