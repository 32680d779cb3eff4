import Jansson

/// The claims about an account, in ID tokens and access tokens.
struct AccountClaims: Sendable {
    let grant: Grant
    let account: Account
    /// The audience of the token, whose registration decides about claims.
    let application: Application

    private var user: User { account.user }
    private var tenant: Tenant { account.tenant }

    /// With more groups than this, a token names no group, and points to Graph.
    private static let maximumGroups = 200
    private static let maximumGroupsInFrontChannel = 5

    /// Adds the claims of the scope 'profile'.
    func addProfile(to claims: inout JSON.Members) {
        guard grant.scopes.contains("profile") else { return }
        claims["name"] = .string(user.name)
        claims["oid"] = .string(user.objectID)
        if tenant.kind != .b2c { claims["preferred_username"] = .string(user.userName) }
        let has = application.optionalClaims.contains
        if has("given_name") { claims["given_name"] = user.givenName.map(JSON.string) }
        if has("family_name") { claims["family_name"] = user.familyName.map(JSON.string) }
        if has("upn") { claims["upn"] = .string(user.userName) }
    }

    /// Adds the e-mail address, which guests' tokens contain by default; it is never verified.
    func addEmail(to claims: inout JSON.Members) {
        let has = application.optionalClaims.contains
        guard grant.scopes.contains("email") || has("email") || user.kind == .guest else { return }
        claims["email"] = user.email.map(JSON.string)
        if has("xms_edov"), user.email != nil {
            claims["xms_edov"] = .bool(user.isEmailDomainVerified)
        }
    }

    func addOptional(to claims: inout JSON.Members) {
        let has = application.optionalClaims.contains
        if has("sid") { claims["sid"] = .string(grant.sessionID) }
        if has("login_hint") { claims["login_hint"] = .string(user.loginHint) }
        if has("auth_time") { claims["auth_time"] = .integer(grant.authenticatedAt) }
        if has("acct") { claims["acct"] = user.kind == .guest ? 1 : 0 }
        if has("ctry") { claims["ctry"] = "NO" }
        if has("tenant_ctry") { claims["tenant_ctry"] = "NO" }
    }

    func addRoles(to claims: inout JSON.Members) {
        let roles = application.roles(of: user)
        if !roles.isEmpty { claims["roles"] = .array(roles.map(JSON.string)) }
    }

    /// - Parameter isFrontChannel: whether the token travels in a URL, where fewer groups fit.
    func addGroups(to claims: inout JSON.Members, isFrontChannel: Bool = false) {
        let groups = groupsClaimed
        if groups.isEmpty { return }
        if isFrontChannel, groups.count > Self.maximumGroupsInFrontChannel {
            claims["hasgroups"] = true
            return
        }
        guard groups.count > Self.maximumGroups else {
            claims["groups"] = .array(groups.map(JSON.string))
            return
        }
        // The URL belongs to a service that Microsoft has switched off; Entra still sends it.
        let endpoint =
            "https://graph.windows.net/\(tenant.id)/users/\(user.objectID)/getMemberObjects"
        claims["_claim_names"] = ["groups": "src1"]
        claims["_claim_sources"] = ["src1": ["endpoint": .string(endpoint)]]
    }

    func addHome(to claims: inout JSON.Members) {
        guard user.kind == .guest, let home = user.home else { return }
        claims["idp"] = .string(GUID.isOne(home) ? "https://sts.windows.net/\(home)/" : home)
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
