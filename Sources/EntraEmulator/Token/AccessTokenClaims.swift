import JOSE
import Jansson

/// The claims of a token for an API of the directory, which checks it by the published keys
/// (Microsoft, "Access token claims reference").
///
/// The API's registration decides about the version, whichever endpoint was asked.
struct AccessTokenClaims: Sendable {
    /// The party that the client acts for.
    enum Caller: Sendable {
        /// - scopes: the granted scopes.
        case user(Grant, Account, scopes: [String])
        /// The client itself, with the roles that an administrator assigned to it.
        case application(roles: [String])
    }

    let caller: Caller
    let client: Client
    let api: Application
    /// The API's name in the request.
    let identifier: String
    let tenant: Tenant
    /// The issuer of version 2.0.
    let issuer: String
    let now: Int
    let random: @Sendable (Int) -> [UInt8]

    var isVersion1: Bool { api.accessTokenVersion == 1 && tenant.kind != .b2c }

    var json: JSON {
        var claims: JSON.Members = [
            "aud": .string(isVersion1 ? identifier : api.clientID),
            "iss": .string(isVersion1 ? "https://sts.windows.net/\(tenant.id)/" : issuer),
            "iat": .integer(now - 300),
            "nbf": .integer(now - 300),
            "exp": .integer(now + IssuedTokens.accessLifetime),
            "aio": .string(Base64URL.encode(random(60))),
            isVersion1 ? "appid" : "azp": .string(client.application.clientID),
            isVersion1 ? "appidacr" : "azpacr": .string(client.proof.rawValue),
        ]
        switch caller {
        case .user(let grant, let account, let scopes):
            addUser(grant, account, scopes, to: &claims)
        case .application(let roles): addApplication(roles, to: &claims)
        }
        claims["rh"] = .string("1." + Base64URL.encode(random(40)))
        if tenant.kind != .b2c { claims["tid"] = .string(tenant.id) }
        claims["uti"] = .string(Base64URL.encode(random(16)))
        claims["ver"] = isVersion1 || tenant.kind == .b2c ? "1.0" : "2.0"
        return .object(claims)
    }

    private func addUser(
        _ grant: Grant,
        _ account: Account,
        _ scopes: [String],
        to claims: inout JSON.Members
    ) {
        let user = account.user
        let person = AccountClaims(grant: grant, account: account, application: api)
        person.addProfile(to: &claims)
        if isVersion1 {
            claims["preferred_username"] = nil
            claims["acr"] = "1"
            claims["amr"] = user.needsSecondFactor ? ["pwd", "mfa"] : ["pwd"]
            claims["ipaddr"] = "127.0.0.1"
            claims["unique_name"] = .string(user.userName)
            claims["upn"] = .string(user.userName)
        }
        if api.optionalClaims.contains("email") { person.addEmail(to: &claims) }
        if let policy = grant.policy { claims["tfp"] = .string(policy) }
        person.addOptional(to: &claims)
        person.addRoles(to: &claims)
        person.addGroups(to: &claims)
        person.addHome(to: &claims)
        if !scopes.isEmpty { claims["scp"] = .string(scopes.joined(separator: " ")) }
        // Different for each API, as for each application.
        claims["sub"] = .string(OpaqueID.subject(of: user.objectID, for: api.clientID))
    }

    private func addApplication(_ roles: [String], to claims: inout JSON.Members) {
        // The client's enterprise application in the tenant.
        let principal = OpaqueID.guid(of: "\(client.application.clientID) in \(tenant.id)")
        if isVersion1 { claims["idp"] = claims["iss"] }
        if api.optionalClaims.contains("idtyp") { claims["idtyp"] = "app" }
        claims["oid"] = .string(principal)
        if !roles.isEmpty { claims["roles"] = .array(roles.map(JSON.string)) }
        claims["sub"] = .string(principal)
    }
}
