/// A refresh token, and whether it still holds (RFC 6749, section 6).
///
/// A used one stays valid beside the new one, and it outlives a sign-out, as Entra's do.
struct RefreshRedemption: Sendable {
    let emulator: Emulator

    func grant(
        _ form: QueryItems,
        _ application: Application
    ) throws(ProtocolError) -> Grant {
        guard let text = form["refresh_token"] else { throw ProtocolError.missing("refresh_token") }
        guard let token = emulator.tokens[text], let grant = token.grant,
            token.clientID == application.clientID,
            token.lifetime == IssuedTokens.refreshLifetime
        else { throw Self.invalid(9_002_313, "The refresh token is none of this application.") }
        guard emulator.now() - token.issuedAt < token.lifetime else {
            throw ProtocolError.catalogued(700_082) ?? Self.invalid(700_082, "It has expired.")
        }
        guard let account = emulator.directory.account(grant.objectID) else {
            throw Self.invalid(50034, "The user account does not exist.")
        }
        if account.user.isDisabled { throw Self.invalid(50057, "The user account is disabled.") }
        if emulator.tokens.isRevoked(token) {
            throw ProtocolError.catalogued(50173) ?? Self.invalid(50173, "It was revoked.")
        }
        if let number = account.user.refusedWith {
            throw Self.invalid(number, "A policy of the tenant refuses.")
        }
        let asked = (form["scope"] ?? "").split(separator: " ").map(String.init)
        return Grant(
            clientID: grant.clientID,
            objectID: grant.objectID,
            scopes: asked.isEmpty ? grant.scopes : asked + ["offline_access"],
            nonce: nil,
            sessionID: grant.sessionID,
            authenticatedAt: grant.authenticatedAt,
            policy: grant.policy
        )
    }

    private static func invalid(_ number: Int, _ message: String) -> ProtocolError {
        ProtocolError("invalid_grant", number, message, suberror: "bad_token")
    }
}
