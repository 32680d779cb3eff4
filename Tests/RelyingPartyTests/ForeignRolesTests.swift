import EntraEmulator
import HTTPTypes
import Testing

/// An application for many tenants: each tenant's own administrator gives out its roles.
@Suite struct ForeignRolesTests {
    private static let grace = "93ace000-0000-4000-8000-000000000021"
    private static let marigold = "33333333-aaaa-4000-8000-000000000003"

    private static let tenants = Directory.builtIn
        .replacing(
            "audience = \"AzureADandPersonalMicrosoftAccount\"\nredirect",
            with: "audience = \"AzureADMultipleOrgs\"\napp_roles = [\"HR\"]\nredirect"
        )
        .replacing(
            "user_name = \"grace@marigold.example\"",
            with: "user_name = \"grace@marigold.example\"\nroles = [\"HR\"]"
        )

    private static func world(_ settings: String) throws -> World {
        try World(
            settings,
            registration: """
                client_id = "22222222-bbbb-4000-8000-000000000003"
                client_secret = "emulated~secret.is-no-secret_at-all"
                authority = "http://localhost:8081/organizations"
                """,
            tenants: tenants
        )
    }

    @Test func `a role that another company gave to its own people opens nothing`() throws {
        let world = try Self.world("allowed_tenants = [\"any\"]")
        world.signIn(Self.grace)
        #expect(world.check("/other/") == .noContent)
        #expect(world.check("/hr/") == .forbidden)
    }

    @Test func `it counts where its tenant is trusted with roles`() throws {
        let settings = "allowed_tenants = [\"any\"]\nrole_tenants = [\"\(Self.marigold)\"]"
        let world = try Self.world(settings)
        world.signIn(Self.grace)
        #expect(world.check("/hr/") == .noContent)
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .forbidden)
    }

    /// Nothing of a session tells which tenant's roles counted when it began.
    @Test func `a tenant that is trusted no longer leaves no session behind`() throws {
        let any = "allowed_tenants = [\"any\"]"
        let trusting = any + "\nrole_tenants = [\"\(Self.marigold)\"]"
        let world = try Self.world(trusting)
        world.signIn(Self.grace)
        let cookies = world.state.withLock(\.siteCookies)
        for (settings, isSession) in [(trusting, true), (any, false)] {
            let later = try Self.world(settings)
            later.state.withLock { $0.siteCookies = cookies }
            #expect((later.check("/hr/") == .noContent) == isSession)
            #expect((later.check("/other/") == .noContent) == isSession)
        }
    }

    @Test func `of the only tenant that comes in, roles count`() throws {
        let world = try Self.world("allowed_tenants = [\"\(Self.marigold)\"]")
        world.signIn(Self.grace)
        #expect(world.check("/hr/") == .noContent)
    }
}
