/// What a group's members have to confirm at the provider before they read, beyond signing in.
public struct AuthenticationContext: Sendable, Hashable {
    /// A Conditional Access authentication context of Entra (`c1` to `c99`), or another provider's
    /// Authentication Context Class Reference (OpenID Connect Core 1.0, section 2, `acr`).
    public let name: String
    /// For how many seconds a confirmation holds.
    public let seconds: Int

    public init(name: String, seconds: Int) {
        self.name = name
        self.seconds = seconds
    }

    /// - Parameter name: 1 to 64 visible characters of ASCII, so that cookies and URLs stay short.
    public static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The definition of a group: a reader on any of its three lists is a member.
public struct GroupDefinition: Sendable, Hashable {
    public let name: String
    /// Values of app roles (`roles` claim), compared byte for byte.
    public var roles: [String]
    /// Object ids of Entra groups (`groups` claim), or the texts in another provider's claim for
    /// groups.
    public var groups: [String]
    /// Object ids of accounts (`oid` claim), or the `sub` of another provider's accounts.
    ///
    /// Never e-mail addresses, because users and administrators can set those claims to anything.
    public var users: [String]
    /// What members have to confirm before they read as members; `nil` if signing in is enough.
    public var context: AuthenticationContext?
    /// Whether each opening of a page for the group leaves a line in siteauth's audit.
    public var isAudited: Bool

    public init(
        name: String,
        roles: [String] = [],
        groups: [String] = [],
        users: [String] = [],
        context: AuthenticationContext? = nil,
        isAudited: Bool = false
    ) {
        self.name = name
        self.roles = roles
        self.groups = groups
        self.users = users
        self.context = context
        self.isAudited = isAudited
    }

    /// - Parameter name: a letter, then letters, digits, `-` and `_`, at most 64 in all.
    public static func isName(_ name: String) -> Bool {
        let letters = name.utf8.map { $0 | 0x20 }
        guard let first = letters.first, name.utf8.count <= 64 else { return false }
        let alphabet = UInt8(ascii: "a")...UInt8(ascii: "z")
        return alphabet.contains(first)
            && name.utf8.allSatisfy { byte in
                alphabet.contains(byte | 0x20) || (48...57).contains(byte) || byte == 45
                    || byte == 95
            }
    }
}
