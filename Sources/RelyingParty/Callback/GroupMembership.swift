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
    init(
        _ identity: VerifiedIDToken,
        in definitions: [GroupDefinition],
        profile: ReaderProfile? = nil,
        resolved: Set<String>? = nil,
        rolesCount: Bool
    ) {
        let token = identity.token
        let isAsked = definitions.contains { !$0.groups.isEmpty }
        if token.hasGroupOverage, isAsked, resolved == nil {
            self = .unknown
            return
        }
        let profile = profile ?? ReaderProfile(ofEntra: token)
        let groups = Set((resolved.map(Array.init) ?? profile.groups).map(profile.comparable))
        let reader = profile.comparable(identity.objectID)
        let member = definitions.filter { definition in
            !groups.isDisjoint(with: definition.groups.map(profile.comparable))
                || (rolesCount && !Set(token.roles).isDisjoint(with: definition.roles))
                || definition.users.contains { profile.comparable($0) == reader }
        }
        self = .member(of: Set(member.map(\.name)))
    }
}
