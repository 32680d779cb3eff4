import Testing

@testable import EntraEmulator

@Suite struct DirectoryTests {
    private static func mistakes(_ toml: String) -> String {
        let parsed = Directory.parse(Array(toml.utf8), path: "tenants.toml")
        #expect(parsed.directory == nil)
        return parsed.diagnostics.map { $0.text(program: "entra-emulator") }.joined()
    }

    @Test func `a wrong file is told all its mistakes`() {
        let text = Self.mistakes(
            """
            [[tenant]]
            id = "no-guid"
            naem = "Larkspur"
            cloud = "publik"

            [[tenant.application]]
            name = "Handbook"
            client_id = "22222222-bbbb-4000-8000-000000000002"
            redirect_uris = ["http://docs.example.com/auth/callback"]
            optional_claims = ["sidd"]
            logout_url = "http://localhost:8080/auth/front-channel-sign-out"
            [[tenant.application.secret]]
            value = "x"
            expires = "soon"

            [[tenant.user]]
            object_id = "a11ce000-0000-4000-8000-00000000000a"
            user_name = "alice@example.com"
            disabled = "yes"
            groups = ["Borad"]
            refused_with = 1

            [[tenant.group]]
            id = "b0a2d000-0000-4000-8000-00000000b0a2"
            name = "Board"
            """
        )
        for line in [
            "2:6: error: 'id' is 'no-guid'; it must be a GUID",
            "3:1: error: unknown key 'naem' in [[tenant]]; did you mean 'name'?",
            "1:1: error: 'name' is missing",
            "4:9: error: 'cloud' is 'publik'; did you mean 'public'?",
            "9:18: error: 'http://docs.example.com/auth/callback' is not https",
            "10:19: error: 'sidd' is not an optional claim that the emulator sends; did you mean 'sid'?",
            "11:14: error: 'logout_url' is 'http://localhost:8080/auth/front-channel-sign-out'",
            "14:11: error: 'expires' must be a date like 2027-01-31",
            "16:1: error: 'name' is missing",
            "19:12: error: 'disabled' is a string; it must be true or false",
            "20:11: error: group 'Borad' is neither a [[tenant.group]] nor a GUID; did you mean 'Board'?",
            "21:16: error: 'refused_with' is 1, which the emulator does not know",
        ] {
            #expect(text.contains("tenants.toml:\(line)"), "\(line) in\n\(text)")
        }
    }

    @Test func `places are those of the right tenant`() {
        let text = Self.mistakes(
            """
            [[tenant]]
            id = "11111111-aaaa-4000-8000-000000000001"
            name = "One"
            [[tenant.user]]
            object_id = "a11ce000-0000-4000-8000-00000000000a"
            name = "Alice"
            user_name = "alice@example.com"
            [[tenant]]
            id = "11111111-aaaa-4000-8000-000000000002"
            name = "Two"
            [[tenant.user]]
            object_id = "a11ce000-0000-4000-8000-00000000000a"
            name = "Alice"
            user_name = "ALICE@example.com"
            color = "blue"
            """
        )
        #expect(text.contains("15:1: error: unknown key 'color' in [[tenant.user]]"))
        #expect(
            text.contains("12:13: error: 'a11ce000-0000-4000-8000-00000000000a' occurs twice")
        )
        #expect(text.contains("'alice@example.com' occurs twice"))
        #expect(text.contains("there is no [[tenant.application]]; add"))
    }

    @Test func `each kind of tenant has what it needs`() {
        let text = Self.mistakes(
            """
            [[tenant]]
            id = "11111111-aaaa-4000-8000-000000000001"
            kind = "external"
            name = "One"
            custom_domain = "login.example.com"
            [[tenant]]
            id = "11111111-aaaa-4000-8000-000000000002"
            kind = "b2c"
            subdomain = "two"
            name = "Two"
            [[tenant]]
            id = "11111111-aaaa-4000-8000-000000000003"
            kind = "consumers"
            subdomain = "three"
            name = "Three"
            """
        )
        for line in [
            "1:1: error: 'subdomain' is missing",
            "5:17: error: 'custom_domain' is 'login.example.com'; it must end in '.localhost'",
            "6:1: error: 'policies' is empty", "12:6: error: 'id' of the tenant of kind",
            "14:13: error: 'subdomain' is for tenants of kind",
        ] {
            #expect(text.contains("tenants.toml:\(line)"), "\(line) in\n\(text)")
        }
    }

    @Test func `the built-in file has no mistake, and every kind of account`() throws {
        let parsed = Directory.parse(Array(Directory.builtIn.utf8), path: "built-in")
        #expect(parsed.diagnostics.isEmpty)
        let directory = try #require(parsed.directory)
        let kinds = Set(directory.tenants.map(\.kind))
        #expect(kinds == [.workforce, .external, .consumers])
        let users = directory.accounts.map(\.user)
        #expect(users.contains { $0.kind == .guest } && users.contains { $0.isDisabled })
        #expect(users.contains { $0.groups.count > 200 } && users.contains { $0.email == nil })
    }

    @Test func `a name with markup stays text on the pages`() throws {
        let scene = try Scene()
        for page in [
            scene.page(.get, Scene.authorize()), scene.page(.post, Scene.authorize(), "other=1"),
            scene.page(.post, Scene.authorize(), "user_name=%3Cscript%3Ealert(1)"),
        ] {
            #expect(!page.contains("<script>"))
        }
    }
}
