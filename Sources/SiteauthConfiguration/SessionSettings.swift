/// Settings of `secrets.toml` about how sessions start, how long they last and how they end.
public struct SessionSettings: Sendable, Equatable {
    /// What a visitor sees who is not signed in.
    public enum SignIn: String, Sendable, CaseIterable {
        /// The provider's sign-in page at once.
        case automatic
        /// A page of siteauth that says that the site is private, with a button.
        case page
    }

    /// What signing out ends.
    public enum SignOut: String, Sendable, CaseIterable {
        /// The session here and the one at the provider.
        case everywhere
        /// Only the session here.
        case here
    }

    /// What the tokens for applications call their algorithm.
    public enum IdentityTokenAlgorithm: String, Sendable, CaseIterable {
        /// The name of RFC 8037, which libraries know.
        case edDSA = "EdDSA"
        /// The name of RFC 9864.
        case ed25519 = "Ed25519"
    }

    /// Seconds after which a navigation goes through the provider again; `0` for never.
    public var revalidateAfterSeconds = 3600
    /// Seconds for which the session then stays valid for requests other than navigations, and
    /// while the provider cannot be reached.
    public var revalidateGraceSeconds = 3600
    /// Whether the session cookie outlives the browser ("stay signed in").
    public var isCookiePersistent = false
    public var signIn = SignIn.automatic
    public var signOut = SignOut.everywhere
    /// Whether the provider is told which account signs out, so that it does not ask.
    public var sendsLogoutHint = true
    /// The path that readers get to after signing out, or `nil` for siteauth's own page.
    public var pathAfterSignOut: String?
    /// The organisation whose sign-in page Entra shows at once: a domain, `organizations` or
    /// `consumers`.
    public var domainHint: String?
    public var identityTokenAlgorithm = IdentityTokenAlgorithm.edDSA
    /// The Redis with the list of ended sessions for several machines; `nil` for a folder of this
    /// machine.
    public var redis: RedisSettings?
}
