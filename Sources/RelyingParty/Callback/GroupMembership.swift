import Access

/// Which of the site's groups a reader is in.
enum GroupMembership: Sendable, Equatable {
    case member(of: Set<String>)
    /// Entra had more groups than fit into a token, and the site asks for groups. "None" would be
    /// a guess; so would "all".
    case unknown

    init(_ identity: VerifiedIDToken, in definitions: [GroupDefinition]) {
        let token = identity.token
        if token.hasGroupOverage, definitions.contains(where: { !$0.groups.isEmpty }) {
            self = .unknown
            return
        }
        let groups = Set(token.groups.map { $0.lowercased() })
        let member = definitions.filter { definition in
            !groups.isDisjoint(with: definition.groups)
                || !Set(token.roles).isDisjoint(with: definition.roles)
                || definition.users.contains(identity.objectID)
        }
        self = .member(of: Set(member.map(\.name)))
    }
}
