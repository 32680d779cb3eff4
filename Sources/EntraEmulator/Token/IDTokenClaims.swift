import JOSE
import Jansson
import OpenSSL

/// The claims of an ID token of the v2.0 endpoint.
struct IDTokenClaims: Sendable {
    let grant: Grant
    let application: Directory.Application
    let issuer: String
    let tenantID: String
    let now: Int
    let random: @Sendable (Int) -> [UInt8]

    /// Above this many groups a token names none and points at Graph.
    static let maximumGroups = 200

    var json: JSON {
        let user = grant.user
        let scopes = grant.scope.split(separator: " ")
        var claims: JSON.Members = [
            "ver": "2.0",
            "iss": .string(issuer),
            "sub": .string(Self.subject(user, application)),
            "aud": .string(application.clientID),
            // Entra dates tokens five minutes back, against clocks that are behind.
            "exp": .integer(now + 3600),
            "iat": .integer(now - 300),
            "nbf": .integer(now - 300),
        ]
        if scopes.contains("profile") {
            claims["name"] = .string(user.name)
            claims["preferred_username"] = .string(user.userName)
            claims["oid"] = .string(user.objectID)
        }
        if scopes.contains("email") || application.optionalClaims.contains("email") {
            claims["email"] = user.email.map(JSON.string)
        }
        claims["tid"] = .string(tenantID)
        claims["nonce"] = grant.nonce.map(JSON.string)
        if application.optionalClaims.contains("sid") { claims["sid"] = .string(grant.sessionID) }
        if application.optionalClaims.contains("login_hint") {
            claims["login_hint"] = .string(Self.loginHint(user))
        }
        if !user.roles.isEmpty { claims["roles"] = .array(user.roles.map(JSON.string)) }
        if application.sendsGroups, !user.groups.isEmpty { addGroups(to: &claims) }
        claims["aio"] = .string(Base64URL.encode(random(60)))
        claims["rh"] = .string("1." + Base64URL.encode(random(40)))
        claims["uti"] = .string(Base64URL.encode(random(16)))
        return .object(claims)
    }

    private func addGroups(to claims: inout JSON.Members) {
        let groups = grant.user.groups
        guard groups.count > Self.maximumGroups else {
            claims["groups"] = .array(groups.map(JSON.string))
            return
        }
        // The address is that of a service that Microsoft has switched off; Entra still sends it.
        let endpoint =
            "https://graph.windows.net/\(tenantID)/users/\(grant.user.objectID)/getMemberObjects"
        claims["_claim_names"] = ["groups": "src1"]
        claims["_claim_sources"] = ["src1": ["endpoint": .string(endpoint)]]
    }

    /// Another one for each application: 43 characters.
    private static func subject(
        _ user: Directory.User,
        _ application: Directory.Application
    ) -> String {
        Base64URL.encode(Digest.sha256(Array("\(user.objectID) \(application.clientID)".utf8)))
    }

    /// An opaque name of the account, about as long as a real one.
    static func loginHint(_ user: Directory.User) -> String {
        let digest = Digest.sha384(Array("login hint of \(user.objectID)".utf8))
        return "O.Ci" + Base64URL.encode(digest + digest)
    }
}
