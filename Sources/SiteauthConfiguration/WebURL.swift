import HTTPTypes

/// An absolute `https` URL, or an `http` URL of this machine, split as far as needed.
public struct WebURL: Sendable, Equatable {
    public let scheme: String
    /// The host, with the port if one is given.
    public let authority: String
    /// The path; begins with `/`, or is empty.
    public let path: String
    /// The query with its `?`, or empty.
    public let query: String

    /// Reads a URL; returns `nil` for user information, a fragment, characters that no URL may
    /// have, or plain http to another machine.
    public init?(_ text: String) { self.init(text, takesPlainHTTP: false) }

    /// - Parameter takesPlainHTTP: whether plain http to another machine is allowed, which only the
    ///   metadata service of a virtual machine needs.
    package init?(_ text: String, takesPlainHTTP: Bool) {
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
        // Programs disagree about an encoded host.
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

    /// Whether the host is this machine; names below `localhost` are this machine as well (RFC
    /// 6761, section 6.3).
    ///
    /// `HTTPClient.isLoopback` checks the same once more before a request is sent.
    public var isLoopback: Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
    }

    /// The host as Microsoft names it; the emulator's hosts have `.localhost` behind that.
    package var providerHost: String {
        host.hasSuffix(".localhost") ? String(host.dropLast(".localhost".count)) : host
    }

    /// Whether the host is Microsoft's address of an external tenant.
    package var isExternalTenant: Bool { providerHost.hasSuffix(".ciamlogin.com") }

    /// Whether the host is one of Microsoft's.
    package var isMicrosoft: Bool {
        providerHost.hasPrefix("login.microsoftonline.") || isExternalTenant
    }

    /// Whether the path is that of an Entra discovery document, on any host: an external tenant may
    /// have its own domain.
    package var isLikeEntra: Bool {
        isMicrosoft || path.hasSuffix("/v2.0/.well-known/openid-configuration")
    }

    /// Why a redirect URI such as `https://intranet.example.com/handbook/auth/callback` is refused.
    ///
    /// Cookies, service workers and the Content-Security-Policy's `'self'` belong to a host: any
    /// page of the host could act for the site's readers.
    public var problemOfPrefix: String? {
        let usual = "/auth/callback"
        guard path != usual, path.lowercased().hasSuffix(usual) else { return nil }
        return "a site cannot be below the path '\(path.dropLast(usual.count))';"
            + " give it a host name of its own, with the path '\(usual)'"
    }

    /// The first segment of the path, which names the tenant in Entra's URLs, in lower case.
    package var firstSegment: String { path.split(separator: "/").first?.lowercased() ?? "" }
}

extension HTTPRequest {
    /// - Parameter path: the path with its query, if it is another one than the URL's.
    package init(_ method: Method, _ url: WebURL, path: String? = nil, _ fields: HTTPFields) {
        self.init(
            method: method,
            scheme: url.scheme,
            authority: url.authority,
            path: path ?? url.path + url.query,
            headerFields: fields
        )
    }
}
