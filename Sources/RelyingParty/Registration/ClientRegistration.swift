import JOSE
import SiteauthConfiguration

/// The client registration that a provider other than Entra needs, in the words of OpenID Connect
/// Dynamic Client Registration 1.0, section 2, which administration pages use with little change.
public struct ClientRegistration: Sendable {
    private let configuration: AuthConfiguration

    public init(_ configuration: AuthConfiguration) { self.configuration = configuration }

    /// The values to enter at the provider, each below its heading.
    public var checklist: String {
        let origin = configuration.redirectURI.origin
        var lines = ["At the provider, register this client:", "  Client id"]
        lines += ["    \(configuration.clientID)", "  Redirect URI"]
        lines += ["    \(configuration.redirectURI.text)", "  Post-logout redirect URI"]
        lines += [
            "    \(origin)/auth/signed-out",
            "  Front-channel logout URI, if the provider calls one",
        ]
        lines += [
            "    \(origin)/auth/front-channel-sign-out, with 'sid'",
            "  Back-channel logout URI, if the provider calls one",
            "    \(origin)/auth/back-channel-sign-out, with 'sid'",
        ]
        lines += ["  Grant type and response type", "    authorization_code, code; PKCE with S256"]
        lines += ["  Authentication at the token endpoint", "    \(authentication)"]
        let algorithms = configuration.provider.idTokenAlgorithms.names.replacing("'", with: "")
        lines += [
            "  Signature of ID tokens", "    \(algorithms)", "  Scopes",
            "    \(configuration.scope)",
        ]
        lines += ["  Claim with groups, in the ID token or from UserInfo, if the site has groups"]
        lines += ["    \(configuration.provider.groupsClaim): a list of texts"]
        return lines.joined(separator: "\n") + "\n"
    }

    private var authentication: String {
        switch configuration.credential {
        case .secret(_, let method): method.rawValue
        case .certificate(let files): "private_key_jwt, \(files.algorithm.rawValue)"
        case .federatedToken, .managedIdentity: "private_key_jwt"
        }
    }
}

extension AuthConfiguration {
    /// The values to register at the provider of this configuration.
    public var checklist: String {
        metadataURL.isLikeEntra
            ? Registration(self, name: "", groups: []).checklist
            : ClientRegistration(self).checklist
    }
}
