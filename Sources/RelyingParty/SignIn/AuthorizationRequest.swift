/// The request that sends a reader to Entra (OpenID Connect Core 1.0, section 3.1.2.1).
struct AuthorizationRequest: Sendable {
    let clientID: String
    let redirectURI: String
    let scope: String
    let state: String
    let secrets: SignInSecrets
    let prompt: String?
    /// How many seconds ago readers may have proved who they are, at most.
    var maximumAge: Int?
    /// Entra's own name for the account that is meant.
    var loginHint: String?
    var domainHint: String?

    func url(at endpoint: WebURL) -> String {
        var parameters = [
            ("client_id", clientID),
            ("response_type", "code"),
            ("response_mode", "query"),
            ("redirect_uri", redirectURI),
            ("scope", scope),
            ("state", state),
            ("nonce", secrets.nonce),
            ("code_challenge", secrets.challenge),
            // Entra does not advertise PKCE and enforces it all the same.
            ("code_challenge_method", "S256"),
        ]
        if let prompt { parameters.append(("prompt", prompt)) }
        if let maximumAge { parameters.append(("max_age", String(maximumAge))) }
        if let loginHint { parameters.append(("login_hint", loginHint)) }
        if let domainHint { parameters.append(("domain_hint", domainHint)) }
        let separator = endpoint.query.isEmpty ? "?" : "&"
        return endpoint.text + separator + Form.encode(parameters)
    }
}
