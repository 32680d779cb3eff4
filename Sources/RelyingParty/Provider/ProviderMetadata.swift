import Jansson

/// What a provider publishes about itself (OpenID Connect Discovery 1.0, section 3).
struct ProviderMetadata: Sendable, Equatable {
    /// May contain `{tenantid}` at Entra's `common` and `organizations`.
    let issuer: String
    let authorizationEndpoint: WebURL
    let tokenEndpoint: WebURL
    let keySetURL: WebURL
    let endSessionEndpoint: WebURL?
    var userInfoEndpoint: WebURL?
    /// How ID tokens may be signed; empty where the provider does not say.
    var signingAlgorithms: [String] = []
    /// Microsoft's name of the cloud; only Entra sends one.
    let cloudInstanceName: String?
    /// Scheme and host of Microsoft Graph in this cloud; only Entra has one.
    let graph: WebURL?
    /// Whether it is Entra's `organizations`, where nobody has a personal account.
    var isForOrganizations = false

    static let tenantPlaceholder = "{tenantid}"

    /// Whether tokens of several tenants come from it.
    var isForSeveralTenants: Bool { issuer.contains(Self.tenantPlaceholder) }

    /// Whether an issuer is this provider, or one of the tenants that it speaks for.
    func admits(_ other: String) -> Bool {
        if other == issuer { return true }
        let parts = issuer.split(
            separator: Self.tenantPlaceholder,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, other.hasPrefix(parts[0]), other.hasSuffix(parts[1]) else {
            return false
        }
        let tenant = other.dropFirst(parts[0].count).dropLast(parts[1].count)
        return tenant.count == 36 && tenant.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// Whether it is Entra: then people are known by `tid` and `oid`.
    var isEntra: Bool { cloudInstanceName != nil || isForSeveralTenants }

    /// Reads the document at `url`, or says what is wrong with it.
    ///
    /// It came over TLS from where the operator pointed, so it may name endpoints on any host; but
    /// whose tokens it speaks for must fit where it lies, or a wrong URL would let in another
    /// organisation's people.
    static func parse(_ bytes: [UInt8], from url: WebURL) -> Result<ProviderMetadata, ProviderError>
    {
        guard let json = try? JSON(parsing: bytes), json.members != nil else {
            return .failure(.init("the document at '\(url.text)' is no JSON object"))
        }
        if let error = json["error"]?.string {
            let text = json["error_description"]?.string ?? ""
            return .failure(.init("'\(url.text)' answered '\(error)': \(text)"))
        }
        func endpoint(_ name: String) -> WebURL? {
            guard let endpoint = json[name]?.string.flatMap(WebURL.init) else { return nil }
            // A document from the Internet may not send us to this machine.
            return endpoint.isLoopback == url.isLoopback ? endpoint : nil
        }
        guard let issuer = json["issuer"]?.string else {
            return .failure(.init("the document at '\(url.text)' has no 'issuer'"))
        }
        guard fits(issuer, url) else {
            return .failure(.init("'issuer' is '\(issuer)', which does not fit '\(url.text)'"))
        }
        guard let authorization = endpoint("authorization_endpoint"),
            let token = endpoint("token_endpoint"), let keys = endpoint("jwks_uri")
        else {
            let names = "'authorization_endpoint', 'token_endpoint' and 'jwks_uri'"
            return .failure(.init("the document at '\(url.text)' lacks one of \(names) on https"))
        }
        return .success(
            ProviderMetadata(
                issuer: issuer,
                authorizationEndpoint: authorization,
                tokenEndpoint: token,
                keySetURL: keys,
                endSessionEndpoint: endpoint("end_session_endpoint"),
                userInfoEndpoint: endpoint("userinfo_endpoint"),
                signingAlgorithms: json["id_token_signing_alg_values_supported"]?.strings ?? [],
                cloudInstanceName: json["cloud_instance_name"]?.string,
                graph: json["msgraph_host"]?.string.flatMap { graph($0, url) },
                isForOrganizations: url.firstSegment == "organizations"
            )
        )
    }

    /// Graph lies where the document's own cloud has it, over TLS but on this machine.
    private static func graph(_ host: String, _ url: WebURL) -> WebURL? {
        guard let graph = WebURL("\(url.isLoopback ? url.scheme : "https")://\(host)"),
            graph.authority == host.lowercased(), graph.isLoopback == url.isLoopback
        else { return nil }
        return graph
    }

    /// Equal to the URL without its well-known part, as the standard demands; or one of the forms in
    /// which Entra departs from it: the tenant's GUID where the URL has a domain, a placeholder at
    /// `common`, `{tid}.ciamlogin.com` at external tenants.
    private static func fits(_ issuer: String, _ url: WebURL) -> Bool {
        // A slash at the issuer's end, as Auth0 has it, does not come twice (OpenID Connect
        // Discovery 1.0, section 4.1). In `iss` it counts.
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        if base + "/.well-known/openid-configuration" == url.origin + url.path { return true }
        let plain = issuer.split(separator: tenantPlaceholder, omittingEmptySubsequences: false)
            .joined(separator: "tenant")
        guard let issuerURL = WebURL(plain) else { return false }
        if issuerURL.isLoopback { return issuerURL.authority == url.authority }
        let hosts = [
            "login.microsoftonline.com", "login.microsoftonline.us",
            "login.partner.microsoftonline.cn",
        ]
        if hosts.contains(issuerURL.host) {
            return issuerURL.host == url.host || url.host == "login.windows.net"
        }
        guard issuerURL.host.hasSuffix(".ciamlogin.com") else { return false }
        let tenant = issuerURL.host.prefix { $0 != "." }
        return url.isExternalTenant || url.path.contains(tenant)
    }
}

/// Why the provider cannot be worked with; for the operator.
struct ProviderError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
