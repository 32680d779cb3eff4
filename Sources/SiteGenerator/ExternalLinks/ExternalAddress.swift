import FoundationEssentials

/// An address of the web that can be asked for, without what a server never sees.
public struct ExternalAddress: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// Host and, where it is not the usual one, port.
    public let authority: String
    /// Path and query, encoded.
    public let target: String

    /// `nil` for what is no address of the web, or none that can be read.
    ///
    /// A name and a password in the address are left out: they are nobody's to send.
    public init?(_ text: String) { self.init(URL(string: text)) }

    /// Where an answer sends on to, which may be written relative to the address.
    func following(_ location: String) -> ExternalAddress? {
        ExternalAddress(URL(string: location, relativeTo: URL(string: text))?.absoluteURL)
    }

    private init?(_ url: URL?) {
        guard let url, let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        authority = url.port.map { "\(name):\($0)" } ?? name
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        target = (path.isEmpty ? "/" : path) + query
    }

    public var text: String { "\(scheme)://\(authority)\(target)" }
}
