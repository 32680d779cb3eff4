import Jansson
import SiteauthConfiguration

/// A provider's metadata (OpenID Connect Discovery 1.0, section 3).
struct ProviderMetadata: Sendable, Equatable {
    /// The issuer; at Entra's `common` and `organizations` it contains `{tenantid}`.
    let issuer: String
    let authorizationEndpoint: WebURL
    let tokenEndpoint: WebURL
    let keySetURL: WebURL
    let endSessionEndpoint: WebURL?
    var userInfoEndpoint: WebURL?
    /// The algorithms that may sign ID tokens; empty if the provider does not list them.
    var signingAlgorithms: [String] = []
    /// How it answers authorization requests; `nil` if it does not say.
    var responseModes: [String]?
    /// Where authorization requests are left before the browser comes (RFC 9126, section 5).
    var pushedRequestEndpoint: WebURL?
    /// Whether the provider takes no others.
    var requiresPushedRequests = false
    /// Microsoft's name of the cloud; only Entra sends it.
    let cloudInstanceName: String?
    /// Scheme and host of Microsoft Graph in this cloud; only Entra has one.
    let graph: WebURL?
    /// Whether each authorization response names the issuer (RFC 9207, section 3).
    var announcesIssuer = false
    /// Whether the provider is Entra's `organizations`, which excludes personal accounts.
    var isForOrganizations = false

    static let tenantPlaceholder = "{tenantid}"

    /// Whether the provider issues tokens for several tenants.
    var isForSeveralTenants: Bool { issuer.contains(Self.tenantPlaceholder) }

    /// Whether an issuer is this provider or one of its tenants.
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

    /// Whether the provider is Entra, where accounts are identified by `tid` and `oid`.
    ///
    /// Microsoft's own hosts count as Entra even if the document lacks Entra's other marks.
    var isEntra: Bool {
        cloudInstanceName != nil || isForSeveralTenants || WebURL(issuer)?.isMicrosoft == true
    }

    /// Whether authorization requests are pushed: if the provider takes no others, and otherwise as
    /// `secrets.toml` says; if it does not, only where a key or another program proves who this site
    /// is.
    func isPushed(_ configuration: AuthConfiguration) -> Bool {
        if requiresPushedRequests { return true }
        if let isWanted = configuration.provider.pushesRequests { return isWanted }
        if case .secret = configuration.credential { return false }
        return pushedRequestEndpoint != nil
    }

    /// Reads the document from `url`, or says what is wrong with it.
    ///
    /// The document came over TLS from the URL that the operator chose, so it may name endpoints on
    /// any host. But its issuer must match the URL, or a wrong URL would admit the accounts of
    /// another organisation.
    static func parse(_ bytes: [UInt8], from url: WebURL) -> Result<ProviderMetadata, ProviderError>
    {
        guard let members = (try? JSON(parsing: bytes))?.members else {
            return .failure(.unusable("the document at '\(url.text)' is not a JSON object"))
        }
        do throws(MemberError) {
            if let error = try members.textIfPresent("error") {
                let text = try members.explanationIfPresent("error_description") ?? ""
                return .failure(.unusable("'\(url.text)' answered '\(error)': \(text)"))
            }
            let issuer = try members.text("issuer")
            // Before 'does not match', which is true but does not tell what to do.
            if issuer.hasPrefix("https://sts.windows.net/") {
                let remedy = "the URL must end in '/v2.0/.well-known/openid-configuration'"
                return .failure(
                    .unusable("'\(url.text)' is the document of Entra's version 1.0; \(remedy)")
                )
            }
            guard fits(issuer, url), isOfSameTenant(issuer, url) else {
                let text = "'issuer' is '\(issuer)', which does not match '\(url.text)'"
                return .failure(.unusable(text))
            }
            return .success(try read(members, issuer: issuer, from: url))
        } catch {
            return .failure(.unusable("in the document at '\(url.text)', \(error)"))
        }
    }

    private static func read(
        _ members: JSON.Members,
        issuer: String,
        from url: WebURL
    ) throws(MemberError) -> ProviderMetadata {
        func endpoint(_ name: String) throws(MemberError) -> WebURL? {
            guard let text = try members.textIfPresent(name) else { return nil }
            // A document from the internet must not name endpoints on this machine.
            guard let endpoint = WebURL(text), endpoint.isLoopback == url.isLoopback else {
                let kind = url.isLoopback ? "a URL on this machine" : "an https URL"
                throw MemberError(name, .wrong(expected: kind))
            }
            return endpoint
        }
        func required(_ name: String) throws(MemberError) -> WebURL {
            try members.required(name, endpoint(name))
        }
        let isPushed =
            try members.boolIfPresent("require_pushed_authorization_requests") ?? false
        let pushed = "pushed_authorization_request_endpoint"
        return ProviderMetadata(
            issuer: issuer,
            authorizationEndpoint: try required("authorization_endpoint"),
            tokenEndpoint: try required("token_endpoint"),
            keySetURL: try required("jwks_uri"),
            endSessionEndpoint: try endpoint("end_session_endpoint"),
            userInfoEndpoint: try endpoint("userinfo_endpoint"),
            signingAlgorithms: try members.textsIfPresent(
                "id_token_signing_alg_values_supported"
            ) ?? [],
            responseModes: try members.textsIfPresent("response_modes_supported"),
            pushedRequestEndpoint: try isPushed ? required(pushed) : endpoint(pushed),
            requiresPushedRequests: isPushed,
            cloudInstanceName: try members.textIfPresent("cloud_instance_name"),
            graph: try graph(members, url),
            announcesIssuer: try members.boolIfPresent(
                "authorization_response_iss_parameter_supported"
            ) ?? false,
            isForOrganizations: url.firstSegment == "organizations"
        )
    }

    /// The URL of Graph in the document's cloud, https except on this machine.
    private static func graph(
        _ members: JSON.Members,
        _ url: WebURL
    ) throws(MemberError) -> WebURL? {
        guard let host = try members.textIfPresent("msgraph_host") else { return nil }
        guard let graph = WebURL("\(url.isLoopback ? url.scheme : "https")://\(host)"),
            graph.authority == host.lowercased(), graph.isLoopback == url.isLoopback
        else { throw MemberError("msgraph_host", .wrong(expected: "a host")) }
        return graph
    }

    /// Whether an issuer matches the URL of its document.
    ///
    /// The standard demands equality, without the well-known part of the URL. Entra departs from it
    /// in these ways: the tenant's GUID where the URL has a domain, a placeholder at `common`,
    /// `{tid}.ciamlogin.com` at external tenants.
    private static func fits(_ issuer: String, _ url: WebURL) -> Bool {
        // A slash at the issuer's end, as Auth0 has it, is not doubled in the URL (OpenID Connect
        // Discovery 1.0, section 4.1). In `iss` the slash counts.
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
        return url.isExternalTenant || url.firstSegment == tenant
    }

    /// Whether an issuer that ``fits(_:_:)`` belongs to the tenant that the URL names.
    ///
    /// Entra's tenants share their hosts. Without this test, a document that a proxy or a cache
    /// swapped would admit the accounts of another tenant.
    private static func isOfSameTenant(_ issuer: String, _ url: WebURL) -> Bool {
        let isTemplate = issuer.contains(tenantPlaceholder)
        let issuerURL = WebURL(issuer.replacing(tenantPlaceholder, with: "tenant"))
        let tenant = issuerURL?.firstSegment ?? ""
        // At external tenants, the host names the tenant, and the path repeats it.
        for host in [issuerURL, url].compactMap({ $0 }).filter(\.isExternalTenant) {
            let label = String(host.providerHost.prefix { $0 != "." })
            if DisplayText.guid(label) != nil, label != tenant { return false }
        }
        let named = url.firstSegment
        if DisplayText.guid(named) != nil { return named == tenant && !isTemplate }
        switch named {
        case "common", "organizations": return isTemplate || named == tenant
        case "consumers":
            return tenant == AuthConfiguration.personalAccountsTenant || named == tenant
        default: return !isTemplate
        }
    }
}
