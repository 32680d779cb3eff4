import Jansson
import SiteauthConfiguration

/// The authorization request that sends a reader to the provider (OpenID Connect Core 1.0, section
/// 3.1.2.1).
struct AuthorizationRequest: Sendable {
    let clientID: String
    let redirectURI: String
    let scope: String
    let responseMode: String
    let state: String
    let secrets: SignInSecrets
    let prompt: String?
    /// The greatest number of seconds since the reader entered credentials (`max_age`).
    var maximumAge: Int?
    /// Entra's opaque name of the account to use.
    var loginHint: String?
    var domainHint: String?
    /// The authentication context that the provider has to confirm.
    var context: String?
    /// Whether ``context`` is one of Entra's.
    var isEntra = false

    var parameters: [(String, String)] {
        var parameters = [
            ("client_id", clientID),
            ("response_type", "code"),
            ("response_mode", responseMode),
            ("redirect_uri", redirectURI),
            ("scope", scope),
            ("state", state),
            ("nonce", secrets.nonce),
            ("code_challenge", secrets.challenge),
            // Entra does not advertise PKCE, but enforces it.
            ("code_challenge_method", "S256"),
        ]
        if let prompt { parameters.append(("prompt", prompt)) }
        if let maximumAge { parameters.append(("max_age", String(maximumAge))) }
        if let loginHint { parameters.append(("login_hint", loginHint)) }
        if let context {
            // Entra knows contexts by the parameter 'claims' (Microsoft, "Developer guide to
            // Conditional Access authentication context"), others as 'acr_values'.
            let wanted: JSON = ["essential": true, "value": .string(context)]
            let claims: JSON = ["id_token": ["acrs": wanted]]
            parameters.append(isEntra ? ("claims", claims.text) : ("acr_values", context))
        }
        if let domainHint { parameters.append(("domain_hint", domainHint)) }
        return parameters
    }
}

extension WebURL {
    func with(_ parameters: [(String, String)]) -> String {
        text + (query.isEmpty ? "?" : "&") + Form.encode(parameters)
    }
}
