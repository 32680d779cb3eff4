import Access
import JOSE

/// The configuration of signing in, from `secrets.toml` and the environment.
public struct AuthConfiguration: Sendable {
    /// The URL that the provider sends browsers back to; its origin is the site's.
    public let redirectURI: WebURL
    /// The first secret seals cookies; all of them open cookies.
    public let cookieSecrets: [String]
    public let clientID: String
    public let credential: Credential
    /// The day on which the client secret expires, if somebody has told; the secret itself does not
    /// say.
    public let clientSecretExpires: NumericDate?
    /// The URL of the discovery document.
    public let metadataURL: WebURL
    public let allowedTenants: AllowedTenants
    /// The tenants whose app roles count if several tenants are allowed, in lower case.
    public let roleTenants: Set<String>
    public let scope: String
    public let prompt: String?
    /// Whether Graph is asked for the groups of readers who have more than a token holds.
    public let asksGraph: Bool
    public let idleSeconds: Int
    public let lifetimeSeconds: Int
    public let session: SessionSettings
    public let provider: ProviderSettings
    /// Where lines of the audit go; `nil` if there is none.
    public let audit: AuditDestination?

    /// The tenant in which Microsoft has all personal accounts.
    package static let personalAccountsTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// Scheme, host and port of the site, without a slash at the end.
    public var origin: String { redirectURI.origin }

    /// A random cookie secret: 43 characters for 32 bytes.
    public static func newCookieSecret(_ random: (Int) -> [UInt8]) -> String {
        Base64URL.encode(random(32))
    }

    /// The text that sealed values are bound to; its parts contain no space.
    package var instance: String {
        let tenants =
            switch allowedTenants {
            case .unspecified: "unsaid"
            case .any: "any"
            case .these(let ids): ids.sorted().joined(separator: ",")
            }
        let client = PercentEncoding.encode(clientID)
        // Sessions end if the list of tenants whose roles count changes.
        let roles = "roles:" + roleTenants.sorted().joined(separator: ",")
        let parts = [origin, client, metadataURL.text, tenants, roles]
        // Sessions with groups from another claim end as well.
        let claim = provider.groupsClaim
        return (claim == "groups" ? parts : parts + ["groups=\(claim)"]).joined(separator: " ")
    }
}

/// Where siteauth writes who opened which page.
public enum AuditDestination: Sendable, Equatable {
    /// The journal, where systemd starts the program.
    case standardError
    case file(String)
}

/// The tenants whose accounts may sign in.
public enum AllowedTenants: Sendable, Equatable {
    /// The key is missing: then the provider must be a single tenant.
    case unspecified
    /// Written out as `["any"]`.
    case any
    /// Tenant ids, lower case.
    case these(Set<String>)

    /// Whether the list allows one tenant only.
    package var isOneTenant: Bool {
        guard case .these(let tenants) = self else { return false }
        return tenants.count == 1
    }
}
