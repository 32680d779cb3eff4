/// Addresses of the site itself, as a browser's address bar shows them.
enum OwnAddress {
    /// The address without the site's origin; `nil` for an address of another site.
    ///
    /// Scheme and host are compared without case (RFC 3986, section 6.2.2.1). `http` counts as
    /// `https`, because the server redirects to it.
    ///
    /// - Parameter origin: such as `https://docs.example.com`.
    static func path(of address: String, origin: String?) -> String? {
        guard let origin, let host = authority(of: origin), let (own, rest) = split(address),
            own == host
        else { return nil }
        // nginx takes several slashes for one; at the beginning they would name another host.
        return "/\(rest.drop { $0 == "/" })"
    }

    private static func authority(of address: String) -> String? { split(address)?.authority }

    /// The authority in lower case and without the scheme's port, and what follows it.
    private static func split(_ address: String) -> (authority: String, rest: Substring)? {
        let bytes = address.utf8
        guard let start = bytes.firstIndex(of: UInt8(ascii: "/")),
            bytes[start...].starts(with: "//".utf8)
        else { return nil }
        let scheme = address[..<start].lowercased()
        guard ["", "http:", "https:"].contains(scheme) else { return nil }
        let from = bytes.index(start, offsetBy: 2)
        let end = bytes[from...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        var authority = address[from..<end].lowercased()
        for port in [":443", ":80"] where authority.hasSuffix(port) {
            authority.removeLast(port.utf8.count)
        }
        return (authority, address[end...])
    }
}
