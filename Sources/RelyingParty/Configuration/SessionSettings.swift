/// How long sessions live, how they begin and how they end, as `secrets.toml` says.
public struct SessionSettings: Sendable, Equatable {
    /// What somebody meets who is not signed in.
    public enum SignIn: String, Sendable, CaseIterable {
        /// Entra at once.
        case automatic
        /// A page that says that the site is private, with a button.
        case page
    }

    /// What signing out ends.
    public enum SignOut: String, Sendable, CaseIterable {
        /// The session here and the one at Entra.
        case everywhere
        /// The session here alone.
        case here
    }

    /// After how long a navigation goes through Entra again; `0` for never.
    public var revalidateAfterSeconds = 3600
    /// How much longer a session is good for what is no navigation, and while Entra cannot be asked.
    public var revalidateGraceSeconds = 3600
    /// Whether the session outlives the browser ("stay signed in").
    public var isCookiePersistent = false
    public var signIn = SignIn.automatic
    public var signOut = SignOut.everywhere
    /// Whether Entra is told which account signs out, so that it does not ask.
    public var sendsLogoutHint = true
    /// Where readers are after signing out: a path of this site, or `nil` for our own page.
    public var pathAfterSignOut: String?
    /// Whose sign-in page Entra shows at once: a domain, `organizations` or `consumers`.
    public var domainHint: String?
    /// Where ended sessions are listed for several machines; `nil` for a folder of this one.
    public var redis: RedisAddress?
}
