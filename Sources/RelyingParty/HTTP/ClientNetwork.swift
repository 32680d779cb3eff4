/// The network that an address belongs to, as far as one customer of a provider has it alone.
///
/// That is an IPv4 address, and the first 64 bits of an IPv6 address (RFC 6177): whoever has one of
/// those has 2⁶⁴ of them.
enum ClientNetwork {
    /// - Parameter address: as nginx writes it (RFC 5952), such as `2001:db8::1`.
    static func name(of address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        // An IPv4 address in IPv6's clothes, where one socket takes both.
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
