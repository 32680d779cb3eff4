import Access
import Testing

@testable import RelyingParty

/// Single people of `[groups]`: an object id names one person together with its tenant alone.
@Suite struct NamedUserTests {
    private static let tenant = TokenFactory.tenant
    private static let other = "33333333-cccc-4000-8000-000000000003"

    private static func groups(users: [String], isOnlyTenant: Bool) throws -> GroupMembership {
        GroupMembership(
            try TokenFactory().verify(),
            in: [GroupDefinition(name: "legal", users: users)],
            rolesCount: true,
            isOnlyTenant: isOnlyTenant
        )
    }

    @Test(arguments: [
        ([Person.alice], true, false), ([Person.alice.uppercased()], true, false),
        (["\(Person.alice)@\(tenant)"], true, true),
        (["\(Person.alice)@\(tenant)".uppercased()], true, true),
        (["\(Person.alice)@\(other)"], false, false), ([Person.bob], false, false),
        (["\(Person.bob)@\(tenant)"], false, false), ([tenant], false, false),
        ([Person.bob, "\(Person.alice)@\(tenant)"], true, true),
    ])
    func `where several tenants come in, an id counts with its tenant alone`(
        users: [String],
        isMemberOfOne: Bool,
        isMemberOfSeveral: Bool
    ) throws {
        let one = try Self.groups(users: users, isOnlyTenant: true)
        #expect(one == .member(of: isMemberOfOne ? ["legal"] : []))
        let several = try Self.groups(users: users, isOnlyTenant: false)
        #expect(several == .member(of: isMemberOfSeveral ? ["legal"] : []))
    }

    /// A role is a name: Swift takes `é` as one character and as two for the same, sitegen and Entra
    /// do not.
    @Test(arguments: [("caf\u{E9}", true), ("cafe\u{301}", false), ("Caf\u{E9}", false)])
    func `a role counts byte for byte`(role: String, isMember: Bool) throws {
        var factory = TokenFactory()
        factory.claims["roles"] = .array([.string(role)])
        let groups = [GroupDefinition(name: "legal", roles: ["caf\u{E9}"])]
        let membership = GroupMembership(try factory.verify(), in: groups, rolesCount: true)
        #expect(membership == .member(of: isMember ? ["legal"] : []))
    }

    /// By the whole way: `organizations`, and who may come in.
    @Test(arguments: [
        ("[\"\(tenant)\"]", Person.alice, true),
        ("[\"\(tenant)\", \"\(other)\"]", Person.alice, false), ("[\"any\"]", Person.alice, false),
        ("[\"any\"]", "\(Person.alice)@\(tenant)", true),
    ])
    func `the list of tenants says whether there is one`(
        allowed: String,
        user: String,
        isMember: Bool
    ) throws {
        let world = try World(
            registration: """
                client_id = "22222222-bbbb-4000-8000-000000000003"
                client_secret = "emulated~secret.is-no-secret_at-all"
                authority = "http://localhost:8081/organizations"
                allowed_tenants = \(allowed)
                """
        )
        let policy = AccessPolicy(
            groups: [GroupDefinition(name: "legal", users: [user])],
            rules: [.init(path: "/", audience: .groups(["legal"]))]
        )
        let legal = try #require(policy)
        world.state.withLock { $0.policy = legal }
        world.signIn(Person.alice)
        #expect((world.check("/") == .noContent) == isMember)
    }
}
