import EntraEmulator
import HTTPTypes
import Jansson
import Testing

@testable import RelyingParty

/// What the emulator says of registrations, told to a person with its remedy.
@Suite struct LiveCheckTests {
    private static func run(
        _ registration: String = World.larkspur,
        tenants: String = Directory.builtIn,
        baseURL: String = "http://localhost:8080",
        secondsAhead: Int = 0
    ) throws -> (lines: [String], text: String) {
        let world = try World(baseURL: baseURL, registration: registration, tenants: tenants)
        var environment = world.environment
        environment.now = { world.environment.now() + secondsAhead }
        let (lines, diagnostics) = LiveCheck(world.relyingParty.configuration, environment).run()
        return (lines, diagnostics.map { $0.text(program: "siteauth") }.joined())
    }

    @Test func `what is right is told as that`() throws {
        let (lines, text) = try Self.run()
        #expect(text == "")
        #expect(lines.count == 6)
        #expect(lines[0].contains("is the discovery document of 'http://localhost:8081/11111111"))
        #expect(
            lines[2].contains(
                "the redirect URI 'http://localhost:8080/auth/callback' is registered"
            )
        )
        #expect(lines[3].contains("/auth/signed-out' is registered"))
        #expect(lines[4].contains("knows the client and its credential"))
        #expect(lines[5].contains("not checked: the claim 'login_hint'"))
    }

    @Test(arguments: [(3600, "3600 s ahead of"), (-3600, "3600 s behind"), (100, nil), (-100, nil)])
    func `a clock that is wrong by more than minutes is told`(ahead: Int, told: String?) throws {
        let (lines, text) = try Self.run(secondsAhead: ahead)
        guard let told else { return #expect(text == "") }
        #expect(text.contains("the clock of this machine is \(told) the provider's"), "\(text)")
        #expect(text.contains("timedatectl set-ntp true"))
        #expect(lines.count == 6)
    }

    @Test func `the address after signing out must be registered, too`() throws {
        let uri = "http://localhost:8080/auth/signed-out"
        let tenants = Directory.builtIn.replacing("\"\(uri)\",", with: "")
        let (lines, text) = try Self.run(tenants: tenants)
        #expect(text.hasPrefix("siteauth: warning: the redirect URI '\(uri)' is not registered"))
        #expect(text.contains("note: add exactly this URI under 'Authentication'"))
        #expect(!lines.contains { $0.contains(uri) })
    }

    @Test func `the document of version 1 is named, with the URL of the right one`() throws {
        let tenant = "11111111-aaaa-4000-8000-000000000001"
        let url = "http://localhost:8081/\(tenant)/.well-known/openid-configuration"
        let registration = World.larkspur.replacing(
            "authority = \"http://localhost:8081/\(tenant)\"",
            with: "server_metadata_url = \"\(url)\""
        )
        let (_, text) = try Self.run(registration)
        #expect(text.contains("'\(url)' is the document of Entra's version 1.0"), "\(text)")
        #expect(text.contains("must end in '/v2.0/.well-known/openid-configuration'"))
    }

    @Test func `a path behind the tenant is told`() throws {
        let tenant = "11111111-aaaa-4000-8000-000000000001"
        let registration = World.larkspur.replacing(tenant, with: "\(tenant)/oauth2")
        let (_, text) = try Self.run(registration)
        #expect(text.contains("answered 404"), "\(text)")
        #expect(text.contains("note: 'authority' must be 'https://login.microsoftonline.com/<ten"))
    }

    @Test(arguments: [
        ("emulated~secret.is-no-secret_at-all", "wrong", "AADSTS7000215", "'Secret ID'"),
        (
            "22222222-bbbb-4000-8000-000000000002", "22222222-bbbb-4000-8000-0000000000ff",
            "AADSTS700016", "'client_id' is not known in this tenant"
        ),
        ("11111111-aaaa", "11111111-ffff", "AADSTS90002", "there is no such tenant"),
    ])
    func `mistakes are told apart`(old: String, new: String, number: String, remedy: String) throws
    {
        let (_, text) = try Self.run(World.larkspur.replacing(old, with: new))
        #expect(text.contains(number), "\(text)")
        #expect(text.contains("note: ") && text.contains(remedy), "\(text)")
        #expect(!text.contains("emulated~secret"))
    }

    @Test func `a provider that cannot sign with RS256 is found before anybody signs in`() throws {
        let provider = try OtherProvider()
        func run() -> String {
            let check = LiveCheck(provider.relyingParty.configuration, provider.environment)
            return check.run().diagnostics.map { $0.text(program: "siteauth") }.joined()
        }
        #expect(!run().contains("RS256"))
        provider.state.withLock {
            $0.document["id_token_signing_alg_values_supported"] = ["ES256", "EdDSA"]
        }
        #expect(run().contains("signs ID tokens with 'ES256', 'EdDSA'; it must offer 'RS256'"))
        #expect(run().contains("note: 'id_token_algorithms' may allow 'ES256' or 'Ed25519'"))
    }

    @Test(
        arguments: [
            ("[\"ES256\"]", nil), ("[\"Ed25519\", \"ES256\"]", nil),
            ("[\"RS256\"]", "error: the provider signs ID tokens with 'ES256', 'EdDSA'"),
            ("[\"ES256\", \"PS256\"]", "warning: the provider signs ID tokens with"),
        ] as [(String, String?)]
    )
    func `the allowed algorithms are compared with the provider's`(list: String, told: String?)
        throws
    {
        let provider = try OtherProvider("id_token_algorithms = \(list)")
        provider.state.withLock {
            $0.document["id_token_signing_alg_values_supported"] = ["ES256", "EdDSA"]
        }
        let text = Self.checked(provider).text
        #expect(text.contains("signs ID tokens") == (told != nil), "\(text)")
        #expect(told.map { text.contains($0) } ?? true, "\(text)")
    }

    @Test(arguments: [
        ("login_required", true), ("interaction_required", true), ("invalid_scope", false),
        ("invalid_request", false), ("unauthorized_client", false),
    ])
    func `what the provider says of the request is told`(error: String, isUsual: Bool) throws {
        let provider = try OtherProvider()
        provider.state.withLock { state in
            var answer = HTTPResponse(status: .seeOther)
            answer.headerFields[.location] =
                "https://docs.example.com/auth/callback?error=\(error)&error_description=why&state=x"
            state.authorizationAnswer = answer
        }
        let text = Self.checked(provider).text
        #expect(text.contains("error: the provider refuses authorization requests") != isUsual)
        #expect(isUsual || text.contains("'\(error)'") && text.contains("why"), "\(text)")
    }

    @Test(arguments: [("[\"query\"]", true), ("[\"query\",\"form_post\"]", false)])
    func `a way to answer that the provider has not is told`(modes: String, isTold: Bool) throws {
        let provider = try OtherProvider("response_mode = \"form_post\"")
        #expect(!Self.checked(provider).text.contains("'response_mode'"))
        let offered = try JSON(parsing: Array(modes.utf8))
        provider.state.withLock { $0.document["response_modes_supported"] = offered }
        #expect(Self.checked(provider).text.contains("no 'response_mode' 'form_post'") == isTold)
    }

    @Test(arguments: [
        ("invalid_grant", true, "knows the client"),
        ("invalid_code", true, "unknown whether the provider knows"),
        ("invalid_client", false, ""), ("unauthorized_client", false, ""),
    ])
    func `another word for a code that is none is no mistake of ours`(
        error: String,
        isRight: Bool,
        line: String
    ) throws {
        let provider = try OtherProvider()
        provider.state.withLock { $0.tokenError = error }
        let found = LiveCheck(provider.relyingParty.configuration, provider.environment).run()
        let text = found.diagnostics.map { $0.text(program: "siteauth") }.joined()
        #expect(text.contains(error) == !isRight)
        #expect(found.lines.contains { $0.contains(line) } || !isRight)
    }

    private static func checked(_ provider: OtherProvider) -> (text: String, hasErrors: Bool) {
        let check = LiveCheck(provider.relyingParty.configuration, provider.environment)
        let diagnostics = check.run().diagnostics
        let text = diagnostics.map { $0.text(program: "siteauth") }.joined()
        return (text, diagnostics.contains { $0.severity == .error })
    }

    @Test func `what a provider does not tell of the redirect URI is a warning`() throws {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.tokenError = "invalid_grant"
            $0.authorizationAnswer = HTTPResponse(
                status: .found,
                headerFields: [.location: "https://id.example.com/login?secret=1"]
            )
        }
        let (text, hasErrors) = Self.checked(provider)
        #expect(!hasErrors)
        #expect(text.contains("warning: unknown whether the redirect URI"), "\(text)")
        #expect(text.contains("answered 302, a redirect to 'https://id.example.com/login'"))
        #expect(text.contains("note: compare it letter for letter"))
    }

    @Test(
        arguments: [
            (HTTPResponse(status: .notFound), "answered 404\n"),
            (
                HTTPResponse(
                    status: .found,
                    headerFields: [.location: "https://www.example.com/start?a=b"]
                ), "answered 302, a redirect to 'https://www.example.com/start'\n"
            ),
        ]
    )
    func `a wrong issuer is told by what its URL answers`(answer: HTTPResponse, told: String) throws
    {
        let provider = try OtherProvider()
        provider.state.withLock { $0.documentAnswer = answer }
        let (text, hasErrors) = Self.checked(provider)
        let url = "'https://id.example.com/.well-known/openid-configuration'"
        #expect(hasErrors && text.contains("\(url) \(told)"), "\(text)")
        #expect(
            text.contains("note: 'oidc_authority' must be exactly the provider's issuer"),
            "\(text)"
        )
    }

    /// Keycloak has a description for what Entra has numbers for.
    @Test func `what the token endpoint says in words is told`() throws {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.tokenError = "invalid_client"
            $0.tokenErrorDescription = "Invalid client credentials"
        }
        #expect(Self.checked(provider).text.contains("'Invalid client credentials'"))
    }

    @Test func `an expired secret is told from a wrong one`() throws {
        let expired = Directory.builtIn.replacing(
            "# expires = 2027-01-01",
            with: "expires = 2027-01-01",
            maxReplacements: 1
        )
        let (lines, text) = try Self.run(tenants: expired)
        #expect(text.contains("AADSTS7000222") && text.contains("has expired; create a new one"))
        #expect(lines.contains { $0.contains("is registered") })
    }

    @Test func `a redirect URI that is not registered is found`() throws {
        let (lines, text) = try Self.run(baseURL: "https://docs.example.com")
        #expect(text.contains("AADSTS50011") && text.contains("'redirect_uri' is not registered"))
        #expect(lines.contains { $0.contains("knows the client") })
    }
}
