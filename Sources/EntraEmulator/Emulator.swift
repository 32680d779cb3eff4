import HTTPTypes
import Jansson
import OpenSSL

/// Behaves as Entra does on the endpoints that siteauth uses.
///
/// It signs anybody in as anybody, so it serves this machine alone.
public final class Emulator: Sendable {
    let directory: Directory
    /// Scheme, host and port.
    let base: String
    let now: @Sendable () -> Int
    let random: @Sendable (Int) -> [UInt8]
    let key: SigningKey
    let sessions = BrowserSessions()
    let grants = Grants()

    /// - Parameters:
    ///   - base: the origin at which browsers and siteauth find it, `http://localhost:8081`.
    ///   - key: signs ID tokens; a fresh one takes a tenth of a second to make.
    ///   - now: seconds since 1970.
    /// - Returns: `nil` if `base` is not an address of this machine.
    public init?(
        _ directory: Directory,
        base: String,
        key: SigningKey,
        now: @escaping @Sendable () -> Int,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        guard Self.isLoopback(base) else { return nil }
        self.directory = directory
        self.base = base
        self.now = now
        self.random = random
        self.key = key
    }

    /// Whether a URL can only mean this machine.
    public static func isLoopback(_ url: String) -> Bool {
        guard let start = ["http://", "https://"].first(where: url.hasPrefix) else { return false }
        let authority = url.dropFirst(start.count)
        guard !authority.contains(where: { "/?#@\\".contains($0) }) else { return false }
        if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
        return ["localhost", "127.0.0.1"].contains(authority.prefix { $0 != ":" })
    }

    public func respond(to request: EmulatorRequest) -> EmulatorResponse {
        let segments = request.path.split(separator: "/").map(String.init)
        if request.path == Page.stylePath {
            return EmulatorResponse(.ok, Array(StyleSheet.css.utf8), "text/css; charset=utf-8")
        }
        guard let tenant = segments.first, segments.count > 1 else {
            return welcome(isRoot: segments.isEmpty)
        }
        guard let issuer = issuer(forSegment: tenant) else { return unknownTenant(tenant) }
        switch segments.dropFirst().joined(separator: "/") {
        case "v2.0/.well-known/openid-configuration":
            return document(DiscoveryDocument.json(base: base, tenant: tenant, issuer: issuer))
        case "discovery/v2.0/keys":
            return document(["keys": [key.webKey(issuer: self.issuer("{tenantid}"))]])
        case "oauth2/v2.0/authorize":
            return Authorize(emulator: self).respond(to: request, tenant: tenant)
        case "oauth2/v2.0/token": return Token(emulator: self).respond(to: request, tenant: tenant)
        case "oauth2/v2.0/logout": return Logout(emulator: self).respond(to: request)
        default: return EmulatorResponse(.notFound)
        }
    }

    /// `iss` of a tenant's tokens.
    func issuer(_ tenantID: String) -> String { "\(base)/\(tenantID)/v2.0" }

    func session(of request: EmulatorRequest) -> BrowserSessions.Session? {
        cookie(of: request).flatMap { sessions[$0] }
    }

    func cookie(of request: EmulatorRequest) -> String? {
        let pairs = request.http.headerFields[.cookie]?.split(separator: ";") ?? []
        let name = BrowserSessions.cookieName + "="
        let values = pairs.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(name) }
        return values.first.map { String($0.dropFirst(name.count)) }
    }

    func guid() -> String {
        let digits = random(16).map {
            $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16)
        }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return groups.joined(separator: "-")
    }

    func stamp() -> ProtocolError.Stamp {
        ProtocolError.Stamp(
            traceID: guid(),
            correlationID: guid(),
            time: UniversalTime.text(now())
        )
    }

    /// What Entra does not tell the application, it shows itself, with status 200.
    func errorPage(_ error: ProtocolError) -> EmulatorResponse {
        let stamp = stamp()
        let content = """
            <p>Sorry, but we’re having trouble signing you in.</p>
            <p>\(Page.escape("AADSTS\(error.number): \(error.message)"))</p>
            <pre>Trace ID: \(stamp.traceID)
            Correlation ID: \(stamp.correlationID)
            Timestamp: \(stamp.time)</pre>
            """
        return Page(title: "Sign in", content: content).response(directory)
    }

    /// The issuer for what stands in the tenant's place in a URL.
    private func issuer(forSegment segment: String) -> String? {
        switch segment.lowercased() {
        case directory.tenantID, directory.domain.lowercased(): issuer(directory.tenantID)
        case "common", "organizations": issuer("{tenantid}")
        default: nil
        }
    }

    private func document(_ json: JSON) -> EmulatorResponse {
        var response = EmulatorResponse.json(.ok, json)
        response.http.headerFields[.cacheControl] = "max-age=86400, private"
        response.http.headerFields[.accessControlAllowOrigin] = "*"
        return response
    }

    private func unknownTenant(_ tenant: String) -> EmulatorResponse {
        let error = ProtocolError(
            error: "invalid_tenant",
            number: 90002,
            message: "Tenant '\(tenant)' not found. Check to make sure you have the correct tenant"
                + " ID and are signing into the correct cloud."
        )
        return .json(.badRequest, error.json(stamp()))
    }

    private func welcome(isRoot: Bool) -> EmulatorResponse {
        var page = MessagePage(
            title: isRoot ? "Nothing to sign in to here" : "There is no such page",
            paragraphs: [
                "This program stands in for Microsoft Entra. Open the site that uses it instead.",
                "authority = \"\(base)/\(directory.tenantID)\"",
            ]
        ).response(directory)
        if !isRoot { page.http.status = .notFound }
        return page
    }
}
