/// What makes somebody a member of one of the site's groups: any of its three lists suffices.
public struct GroupDefinition: Sendable, Hashable {
    public let name: String
    /// Values of app roles (`roles` claim), compared byte for byte.
    public var roles: [String]
    /// Object ids of Entra groups (`groups` claim); at another provider any texts that its claim
    /// for groups has.
    public var groups: [String]
    /// Object ids of single people (`oid` claim); at another provider their `sub`.
    ///
    /// Never an e-mail address: those are claims that people and their administrators can set to
    /// anything.
    public var users: [String]

    public init(name: String, roles: [String] = [], groups: [String] = [], users: [String] = []) {
        self.name = name
        self.roles = roles
        self.groups = groups
        self.users = users
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
