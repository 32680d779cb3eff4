/// A directory of people and applications.
public struct Tenant: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A company and its employees.
        case workforce
        /// Customers of a company (`ciamlogin.com`).
        case external
        /// Azure AD B2C (`b2clogin.com`), one discovery document for each policy.
        case b2c
        /// Personal Microsoft accounts: one tenant for all of them.
        case consumers
    }

    /// The tenant of all personal accounts.
    public static let consumersID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    public var id: String
    /// Verified domains, in lower case.
    public var domains: [String]
    public var name: String
    public var kind: Kind
    public var cloud: Cloud
    /// The first part of the host, before `ciamlogin.com` or `b2clogin.com`.
    public var subdomain: String
    /// A host of the company's own, of an external tenant.
    public var customDomain: String?
    /// Names of the user flows of a B2C tenant, in lower case.
    public var policies: [String]
    /// What Conditional Access demands for an authentication context, by its id (`c1`).
    ///
    /// One that is not listed is met by everybody, as at Entra.
    public var contexts: [String: ContextPolicy]
    /// Whether users who are not signed in see the password page.
    public var asksPassword: Bool
    public var users: [User]
    public var groups: [Group]
    public var applications: [Application]
    public var managedIdentities: [ManagedIdentity]
}

/// A Conditional Access policy for an authentication context.
public enum ContextPolicy: String, Sendable, CaseIterable {
    case secondFactor = "second-factor"
    case blocked
}

/// A security group.
public struct Group: Sendable {
    public var id: String
    public var name: String
}

extension [Group] {
    /// The id of a group that is named by its name, or by the id of one that has none here.
    func id(named name: String) -> String? {
        first { $0.name == name }?.id ?? (GUID.isOne(name) ? name.lowercased() : nil)
    }
}

/// A managed identity of a machine, which needs no secret.
public struct ManagedIdentity: Sendable {
    public var name: String
    public var clientID: String
    /// The object id of its service principal: `sub` of its tokens.
    public var principalID: String
}
