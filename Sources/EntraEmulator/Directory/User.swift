/// Somebody who may sign in.
public struct User: Sendable {
    public enum Kind: String, Sendable, CaseIterable { case member, guest }

    public var objectID: String
    public var name: String
    /// What people type to sign in; looks like an e-mail address and is none.
    public var userName: String
    /// Whatever somebody has entered there: nobody has checked that it is theirs.
    public var email: String?
    /// Whether the tenant owns the domain of ``email``.
    public var isEmailDomainVerified: Bool
    public var givenName: String?
    public var familyName: String?
    public var kind: Kind
    /// Where a guest comes from: the id of a tenant, or `live.com`.
    public var home: String?
    /// Values of app roles; an application sees those that it defines.
    public var roles: [String]
    /// Object ids of groups.
    public var groups: [String]
    public var isDisabled: Bool
    /// Whether a second factor is asked for.
    public var needsSecondFactor: Bool
    /// The AADSTS number with which each sign-in ends: a policy, a locked account and the like.
    public var refusedWith: Int?

    /// An opaque name of the account, about as long as a real one: `login_hint`.
    var loginHint: String { OpaqueID.loginHint(of: objectID) }
}
