import HTTPTypes
import Jansson

/// The UserInfo endpoint (OpenID Connect Core 1.0, section 5.3), which Microsoft keeps at Graph.
struct UserInfo: Sendable {
    let emulator: Emulator

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        guard let grant = BearerGrant(request, emulator),
            let account = emulator.directory.account(grant.objectID)
        else { return GraphError.unauthenticated.response(emulator) }
        let user = account.user
        var members: JSON.Members = [
            "sub": .string(OpaqueID.subject(of: user.objectID, for: grant.clientID)),
            "name": .string(user.name),
        ]
        members["family_name"] = user.familyName.map(JSON.string)
        members["given_name"] = user.givenName.map(JSON.string)
        let host = emulator.base.host + emulator.base.port
        members["picture"] = .string("\(emulator.base.scheme)://\(host)/v1.0/me/photo/$value")
        members["email"] = user.email.map(JSON.string)
        return .json(.ok, .object(members))
    }
}

/// The grant of the access token that a request carries (RFC 6750).
struct BearerGrant: Sendable {
    let objectID: String
    let clientID: String

    /// Finds the grant; returns `nil` for a missing, unknown or expired token, and for a token
    /// without a user.
    init?(_ request: EmulatorRequest, _ emulator: Emulator) {
        guard let token = request.bearerToken.flatMap({ emulator.tokens[$0] }),
            token.lifetime == IssuedTokens.accessLifetime,
            emulator.now() - token.issuedAt < token.lifetime,
            let grant = token.grant
        else { return nil }
        objectID = grant.objectID
        clientID = grant.clientID
    }
}
