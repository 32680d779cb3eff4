import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// Each kind of provider, from the configuration to a page, with the emulator as that provider.
@Suite struct AuthorityTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let setting: String
        let client: String
        let person: String
        let tenant: String
    }

    private static let larkspur = "11111111-aaaa-4000-8000-000000000001"
    private static let marigold = "33333333-aaaa-4000-8000-000000000003"
    private static let orchard = "66666666-aaaa-4000-8000-000000000006"
    private static let lighthouses = "99999999-aaaa-4000-8000-000000000009"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
    private static let grace = "93ace000-0000-4000-8000-000000000021"
    private static let peggy = "00000000-0000-0000-66f3-3332eca7ea81"
    private static let carlos = "c0570000-0000-4000-8000-000000000061"
    private static let gwen = "60e40000-0000-4000-8000-000000000091"
    private static let forEverybody = "22222222-bbbb-4000-8000-000000000003"

    private static func any(_ authority: String) -> String {
        "authority = \"http://localhost:8081/\(authority)\"\nallowed_tenants = [\"any\"]"
    }

    static let kinds: [Kind] = {
        let host = "orchard.ciamlogin.com.localhost:8081"
        let government = "login.microsoftonline.us.localhost:8081"
        func kind(
            _ name: String,
            _ setting: String,
            _ number: Int,
            _ person: String,
            _ tenant: String
        ) -> Kind {
            Kind(
                testDescription: name,
                setting: setting,
                client: "22222222-bbbb-4000-8000-00000000000\(number)",
                person: person,
                tenant: tenant
            )
        }
        func orchard(_ name: String, _ setting: String) -> Kind {
            kind(name, setting, 6, carlos, Self.orchard)
        }
        return [
            kind(
                "workforce by domain",
                "authority = \"http://localhost:8081/larkspur.onmicrosoft.com\"",
                2,
                Person.alice,
                larkspur
            ),
            kind(
                "workforce by its document",
                "server_metadata_url = \"http://localhost:8081/\(larkspur)/v2.0/.well-known/openid-configuration\"",
                2,
                Person.alice,
                larkspur
            ),
            kind("organizations", any("organizations"), 3, grace, marigold),
            kind("common, from work", any("common"), 3, Person.alice, larkspur),
            kind("common, from home", any("common"), 3, peggy, personal),
            kind(
                "consumers",
                "authority = \"http://localhost:8081/consumers\"",
                3,
                peggy,
                personal
            ),
            orchard("external, without a path", "authority = \"http://\(host)\""),
            orchard("external by id", "authority = \"http://\(host)/\(Self.orchard)\""),
            orchard(
                "external by domain",
                "authority = \"http://\(host)/orchard.onmicrosoft.com\""
            ),
            orchard(
                "external at a domain of its own",
                "oidc_authority = \"http://login.orchard.localhost:8081/\(Self.orchard)/v2.0\""
            ),
            kind(
                "national cloud",
                "authority = \"http://\(government)/\(lighthouses)\"",
                9,
                gwen,
                lighthouses
            ),
        ]
    }()

    private static func world(
        _ setting: String,
        client: String = forEverybody
    ) throws -> World {
        try World(
            registration: """
                client_id = "\(client)"
                client_secret = "emulated~secret.is-no-secret_at-all"
                \(setting)
                """
        )
    }

    @Test(arguments: kinds)
    func `people sign in at every kind of authority`(kind: Kind) throws {
        let world = try Self.world(kind.setting, client: kind.client)
        let end = world.signIn(kind.person)
        #expect(end.http.status == .seeOther, "\(end.events)")
        #expect(world.check("/") == .noContent)
        let me = String(decoding: world.send(.me).body, as: UTF8.self)
        #expect(me.contains(kind.tenant) && me.contains(kind.person), "\(me)")
    }

    @Test func `of several tenants, only those on the list come in`() throws {
        for authority in ["organizations", "common"] {
            let setting = """
                authority = "http://localhost:8081/\(authority)"
                allowed_tenants = ["\(Self.larkspur.uppercased())"]
                """
            let world = try Self.world(setting)
            let refused = world.signIn(Self.grace)
            #expect(refused.events.contains { $0.text.contains("'tid' is '\(Self.marigold)'") })
            #expect(world.check("/") == .unauthorized)
            world.signIn(Person.alice)
            #expect(world.check("/") == .noContent)
        }
    }

    @Test func `who may come in from several tenants has to be said`() throws {
        for authority in ["organizations", "common", "Common"] {
            #expect(throws: World.Misconfigured.self) {
                try Self.world("authority = \"http://localhost:8081/\(authority)\"")
            }
        }
        #expect(throws: World.Misconfigured.self) {
            try Self.world(
                """
                authority = "http://localhost:8081/organizations"
                allowed_tenants = ["\(Self.personal)"]
                """
            )
        }
    }

    @Test func `personal accounts are in no organization, not even where any tenant may come in`()
        throws
    {
        var factory = TokenFactory()
        factory.claims["tid"] = .string(Self.personal)
        factory.claims["iss"] = .string("https://login.microsoftonline.com/\(Self.personal)/v2.0")
        #expect(throws: IDTokenRejection.personalAccount) {
            try factory.verify(isForSeveral: true, allowedTenants: .any)
        }
    }

    /// Anybody can have any of these claims, in a tenant of their own.
    @Test func `names and addresses make nobody somebody else`() throws {
        var factory = TokenFactory()
        for name in ["email", "upn", "preferred_username", "unique_name", "verified_primary_email"]
        {
            factory.claims[name] = .string(Person.bob)
        }
        let alice = try factory.verify()
        #expect(alice.objectID == Person.alice)
        factory.claims["oid"] = nil
        #expect(throws: IDTokenRejection.noTenantOrObjectID) { try factory.verify() }
    }

    @Test(arguments: [
        "http://login.microsoftonline.com/T", "http://localhost.evil.example/T",
        "http://evil.example/localhost", "http://localhost@evil.example/T", "http://10.0.0.1/T",
        "ftp://localhost/T", "http://evil.example%2F.localhost/T",
        "http://localhost%00.evil.example",
        "http://evil.example:80.localhost/T", "http://notlocalhost/T",
    ])
    func `plain http goes to this machine alone`(authority: String) {
        #expect(throws: World.Misconfigured.self) {
            try Self.world("authority = \"\(authority)\"")
        }
    }

    @Test func `Entra sends nobody back to a name below localhost`() {
        #expect(throws: World.Misconfigured.self) {
            try World(baseURL: "http://docs.localhost:8080")
        }
    }

    @Test func `any provider that keeps to the standard will do`() throws {
        let url = try #require(WebURL("https://id.example.com/.well-known/openid-configuration"))
        let document = """
            {"issuer":"https://id.example.com","authorization_endpoint":"https://id.example.com/a",
             "token_endpoint":"https://id.example.com/t","jwks_uri":"https://keys.example.com/k"}
            """
        let metadata = try ProviderMetadata.parse(Array(document.utf8), from: url).get()
        #expect(!metadata.isEntra && !metadata.isForSeveralTenants)
        var factory = TokenFactory()
        for name in ["tid", "oid", "ver", "roles"] { factory.claims[name] = nil }
        factory.claims["iss"] = "https://id.example.com"
        let reader = try factory.verify(
            keys: [TokenFactory.webKey(issuer: nil, cloud: nil)],
            metadata: metadata
        )
        #expect(reader.tenantID == "https://id.example.com" && reader.objectID == "subject")
        // A key needs no name where there is only one.
        factory.header["kid"] = nil
        let key = try TokenFactory.webKey(issuer: nil, cloud: nil)
        #expect(try factory.verify(keys: [key], metadata: metadata).objectID == "subject")
        #expect(throws: IDTokenRejection.shape("'kid'")) {
            try factory.verify(keys: [key, key], metadata: metadata)
        }
        let other = document.replacing(
            "\"issuer\":\"https://id.example.com\"",
            with: "\"issuer\":\"https://id.example.org\""
        )
        #expect(throws: ProviderError.self) {
            try ProviderMetadata.parse(Array(other.utf8), from: url).get()
        }
    }
}
