import Access

/// Which of the site's groups a reader is in.
enum GroupMembership: Sendable, Equatable {
    case member(of: Set<String>)
    /// Entra had more groups than fit into a token, and the site asks for groups. "None" would be
    /// a guess; so would "all".
    case unknown

    /// - Parameters:
    ///   - resolved: those of the site's groups that Graph has said, where the token cannot.
    ///   - rolesCount: whether app roles make a member. Anybody's administrator can give out the
    ///     roles of an application for many tenants.
    ///   - isOnlyTenant: whether nobody of another tenant can be here. Otherwise an object id counts
    ///     with its tenant alone (`object-id@tenant-id`): only the two together name one person.
    init(
        _ identity: VerifiedIDToken,
        in definitions: [GroupDefinition],
        resolved: Set<String>? = nil,
        rolesCount: Bool,
        isOnlyTenant: Bool = true
    ) {
        let token = identity.token
        let isAsked = definitions.contains { !$0.groups.isEmpty }
        if token.hasGroupOverage, isAsked, resolved == nil {
            self = .unknown
            return
        }
        var names: Set<String> = ["\(identity.objectID)@\(identity.tenantID)"]
        if isOnlyTenant { names.insert(identity.objectID) }
        let groups = resolved ?? Set(token.groups.map { $0.lowercased() })
        let member = definitions.filter { definition in
            !groups.isDisjoint(with: definition.groups)
                || (rolesCount && !Set(token.roles).isDisjoint(with: definition.roles))
                || !names.isDisjoint(with: definition.users)
        }
        self = .member(of: Set(member.map(\.name)))
    }
}
