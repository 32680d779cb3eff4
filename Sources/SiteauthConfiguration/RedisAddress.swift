import Access

/// The address of a Redis, and its user and password.
public struct RedisAddress: Sendable, Equatable {
    public enum Endpoint: Sendable, Equatable {
        case host(String, port: Int)
        case socket(path: String)
    }

    public let endpoint: Endpoint
    /// Whether the connection uses TLS, always or never.
    public let isEncrypted: Bool
    /// The user; empty if there is only a password.
    public let user: String
    public let password: String
    public let database: Int

    /// Reads `redis://[[user]:password@]host[:port][/number]`, the same with `rediss` for TLS, or
    /// `unix:///path`.
    public init?(_ text: String) {
        if text.hasPrefix("unix://") {
            let path = String(text.dropFirst("unix://".count))
            // `sun_path` has room for 107 bytes.
            guard path.hasPrefix("/"), path.utf8.count <= 107 else { return nil }
            endpoint = .socket(path: path)
            isEncrypted = false
            user = ""
            password = ""
            database = 0
            return
        }
        isEncrypted = text.hasPrefix("rediss://")
        guard isEncrypted || text.hasPrefix("redis://"), text.utf8.count <= 1024 else { return nil }
        let rest = text.dropFirst((isEncrypted ? "rediss://" : "redis://").count)
        let pathStart = rest.lastIndex(of: "/") ?? rest.endIndex
        let number = rest[pathStart...].dropFirst()
        guard let database = number.isEmpty ? 0 : Int(number), (0...1023).contains(database) else {
            return nil
        }
        var authority = rest[..<pathStart]
        var names = (user: "", password: "")
        if let at = authority.lastIndex(of: "@") {
            let parts = authority[..<at].split(
                separator: ":",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts.count == 2, let user = PercentEncoding.decode(parts[0]),
                let password = PercentEncoding.decode(parts[1]), !password.isEmpty
            else { return nil }
            names = (user, password)
            authority = authority[authority.index(after: at)...]
        }
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        endpoint = .host(host, port: port)
        (user, password) = names
        self.database = database
    }

    /// `name:port`, `name`, or an IPv6 address in brackets.
    private static func hostAndPort(_ authority: Substring) -> (String, Int)? {
        var host = authority
        var portText = Substring("6379")
        let end = authority.firstIndex(of: "]") ?? authority.startIndex
        if let colon = authority[end...].firstIndex(of: ":") {
            host = authority[..<colon]
            portText = authority[authority.index(after: colon)...]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        let isPlain = host.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != 0x5B && $0 != 0x5D
        }
        guard !host.isEmpty, isPlain, let port = Int(portText), (1...65_535).contains(port) else {
            return nil
        }
        return (String(host), port)
    }
}
