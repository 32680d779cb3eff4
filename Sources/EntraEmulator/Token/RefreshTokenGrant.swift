/// Redeems a refresh token (RFC 6749, section 6).
///
/// As at Entra, a used token stays valid beside the new one, and outlives a sign-out.
struct RefreshTokenGrant: Sendable {
    let emulator: Emulator
    let authority: Authority

    func grant(_ form: QueryItems, _ client: Client) throws(ProtocolError) -> Grant {
        let application = client.application
        try client.requireProof(unless: application.isPublic || application.allowsPublicFlows)
        guard let text = form["refresh_token"] else { throw .missing("refresh_token") }
        guard let token = emulator.tokens[text], let grant = token.grant,
            token.clientID == application.clientID,
            token.lifetime == IssuedTokens.refreshLifetime
        else {
            throw Self.invalid(9_002_313, "The refresh token was not issued to this application.")
        }
        guard emulator.now() - token.issuedAt < token.lifetime else {
            throw ProtocolError.catalogued(700_082)
                ?? Self.invalid(700_082, "The refresh token has expired.")
        }
        guard let account = emulator.directory.account(grant.objectID) else {
            throw Self.invalid(50034, "The user account does not exist.")
        }
        if account.user.isDisabled { throw Self.invalid(50057, "The user account is disabled.") }
        if emulator.tokens.isRevoked(token) {
            throw ProtocolError.catalogued(50173)
                ?? Self.invalid(50173, "The refresh token was revoked.")
        }
        if let number = account.user.refusedWith {
            throw Self.invalid(number, "A policy of the tenant refuses the sign-in.")
        }
        let asked = RequestedScopes.list(form["scope"])
        if asked.isEmpty { return grant.with(scopes: grant.scopes) }
        // One refresh token can be redeemed for several APIs, one after the other.
        try RequestedScopes(asked, authority, emulator.finder).requireOneResource()
        return grant.with(scopes: asked + ["offline_access"])
    }

    private static func invalid(_ number: Int, _ message: String) -> ProtocolError {
        ProtocolError("invalid_grant", number, message, suberror: "bad_token")
    }
}
