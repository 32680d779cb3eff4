/// The network of a client's address, as far as one customer of an internet provider has it alone.
///
/// For IPv4 that is the address, for IPv6 its first 64 bits (RFC 6177), because such a customer has
/// 2⁶⁴ addresses.
enum ClientNetwork {
    /// - Parameter address: as nginx writes it (RFC 5952), such as `2001:db8::1`.
    static func name(of address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        // An IPv4-mapped IPv6 address, from a socket that accepts both.
        if address.utf8.contains(UInt8(ascii: ".")) {
            return address.split(separator: ":").last.map(String.init) ?? address
        }
        let halves = address.split(separator: "::", omittingEmptySubsequences: false)
        var groups = halves[0].split(separator: ":")
        if halves.count == 2 {
            let rest = halves[1].split(separator: ":")
            groups += Array(repeating: "0", count: max(0, 8 - groups.count - rest.count)) + rest
        }
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }
}
