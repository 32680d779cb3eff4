import Access

/// Which of the site's groups a reader is in.
enum GroupMembership: Sendable, Equatable {
    case member(of: Set<String>)
    /// Entra had more groups than fit into a token. Neither "no groups" nor "all groups" would be
    /// safe to assume.
    case unknown

    /// - Parameters:
    ///   - profile: what the provider says about the reader.
    ///   - resolved: the groups that Graph has confirmed, if the token has no room for them.
    ///   - rolesCount: whether app roles count. In an application for many tenants, the
    ///     administrators of any tenant can assign its roles.
    ///   - isOnlyTenant: whether all readers are from one tenant. Otherwise an object id counts
    ///     only with its tenant (`object-id@tenant-id`), because it is unique within a tenant only.
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
        // Roles are compared as bytes too, because people type them.
        let roles = Set(token.roles.map { Array($0.utf8) })
        let member = definitions.filter { definition in
            !groups.isDisjoint(with: definition.groups.map(profile.comparable))
                || (rolesCount && !roles.isDisjoint(with: definition.roles.map { Array($0.utf8) }))
                || !users.isDisjoint(with: definition.users.map(profile.comparable))
        }
        self = .member(of: Set(member.map(\.name)))
    }
}
