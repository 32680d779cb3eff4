import JOSE
import OpenSSL

/// The registration of an application, with what Entra calls its enterprise application.
public struct Application: Sendable {
    /// `signInAudience`: whose accounts it may be used with.
    public enum Audience: String, Sendable, CaseIterable {
        case oneTenant = "AzureADMyOrg"
        case manyTenants = "AzureADMultipleOrgs"
        case everybody = "AzureADandPersonalMicrosoftAccount"
        case personal = "PersonalMicrosoftAccount"

        var takesWork: Bool { self != .personal }
        var takesPersonal: Bool { self == .everybody || self == .personal }
    }

    /// Who has to agree before the application learns who somebody is.
    public enum Consent: String, Sendable, CaseIterable {
        /// An administrator has, for everybody.
        case granted
        /// Each user, once.
        case user
        /// An administrator, who has not yet.
        case admin
    }

    /// `groupMembershipClaims`: which groups the `groups` claim names.
    public enum GroupClaims: String, Sendable, CaseIterable {
        case none = "None"
        case security = "SecurityGroup"
        /// Those that are assigned to the application.
        case assigned = "ApplicationGroup"
        case all = "All"
    }

    /// A client secret.
    public struct Secret: Sendable {
        public var value: String
        /// Seconds since 1970; `nil` for never.
        public var expires: Int?
        /// What people paste instead of the value.
        public var id: String
    }

    /// Whose tokens stand for the application, though it has no secret.
    public struct FederatedCredential: Sendable {
        public var issuer: String
        public var subject: String
        public var audience: String
        /// Those of the issuer; `nil` where the emulator is the issuer itself.
        public var keys: JSONWebKeySet?
    }

    public var name: String
    public var clientID: String
    public var audience: Audience
    public var redirectURIs: [String]
    /// The front-channel logout URL.
    public var logoutURL: String?
    public var secrets: [Secret]
    public var certificates: [Certificate]
    public var federatedCredentials: [FederatedCredential]
    /// Claims that a registration has to ask for.
    public var optionalClaims: Set<String>
    public var groupClaims: GroupClaims
    /// Values of its app roles.
    public var appRoles: [String]
    /// `identifierUris`: the names of its API, beside its client id.
    public var identifierURIs: [String]
    /// Names of the scopes that its API exposes: delegated permissions.
    public var scopes: [String]
    /// `requestedAccessTokenVersion`, of tokens for its API: 1 or 2.
    public var accessTokenVersion: Int
    /// App roles of other applications that it has for itself, each behind the name of the API:
    /// `api://…/Tasks.Read.All`.
    public var applicationPermissions: [String]
    /// Whether only people who are assigned may sign in.
    public var isAssignmentRequired: Bool
    /// User names, and names or ids of groups.
    public var assigned: Set<String>
    public var consent: Consent
    /// Whether ID tokens come straight from the authorization endpoint ("implicit and hybrid").
    public var issuesIDTokens: Bool
    /// Whether it has no credentials.
    public var isPublic: Bool
    /// "Allow public client flows": device codes are redeemed without credentials.
    public var allowsPublicFlows: Bool
    public var isDisabled: Bool

    /// Claims that ``optionalClaims`` may name.
    static let knownOptionalClaims: Set = [
        "acct", "auth_time", "ctry", "email", "family_name", "given_name", "idtyp", "login_hint",
        "sid", "tenant_ctry", "upn", "xms_edov",
    ]

    /// The roles at an API that it has for itself.
    func roles(at api: Application) -> [String] {
        let names = api.identifierURIs + [api.clientID]
        let granted = names.flatMap { name in
            api.appRoles.filter { applicationPermissions.contains("\(name)/\($0)") }
        }
        return api.appRoles.filter(granted.contains)
    }

    /// The roles that somebody has here.
    func roles(of user: User) -> [String] { user.roles.filter(appRoles.contains) }

    /// Whether somebody is assigned to it, themselves or through a group.
    func isAssigned(_ user: User, groups: [Group]) -> Bool {
        if !roles(of: user).isEmpty || assigned.contains(user.userName) { return true }
        let names = groups.filter { user.groups.contains($0.id) }.map(\.name)
        return !assigned.isDisjoint(with: Set(user.groups + names))
    }
}
