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
