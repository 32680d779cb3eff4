import JOSE
import Jansson

/// The claims of an ID token of the v2.0 endpoint (Microsoft, "ID token claims reference").
struct IDTokenClaims: Sendable {
    let grant: Grant
    let application: Application
    let account: Account
    let issuer: String
    let now: Int
    /// Additional claims for a token from the authorization endpoint.
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
            // Tokens of personal accounts are valid for a day. All tokens are backdated by five
            // minutes, for clocks that are behind.
            "exp": .integer(now + (tenant.kind == .consumers ? 86_400 : 3600)),
            "iat": .integer(now - 300),
            "nbf": .integer(now - 300),
        ]
        let person = AccountClaims(grant: grant, account: account, application: application)
        person.addProfile(to: &claims)
        person.addEmail(to: &claims)
        if tenant.kind != .b2c { claims["tid"] = .string(tenant.id) }
        if let policy = grant.policy { claims["tfp"] = .string(policy) }
        if !grant.contexts.isEmpty { claims["acrs"] = .array(grant.contexts.map(JSON.string)) }
        claims["nonce"] = grant.nonce.map(JSON.string)
        person.addOptional(to: &claims)
        person.addRoles(to: &claims)
        person.addGroups(to: &claims, isFrontChannel: frontChannel != nil)
        person.addHome(to: &claims)
        for name in frontChannel?.names ?? [] { claims[name] = frontChannel?[name] }
        claims["aio"] = .string(Base64URL.encode(random(60)))
        claims["rh"] = .string("1." + Base64URL.encode(random(40)))
        claims["uti"] = .string(Base64URL.encode(random(16)))
        return .object(claims)
    }
}
