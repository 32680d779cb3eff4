/// What `secrets.toml` and the environment say of signing in.
public struct AuthConfiguration: Sendable {
    /// Where Entra sends browsers back to; its origin is the site's.
    public let redirectURI: WebURL
    /// The first seals, all open.
    public let cookieSecrets: [String]
    public let clientID: String
    public let clientSecret: String
    /// Of the discovery document.
    public let metadataURL: WebURL
    /// Where the provider speaks for several tenants: those that may come in; `nil` is any.
    public let allowedTenants: Set<String>?
    public let scope: String
    public let prompt: String?
    public let idleSeconds: Int
    public let lifetimeSeconds: Int

    /// Scheme, host and port of the site, without a slash at the end.
    public var origin: String { redirectURI.origin }
}
