import FoundationEssentials

/// A URL of the web, without the parts that a server never receives.
public struct ExternalAddress: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// Host, and port unless it is the default.
    public let authority: String
    /// Path and query, encoded.
    public let target: String

    /// `nil` if the text is not an `http` or `https` URL.
    ///
    /// A user name and password in the URL are dropped, so that they are never sent.
    public init?(_ text: String) { self.init(URL(string: text)) }

    /// The target of a redirect, which may be relative to this URL.
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
