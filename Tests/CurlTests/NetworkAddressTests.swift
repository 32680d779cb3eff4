import Testing

@testable import Curl

@Suite struct NetworkAddressTests {
    @Test(
        arguments: [
            ([127, 0, 0, 1], false), ([10, 1, 2, 3], false), ([172, 31, 0, 1], false),
            ([172, 32, 0, 1], true), ([192, 168, 1, 1], false), ([169, 254, 169, 254], false),
            ([100, 64, 0, 1], false), ([100, 128, 0, 1], true), ([0, 0, 0, 0], false),
            ([224, 0, 0, 1], false), ([255, 255, 255, 255], false), ([8, 8, 8, 8], true),
            ([93, 184, 216, 34], true), ([], false),
        ] as [([UInt8], Bool)]
    )
    func `an IPv4 address is of the public internet or not`(bytes: [UInt8], isPublic: Bool) {
        #expect(NetworkAddress(bytes: bytes).isPublic == isPublic)
        if bytes.isEmpty { return }
        // Wrapped in IPv6 it is the same address: mapped, translated, 6to4.
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF] + bytes
        #expect(NetworkAddress(bytes: mapped).isPublic == isPublic)
        let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + bytes
        #expect(NetworkAddress(bytes: translated).isPublic == isPublic)
        let sixToFour: [UInt8] = [0x20, 0x02] + bytes + Array(repeating: 0, count: 10)
        #expect(NetworkAddress(bytes: sixToFour).isPublic == isPublic)
    }

    @Test(
        arguments: [
            ([0, 0], 1, false), ([0, 0], 0, false), ([0xFE, 0x80], 1, false),
            ([0xFC, 0], 1, false), ([0xFD, 0x12], 1, false), ([0xFF, 2], 1, false),
            ([0x20, 0x01, 0, 0], 1, false), ([0x20, 0x01, 0x0D, 0xB8], 1, false),
            ([0x20, 0x01, 0x48, 0x60], 1, true), ([0x2A, 0x00], 1, true),
        ] as [([UInt8], UInt8, Bool)]
    )
    func `an IPv6 address is of the public internet or not`(
        start: [UInt8],
        last: UInt8,
        isPublic: Bool
    ) {
        let bytes = start + Array(repeating: 0, count: 15 - start.count) + [last]
        #expect(NetworkAddress(bytes: bytes).isPublic == isPublic)
    }
}
