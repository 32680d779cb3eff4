import JOSE
import OpenSSL

/// The registration of an application, with what Entra calls its enterprise application.
public struct Application: Sendable {
    /// `signInAudience`: the accounts that may sign in.
    public enum Audience: String, Sendable, CaseIterable {
        case oneTenant = "AzureADMyOrg"
        case manyTenants = "AzureADMultipleOrgs"
        case everybody = "AzureADandPersonalMicrosoftAccount"
        case personal = "PersonalMicrosoftAccount"

        var takesWork: Bool { self != .personal }
        var takesPersonal: Bool { self == .everybody || self == .personal }
    }

    /// Who must consent before the application learns a user's identity.
    public enum Consent: String, Sendable, CaseIterable {
        /// An administrator has consented for everybody.
        case granted
        /// Each user must consent once.
        case user
        /// An administrator must consent, and has not yet.
        case admin
    }

    /// `groupMembershipClaims`: which groups the `groups` claim names.
    public enum GroupClaims: String, Sendable, CaseIterable {
        case none = "None"
        case security = "SecurityGroup"
        /// The groups that are assigned to the application.
        case assigned = "ApplicationGroup"
        case all = "All"
    }

    /// A client secret.
    public struct Secret: Sendable {
        public var value: String
        /// Seconds since 1970; `nil` for never.
        public var expires: Int?
        /// The id of the secret, which people paste instead of the value.
        public var id: String
    }

    /// The issuer whose tokens authenticate the application instead of a secret.
    public struct FederatedCredential: Sendable {
        public var issuer: String
        public var subject: String
        public var audience: String
        /// The issuer's keys; `nil` if the emulator is the issuer.
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
    /// The optional claims of the registration.
    public var optionalClaims: Set<String>
    public var groupClaims: GroupClaims
    /// Values of its app roles.
    public var appRoles: [String]
    /// `identifierUris`: the names of its API, beside the client id.
    public var identifierURIs: [String]
    /// Names of the scopes that its API exposes: delegated permissions.
    public var scopes: [String]
    /// `requestedAccessTokenVersion`, of tokens for its API: 1 or 2.
    public var accessTokenVersion: Int
    /// App roles of other applications that are assigned to this application, each with the name of
    /// the API in front: `api://…/Tasks.Read.All`.
    public var applicationPermissions: [String]
    /// Whether only people who are assigned may sign in.
    public var isAssignmentRequired: Bool
    /// The user names, and names or ids of groups, that are assigned.
    public var assigned: Set<String>
    public var consent: Consent
    /// Whether ID tokens come straight from the authorization endpoint ("implicit and hybrid").
    public var issuesIDTokens: Bool
    /// Whether the application is a public client, without credentials.
    public var isPublic: Bool
    /// "Allow public client flows": device codes are redeemed without credentials.
    public var allowsPublicFlows: Bool
    public var isDisabled: Bool

    /// The claims that ``optionalClaims`` may contain.
    static let knownOptionalClaims: Set = [
        "acct", "auth_time", "ctry", "email", "family_name", "given_name", "idtyp", "login_hint",
        "sid", "tenant_ctry", "upn", "xms_edov",
    ]

    /// What an application may do for itself at Graph, as far as that is emulated.
    static let graphPermissions = ["User.Read.All", "GroupMember.Read.All"].map {
        "https://graph.microsoft.com/\($0)"
    }

    /// The application's own roles at an API.
    func roles(at api: Application) -> [String] {
        let names = api.identifierURIs + [api.clientID]
        let granted = names.flatMap { name in
            api.appRoles.filter { applicationPermissions.contains("\(name)/\($0)") }
        }
        return api.appRoles.filter(granted.contains)
    }

    /// A user's roles in this application.
    func roles(of user: User) -> [String] { user.roles.filter(appRoles.contains) }

    /// Whether a user is assigned to the application, directly or through a group.
    func isAssigned(_ user: User, groups: [Group]) -> Bool {
        if !roles(of: user).isEmpty || assigned.contains(user.userName) { return true }
        let names = groups.filter { user.groups.contains($0.id) }.map(\.name)
        return !assigned.isDisjoint(with: Set(user.groups + names))
    }
}
