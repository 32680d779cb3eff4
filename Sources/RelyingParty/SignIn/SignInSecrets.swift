import JOSE
import OpenSSL

/// The PKCE verifier (RFC 7636), and the nonce that binds the ID token to this sign-in (OpenID
/// Connect Core 1.0, section 3.1.2.1).
///
/// Both are derived from the sealed state and the browser's id with a secret key instead of being
/// stored; the state in a URL is not enough to compute them.
struct SignInSecrets: Sendable {
    let verifier: String
    let nonce: String

    /// - Parameter state: the sealed state.
    init?(_ keys: KeyRing, state: String, browser: Browser) {
        guard let verifier = keys.derive("verifier", fromSealed: state, and: browser.id),
            let nonce = keys.derive("nonce", fromSealed: state, and: browser.id)
        else { return nil }
        self.verifier = Base64URL.encode(verifier)
        self.nonce = Base64URL.encode(nonce)
    }

    /// The challenge of the method `S256` (RFC 7636, section 4.2).
    var challenge: String { Base64URL.encode(Digest.sha256(Array(verifier.utf8))) }
}
