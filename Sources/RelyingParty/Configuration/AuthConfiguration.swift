import JOSE

/// What `secrets.toml` and the environment say of signing in.
public struct AuthConfiguration: Sendable {
    /// Where Entra sends browsers back to; its origin is the site's.
    public let redirectURI: WebURL
    /// The first seals, all open.
    public let cookieSecrets: [String]
    public let clientID: String
    public let credential: Credential
    /// Of the discovery document.
    public let metadataURL: WebURL
    public let allowedTenants: AllowedTenants
    /// Where several tenants come in, those whose app roles count, lower case.
    public let roleTenants: Set<String>
    public let scope: String
    public let prompt: String?
    /// Whether Graph is asked about people with more groups than a token holds.
    public let asksGraph: Bool
    public let idleSeconds: Int
    public let lifetimeSeconds: Int
    public let session: SessionSettings
    public let provider: ProviderSettings

    /// The tenant in which Microsoft has all personal accounts.
    static let personalAccountsTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// Scheme, host and port of the site, without a slash at the end.
    public var origin: String { redirectURI.origin }

    /// A cookie secret that nobody can guess: 43 characters for 32 bytes.
    public static func newCookieSecret(_ random: (Int) -> [UInt8]) -> String {
        Base64URL.encode(random(32))
    }

    /// What sealed values are bound to: none of it has a space in it.
    var instance: String {
        let tenants =
            switch allowedTenants {
            case .unsaid: "unsaid"
            case .any: "any"
            case .these(let ids): ids.sorted().joined(separator: ",")
            }
        let client = PercentEncoding.encode(clientID)
        // A tenant whose roles count no longer leaves no session with them behind.
        let roles = "roles:" + roleTenants.sorted().joined(separator: ",")
        let parts = [origin, client, metadataURL.text, tenants, roles]
        // Groups from another claim say nothing about those from this one.
        let claim = provider.groupsClaim
        return (claim == "groups" ? parts : parts + ["groups=\(claim)"]).joined(separator: " ")
    }
}

/// The tenants whose people may come in.
public enum AllowedTenants: Sendable, Equatable {
    /// Nothing was said: then the provider must speak for one tenant alone.
    case unsaid
    /// Written out as `["any"]`.
    case any
    /// Tenant ids, lower case.
    case these(Set<String>)

    /// Whether the list lets in the people of one tenant alone.
    var isOneTenant: Bool {
        guard case .these(let tenants) = self else { return false }
        return tenants.count == 1
    }
}
