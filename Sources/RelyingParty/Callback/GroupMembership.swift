import Access

/// Which of the site's groups a reader is in.
enum GroupMembership: Sendable, Equatable {
    case member(of: Set<String>)
    /// Entra had more groups than fit into a token, and the site asks for groups. "None" would be
    /// a guess; so would "all".
    case unknown

    /// - Parameter resolved: those of the site's groups that Graph has said, where the token cannot.
    init(
        _ identity: VerifiedIDToken,
        in definitions: [GroupDefinition],
        resolved: Set<String>? = nil
    ) {
        let token = identity.token
        let isAsked = definitions.contains { !$0.groups.isEmpty }
        if token.hasGroupOverage, isAsked, resolved == nil {
            self = .unknown
            return
        }
        let groups = resolved ?? Set(token.groups.map { $0.lowercased() })
        let member = definitions.filter { definition in
            !groups.isDisjoint(with: definition.groups)
                || !Set(token.roles).isDisjoint(with: definition.roles)
                || definition.users.contains(identity.objectID)
        }
        self = .member(of: Set(member.map(\.name)))
    }
}
