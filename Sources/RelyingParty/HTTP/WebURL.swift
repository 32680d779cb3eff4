/// An absolute `https` URL, or an `http` one of this machine, taken apart only as far as needed.
public struct WebURL: Sendable, Equatable {
    public let scheme: String
    /// Host, and port if one is given.
    public let authority: String
    /// Begins with `/`, or is empty.
    public let path: String
    /// Query with `?`, or empty.
    public let query: String

    /// Reads a URL, or returns `nil` for one with user information, a fragment, characters that
    /// belong in no URL, or plain http to another machine.
    public init?(_ text: String) { self.init(text, takesPlainHTTP: false) }

    /// - Parameter takesPlainHTTP: whether plain http to another machine is meant, which only the
    ///   metadata service of a virtual machine can be.
    init?(_ text: String, takesPlainHTTP: Bool) {
        guard let separator = text.firstRange(of: "://"), text.utf8.count <= 2048,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\\\"<>^`{|}#".utf8.contains($0) }
            )
        else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...]
        let pathStart = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        authority = rest[..<pathStart].lowercased()
        let queryStart = rest[pathStart...].firstIndex(of: "?") ?? rest.endIndex
        path = String(rest[pathStart..<queryStart])
        query = String(rest[queryStart...])
        // What is encoded in a host means one thing to one reader and another to the next.
        guard !authority.isEmpty, !authority.contains(where: { "@%".contains($0) }) else {
            return nil
        }
        guard scheme == "https" || (scheme == "http" && (isLoopback || takesPlainHTTP)) else {
            return nil
        }
    }

    public var origin: String { "\(scheme)://\(authority)" }

    public var text: String { origin + path + query }

    public var host: String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[...end])
        }
        return String(authority.prefix { $0 != ":" })
    }

    /// Whether nobody can listen between us and it; names below `localhost` are this machine as
    /// well (RFC 6761, section 6.3).
    public var isLoopback: Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
    }

    /// The host as Microsoft names it: on this machine, the emulator's has `.localhost` behind it.
    var providerHost: String {
        host.hasSuffix(".localhost") ? String(host.dropLast(".localhost".count)) : host
    }

    /// Whether it is the address of an external tenant that Microsoft gave it.
    var isExternalTenant: Bool { providerHost.hasSuffix(".ciamlogin.com") }

    /// Whether one of Microsoft's own hosts is meant.
    var isMicrosoft: Bool { providerHost.hasPrefix("login.microsoftonline.") || isExternalTenant }

    /// Whether a discovery document lies there as Entra's do, on whatever host: an external tenant may
    /// have a domain of its own.
    var isLikeEntra: Bool {
        isMicrosoft || path.hasSuffix("/v2.0/.well-known/openid-configuration")
    }

    /// What names the tenant in Entra's URLs, in lower case.
    var firstSegment: String { path.split(separator: "/").first?.lowercased() ?? "" }
}
