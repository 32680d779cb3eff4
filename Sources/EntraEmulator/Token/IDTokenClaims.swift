import JOSE
import Jansson

/// The claims of an ID token of the v2.0 endpoint (Microsoft, "ID token claims reference").
struct IDTokenClaims: Sendable {
    let grant: Grant
    let application: Application
    let account: Account
    let issuer: String
    let now: Int
    /// For a token that comes straight from the authorization endpoint.
    let frontChannel: JSON.Members?
    let random: @Sendable (Int) -> [UInt8]

    private var user: User { account.user }
    private var tenant: Tenant { account.tenant }

    var json: JSON {
        var claims: JSON.Members = [
            "ver": tenant.kind == .b2c ? "1.0" : "2.0",
            "iss": .string(issuer),
            "sub": .string(OpaqueID.subject(of: user.objectID, for: application.clientID)),
            "aud": .string(application.clientID),
            // Tokens of personal accounts hold for a day. All are dated five minutes back,
            // against clocks that are behind.
            "exp": .integer(now + (tenant.kind == .consumers ? 86_400 : 3600)),
            "iat": .integer(now - 300),
            "nbf": .integer(now - 300),
        ]
        if grant.scopes.contains("profile") { addProfile(to: &claims) }
        addEmail(to: &claims)
        if tenant.kind != .b2c { claims["tid"] = .string(tenant.id) }
        if let policy = grant.policy { claims["tfp"] = .string(policy) }
        claims["nonce"] = grant.nonce.map(JSON.string)
        addOptional(to: &claims)
        let roles = application.roles(of: user)
        if !roles.isEmpty { claims["roles"] = .array(roles.map(JSON.string)) }
        addGroups(to: &claims)
        if user.kind == .guest, let home = user.home {
            claims["idp"] = .string(GUID.isOne(home) ? "https://sts.windows.net/\(home)/" : home)
        }
        for name in frontChannel?.names ?? [] { claims[name] = frontChannel?[name] }
        claims["aio"] = .string(Base64URL.encode(random(60)))
        claims["rh"] = .string("1." + Base64URL.encode(random(40)))
        claims["uti"] = .string(Base64URL.encode(random(16)))
        return .object(claims)
    }

    private func addProfile(to claims: inout JSON.Members) {
        claims["name"] = .string(user.name)
        claims["oid"] = .string(user.objectID)
        if tenant.kind != .b2c { claims["preferred_username"] = .string(user.userName) }
        let has = application.optionalClaims.contains
        if has("given_name") { claims["given_name"] = user.givenName.map(JSON.string) }
        if has("family_name") { claims["family_name"] = user.familyName.map(JSON.string) }
        if has("upn") { claims["upn"] = .string(user.userName) }
    }

    /// Guests' tokens carry an address by default; nobody has verified anybody's.
    private func addEmail(to claims: inout JSON.Members) {
        let has = application.optionalClaims.contains
        guard grant.scopes.contains("email") || has("email") || user.kind == .guest else { return }
        claims["email"] = user.email.map(JSON.string)
        if has("xms_edov"), user.email != nil {
            claims["xms_edov"] = .bool(user.isEmailDomainVerified)
        }
    }

    private func addOptional(to claims: inout JSON.Members) {
        let has = application.optionalClaims.contains
        if has("sid") { claims["sid"] = .string(grant.sessionID) }
        if has("login_hint") { claims["login_hint"] = .string(user.loginHint) }
        if has("auth_time") { claims["auth_time"] = .integer(grant.authenticatedAt) }
        if has("acct") { claims["acct"] = user.kind == .guest ? 1 : 0 }
        if has("ctry") { claims["ctry"] = "NO" }
        if has("tenant_ctry") { claims["tenant_ctry"] = "NO" }
    }

    /// Above these numbers a token names no group, and points at Graph.
    private static let maximumGroups = 200
    private static let maximumGroupsInFrontChannel = 5

    private func addGroups(to claims: inout JSON.Members) {
        let groups = groupsClaimed
        if groups.isEmpty { return }
        if frontChannel != nil, groups.count > Self.maximumGroupsInFrontChannel {
            claims["hasgroups"] = true
            return
        }
        guard groups.count > Self.maximumGroups else {
            claims["groups"] = .array(groups.map(JSON.string))
            return
        }
        // The address is that of a service that Microsoft has switched off; Entra still sends it.
        let endpoint =
            "https://graph.windows.net/\(tenant.id)/users/\(user.objectID)/getMemberObjects"
        claims["_claim_names"] = ["groups": "src1"]
        claims["_claim_sources"] = ["src1": ["endpoint": .string(endpoint)]]
    }

    private var groupsClaimed: [String] {
        switch application.groupClaims {
        case .none: return []
        case .security, .all: return user.groups
        case .assigned:
            let names = tenant.groups.filter { application.assigned.contains($0.name) }.map(\.id)
            return user.groups.filter { names.contains($0) || application.assigned.contains($0) }
        }
    }
}
