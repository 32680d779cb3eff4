import Testing

@testable import RelyingParty

@Suite struct ClientNetworkTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"), ("2001:db8::1", "2001:db8:0:0::/64"),
        ("2001:db8::5:6:7:8", "2001:db8:0:0::/64"), ("2001:db8:1::5:6:7:8", "2001:db8:1:0::/64"),
        ("::1", "0:0:0:0::/64"), ("::", "0:0:0:0::/64"), ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unix:", "unix::/64"), ("", ""),
    ])
    func `an address belongs to one network`(address: String, network: String) {
        #expect(ClientNetwork.name(of: address) == network)
    }
}
