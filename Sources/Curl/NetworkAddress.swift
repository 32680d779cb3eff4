/// The address of a machine, which is either public or not.
struct NetworkAddress: Equatable {
    /// Four bytes (IPv4) or sixteen bytes (IPv6), in network byte order.
    let bytes: [UInt8]

    /// Whether the address is on the public internet, and not this machine or a network near it.
    ///
    /// Addresses that are reserved, for documentation or not yet assigned are not public (the
    /// special-purpose registries of RFC 6890).
    var isPublic: Bool {
        switch bytes.count {
        case 4: Self.isPublic(bytes)
        case 16: Self.isPublicV6(bytes)
        default: false
        }
    }

    private static func isPublic(_ four: [UInt8]) -> Bool {
        switch (four[0], four[1], four[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
        case (100, 64..<128, _), (169, 254, _), (172, 16..<32, _), (192, 168, _): false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _): false
        case (198, 51, 100), (203, 0, 113): false
        default: true
        }
    }

    private static func isPublicV6(_ sixteen: [UInt8]) -> Bool {
        // An IPv4 address inside an IPv6 address is judged as IPv4 (RFC 4291, 6052 and 3056).
        if sixteen[..<10].allSatisfy({ $0 == 0 }), sixteen[10...11].allSatisfy({ $0 == 0xFF }) {
            return isPublic(Array(sixteen[12...]))
        }
        if sixteen.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return isPublic(Array(sixteen[12...]))
        }
        if sixteen.starts(with: [0x20, 0x02]) { return isPublic(Array(sixteen[2..<6])) }
        // Addresses of Teredo and other protocols, then those for documentation.
        if sixteen.starts(with: [0x20, 0x01]), sixteen[2] < 2 { return false }
        if sixteen.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return false }
        if sixteen.starts(with: [0x3F, 0xFF]), sixteen[2] < 0x10 { return false }
        return sixteen[0] & 0xE0 == 0x20
    }
}
