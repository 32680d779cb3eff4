import Access

/// Which of the site's groups a reader is in.
enum GroupMembership: Sendable, Equatable {
    case member(of: Set<String>)
    /// Entra had more groups than fit into a token, and the site asks for groups. "None" would be
    /// a guess; so would "all".
    case unknown

    /// - Parameters:
    ///   - profile: what the provider says of the reader; at Entra the token says it.
    ///   - resolved: those of the site's groups that Graph has said, where the token cannot.
    ///   - rolesCount: whether app roles make a member. Anybody's administrator can give out the
    ///     roles of an application for many tenants.
    ///   - isOnlyTenant: whether nobody of another tenant can be here. Otherwise an object id counts
    ///     with its tenant alone (`object-id@tenant-id`): only the two together name one person.
    init(
        _ identity: VerifiedIDToken,
        in definitions: [GroupDefinition],
        profile: ReaderProfile? = nil,
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
        let profile = profile ?? ReaderProfile(ofEntra: token)
        let groups = Set((resolved.map(Array.init) ?? profile.groups).map(profile.comparable))
        var names = ["\(identity.objectID)@\(identity.tenantID)"]
        if isOnlyTenant { names.append(identity.objectID) }
        let users = Set(names.map(profile.comparable))
        // Bytes here, too: roles are names that somebody typed.
        let roles = Set(token.roles.map { Array($0.utf8) })
        let member = definitions.filter { definition in
            !groups.isDisjoint(with: definition.groups.map(profile.comparable))
                || (rolesCount && !roles.isDisjoint(with: definition.roles.map { Array($0.utf8) }))
                || !users.isDisjoint(with: definition.users.map(profile.comparable))
        }
        self = .member(of: Set(member.map(\.name)))
    }
}
