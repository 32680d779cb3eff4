/// A user who may sign in.
public struct User: Sendable {
    public enum Kind: String, Sendable, CaseIterable { case member, guest }

    public var objectID: String
    public var name: String
    /// The user name; it looks like an e-mail address, but is none.
    public var userName: String
    /// An e-mail address that anybody may have entered; it is not verified.
    public var email: String?
    /// Whether the tenant owns the domain of ``email``.
    public var isEmailDomainVerified: Bool
    public var givenName: String?
    public var familyName: String?
    public var kind: Kind
    /// A guest's home: the id of a tenant, or `live.com`.
    public var home: String?
    /// Values of app roles; an application sees those that it defines.
    public var roles: [String]
    /// Object ids of groups.
    public var groups: [String]
    public var isDisabled: Bool
    /// Whether a second factor is asked for.
    public var needsSecondFactor: Bool
    /// The AADSTS number with which each sign-in is refused, for policies, locked accounts and the
    /// like.
    public var refusedWith: Int?
    /// Since when sign-ins count, in seconds since 1970; `nil` if all do.
    public var sessionsValidFrom: Int?

    /// An opaque name of the account, about as long as a real `login_hint`.
    var loginHint: String { OpaqueID.loginHint(of: objectID) }
}
