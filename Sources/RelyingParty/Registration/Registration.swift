import Access
import Jansson
import OpenSSL

/// What Entra has to know of a site: its app registration.
public struct Registration: Sendable {
    /// Whose people may sign in.
    public enum Accounts: String, Sendable, CaseIterable {
        case tenant, organizations, all, personal

        /// `signInAudience` of Microsoft Graph.
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

    /// Shown to readers when they sign in.
    public let name: String
    public let redirectURI: WebURL
    public let accounts: Accounts
    /// Values of the app roles that the site's groups ask for, sorted.
    public let roles: [String]
    /// Whether a group of the site is a security group.
    public let usesSecurityGroups: Bool

    /// - Parameter groups: the site's, of which Entra has to know the app roles.
    public init(
        name: String,
        redirectURI: WebURL,
        accounts: Accounts,
        groups: [GroupDefinition]
    ) {
        self.name = name
        self.redirectURI = redirectURI
        self.accounts = accounts
        // Registrations for personal accounts have none.
        roles = accounts.includesPersonal ? [] : Set(groups.flatMap(\.roles)).sorted()
        usesSecurityGroups = groups.contains { !$0.groups.isEmpty }
    }

    /// That of a configuration that is there already.
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
    }

    var redirectURIs: [String] {
        [redirectURI.text, "\(redirectURI.origin)/auth/signed-out"]
    }

    /// Where Entra tells that somebody signed out elsewhere; it takes https alone, for localhost, too.
    var logoutURL: String? {
        let url = "\(redirectURI.origin)/auth/front-channel-sign-out"
        return redirectURI.scheme == "https" ? url : nil
    }

    /// `xms_edov` and `email` are for people who read the log; nobody is known by them.
    static let optionalClaims = ["sid", "login_hint", "auth_time", "acct", "email", "xms_edov"]

    /// The name of a role, which stays the same however often this is asked for.
    static func roleID(_ value: String) -> String {
        var bytes = Array(Digest.sha256(Array("siteauth app role \(value)".utf8)).prefix(16))
        // A GUID of nobody else's making (RFC 9562, section 5.8).
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Hexadecimal.encode(bytes)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map {
            String(decoding: digits[$0], as: UTF8.self)
        }
        .joined(separator: "-")
    }
}
