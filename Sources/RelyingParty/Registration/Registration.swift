import Access
import Jansson
import OpenSSL
import SiteauthConfiguration

/// A site's app registration in Entra.
public struct Registration: Sendable {
    /// The accounts that may sign in.
    public enum Accounts: String, Sendable, CaseIterable {
        case tenant, organizations, all, personal

        /// The value of `signInAudience` in Microsoft Graph.
        var audience: String {
            switch self {
            case .tenant: "AzureADMyOrg"
            case .organizations: "AzureADMultipleOrgs"
            case .all: "AzureADandPersonalMicrosoftAccount"
            case .personal: "PersonalMicrosoftAccount"
            }
        }

        var includesPersonal: Bool { self == .all || self == .personal }
    }

    /// The site's name, shown to readers when they sign in.
    public let name: String
    public let redirectURI: WebURL
    public let accounts: Accounts
    /// The values of the app roles that the site's groups use, sorted.
    public let roles: [String]
    /// Whether a group of the site is a security group.
    public let usesSecurityGroups: Bool
    /// Whether the site asks Microsoft Graph about those who have signed in.
    private(set) var watchesAccounts = false

    /// - Parameter groups: the site's groups, whose app roles are registered.
    public init(
        name: String,
        redirectURI: WebURL,
        accounts: Accounts,
        groups: [GroupDefinition]
    ) {
        self.name = name
        self.redirectURI = redirectURI
        self.accounts = accounts
        // Registrations for personal accounts have no app roles.
        roles = accounts.includesPersonal ? [] : Set(groups.flatMap(\.roles)).sorted()
        usesSecurityGroups = groups.contains { !$0.groups.isEmpty }
    }

    /// The registration for an existing configuration.
    public init(_ configuration: AuthConfiguration, name: String, groups: [GroupDefinition]) {
        let accounts: Accounts =
            switch configuration.metadataURL.firstSegment {
            case "organizations": .organizations
            case "common": .all
            case "consumers", AuthConfiguration.personalAccountsTenant: .personal
            default: .tenant
            }
        self.init(
            name: name,
            redirectURI: configuration.redirectURI,
            accounts: accounts,
            groups: groups
        )
        watchesAccounts = configuration.provider.graphPollSeconds > 0
    }

    var redirectURIs: [String] {
        [redirectURI.text, "\(redirectURI.origin)/auth/signed-out"]
    }

    /// The front-channel logout URL, or `nil` on http: Entra accepts https only, even for
    /// localhost.
    var logoutURL: String? {
        let url = "\(redirectURI.origin)/auth/front-channel-sign-out"
        return redirectURI.scheme == "https" ? url : nil
    }

    /// Optional claims; `xms_edov` and `email` are for people who read the log, and never identify
    /// a reader.
    static let optionalClaims = ["sid", "login_hint", "auth_time", "acct", "email", "xms_edov"]

    /// The id of an app role, always the same for the same value.
    static func roleID(_ value: String) -> String {
        var bytes = Array(Digest.sha256(Array("siteauth app role \(value)".utf8)).prefix(16))
        // A GUID of version 8, for private use (RFC 9562, section 5.8).
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return CompactText(bytes: bytes, isGUID: true).text
    }
}
