import Testing

@testable import EntraEmulator

@Suite struct DirectoryTests {
    @Test func `a wrong tenant file is told all its mistakes`() {
        let toml = """
            tenant_id = "no-guid"
            domain = "example.com"
            naem = "Larkspur"

            [[application]]
            name = "Handbook"
            client_id = "22222222-bbbb-4000-8000-000000000002"
            client_secret = "x"
            redirect_uris = ["http://docs.example.com/auth/callback"]
            optional_claims = ["sidd"]

            [[user]]
            object_id = "a11ce000-0000-4000-8000-00000000000a"
            user_name = "alice@example.com"
            disabled = "yes"
            """
        let parsed = Directory.parse(Array(toml.utf8), path: "tenant.toml")
        #expect(parsed.directory == nil)
        let text = parsed.diagnostics.map { $0.text(program: "entra-emulator") }.joined()
        #expect(
            text.contains("tenant.toml:1:1: error: 'tenant_id' is 'no-guid'; it must be a GUID")
        )
        #expect(text.contains("tenant.toml:3:1: error: unknown key 'naem'; did you mean 'name'?"))
        #expect(
            text.contains(
                "tenant.toml:9:1: error: 'http://docs.example.com/auth/callback' is not https"
            )
        )
        #expect(
            text.contains(
                "tenant.toml:10:1: error: 'sidd' is no optional claim that is sent here; did you mean 'sid'?"
            )
        )
        #expect(text.contains("tenant.toml:12:1: error: 'name' is missing"))
        #expect(
            text.contains(
                "tenant.toml:15:1: error: 'disabled' is a string; it must be true or false"
            )
        )
    }

    @Test func `the built-in tenant has no mistake`() {
        let parsed = Directory.parse(Array(DefaultTenant.toml.utf8), path: "built-in")
        #expect(parsed.diagnostics.isEmpty)
        #expect(parsed.directory?.users.count == 5)
    }

    @Test func `a name with markup stays text on the pages`() throws {
        let toml = DefaultTenant.toml.replacing("Bob Brown", with: "<script>alert('x')</script>")
        let page = try Tenant(toml).send(.get, Tenant.authorize())
        #expect(!String(decoding: page.body, as: UTF8.self).contains("<script>"))
    }
}
