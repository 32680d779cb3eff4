import POSIX
import Testing

@Suite struct LoopbackAddressTests {
    @Test(arguments: [
        "0.0.0.0", "::", "192.168.1.2", "example.com", "", "127.1", "localhost:80", "127.0.0.256",
        "127.0.0.1.evil", "localhost.evil", "128.0.0.1", "127.0.0.01", "127.+0.0.1", "127..0.1",
    ])
    func `what can be another machine is refused`(host: String) {
        #expect(LoopbackAddress.all(host) == nil)
    }

    @Test func `localhost is both`() {
        #expect(LoopbackAddress.all("localhost") == [.ipv4("127.0.0.1"), .ipv6])
        #expect(LoopbackAddress.all("127.0.0.2") == [.ipv4("127.0.0.2")])
        #expect(LoopbackAddress.all("[::1]") == [.ipv6])
    }
}
