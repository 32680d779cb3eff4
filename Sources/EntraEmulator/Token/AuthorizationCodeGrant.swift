import JOSE
import OpenSSL

/// Redeems an authorization code (RFC 6749, section 4.1.3).
struct AuthorizationCodeGrant: Sendable {
    let emulator: Emulator
    let authority: Authority

    func grant(_ form: QueryItems, _ client: Client) throws(ProtocolError) -> Grant {
        let application = client.application
        try client.requireProof(unless: application.isPublic)
        guard let text = form["code"] else { throw .missing("code") }
        guard let code = emulator.codes[text], code.grant.clientID == application.clientID else {
            throw .invalidGrant(9_002_313, "The code was not issued to this application.")
        }
        guard code.authority == authority.path else {
            throw .invalidGrant(
                700_005,
                "The code was issued by another tenant's endpoint."
            )
        }
        guard emulator.now() - code.issuedAt <= Codes.lifetime else {
            throw .invalidGrant(70008, "The code has expired.")
        }
        guard form["redirect_uri"] == code.redirectURI else {
            throw .invalidClient(
                500_112,
                "The reply address differs from the one in the authorization request."
            )
        }
        try checkProof(form["code_verifier"], code)
        let asked = RequestedScopes.list(form["scope"])
        let requested = try RequestedScopes(asked, authority, emulator.finder)
        try requested.requireOneResource()
        guard emulator.codes.redeem(text) else {
            throw .invalidGrant(54005, "The code was already redeemed.")
        }
        if emulator.directory.account(code.grant.objectID)?.user.isDisabled != false {
            throw .invalidGrant(50057, "The user account is disabled.")
        }
        if requested.groups.isEmpty { return code.grant }
        // Of several APIs with consent, the token is for the one that is requested now.
        let openID = code.grant.scopes.filter(RequestedScopes.openID.contains)
        let others = asked.filter { !RequestedScopes.openID.contains($0) }
        return code.grant.with(scopes: openID + others, nonce: code.grant.nonce)
    }

    /// RFC 7636, section 4.6.
    ///
    /// If a challenge was sent, the verifier is required.
    private func checkProof(_ verifier: String?, _ code: Codes.Code) throws(ProtocolError) {
        guard let challenge = code.codeChallenge else { return }
        guard let verifier, (43...128).contains(verifier.count) else {
            throw .invalidGrant(50148, "'code_verifier' is missing or has the wrong length.")
        }
        let proof =
            code.codeChallengeMethod == "plain"
            ? verifier : Base64URL.encode(Digest.sha256(Array(verifier.utf8)))
        guard Digest.equal(Array(proof.utf8), Array(challenge.utf8)) else {
            throw .invalidGrant(501_481, "'code_verifier' does not match 'code_challenge'.")
        }
    }
}
