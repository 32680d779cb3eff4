import Diagnostics
import JOSE
import OpenSSL
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// The keys of `secrets.toml` for providers other than Entra.
@Suite struct ProviderSettingsTests {
    private static func parse(
        _ lines: String,
        authority: String = "oidc_authority = \"https://id.example.com/realms/a\"",
        files: [String: [UInt8]] = [:]
    ) -> (configuration: AuthConfiguration?, errors: String) {
        let toml = """
            [auth]
            redirect_uri = "https://docs.example.com/auth/callback"
            cookie_secret = "\(OtherProvider.cookieSecret)"
            client_id = "handbook"
            client_secret = "none-of-anybodys-business"
            \(authority)
            \(lines)
            """
        let parsed = AuthConfiguration.parse(
            Array(toml.utf8),
            path: "etc/secrets.toml",
            environment: [:],
            readFile: { path in
                files[path].map { FileSnapshot(bytes: $0, isAccessibleToOthers: true) }
            }
        )
        let errors = parsed.diagnostics.filter { $0.severity == .error }
        return (parsed.configuration, errors.map { $0.text(program: "siteauth") }.joined())
    }

    private static func certificate() throws -> [UInt8] {
        try DecodedText(CredentialTests.Pair().certificate).utf8
    }

    @Test func `Graph is asked about the accounts of one tenant of Entra`() throws {
        let microsoft = "https://login.microsoftonline.com"
        let one = "authority = \"\(microsoft)/11111111-aaaa-4000-8000-000000000001\""
        let line = "graph_poll_seconds = "
        for seconds in [0, 1, 60, 3600] {
            let settings = try #require(
                Self.parse("\(line)\(seconds)", authority: one).configuration
            )
            #expect(settings.provider.graphPollSeconds == seconds)
            #expect(settings.checklist.contains("GroupMember.Read.All") == (seconds > 0))
        }
        for wrong in ["-1", "3601", "\"60\"", "true", "1.5"] {
            #expect(Self.parse("\(line)\(wrong)", authority: one).configuration == nil, "\(wrong)")
        }
        let tenants = "allowed_tenants = [\"any\"]\n"
        for shared in ["common", "organizations", "consumers"] {
            let several = "authority = \"\(microsoft)/\(shared)\""
            let parsed = Self.parse("\(tenants)\(line)60", authority: several)
            #expect(parsed.errors.contains("is for one tenant of Entra"), "\(parsed.errors)")
        }
        #expect(Self.parse("\(line)60").errors.contains("is for one tenant of Entra"))
        #expect(Self.parse("\(line)0").configuration != nil)
    }

    @Test func `nothing is kept or asked for that nobody wrote`() throws {
        let settings = try #require(Self.parse("").configuration).provider
        #expect(settings == ProviderSettings())
        #expect(settings.groupsClaim == "groups" && !settings.sendsIDTokenHint)
    }

    @Test(arguments: ["groups_claim = \"roles\"", "id_token_hint = true"])
    func `what is for others is refused at Microsoft's hosts`(line: String) {
        for host in [
            "login.microsoftonline.com/x", "login.microsoftonline.us/x", "x.ciamlogin.com",
        ] {
            let entra = Self.parse(line, authority: "authority = \"https://\(host)\"")
            #expect(entra.configuration == nil)
            #expect(entra.errors.contains("is for providers other than Entra"), "\(entra.errors)")
        }
        #expect(Self.parse(line).configuration != nil)
        #expect(Self.parse("id_token_hint = false").configuration != nil)
    }

    @Test(arguments: [
        ("[]", "'id_token_algorithms' is empty"), ("[\"HS256\"]", "'HS256' is not supported"),
        ("[\"none\"]", "'none' is not supported"), ("[\"rs256\"]", "'rs256' is not supported"),
        ("[\"RS256\", \"EdDSA\"]", "'EdDSA' is called 'Ed25519' since RFC 9864"),
        ("[\"\"]", "'' is not supported"), ("\"RS256\"", "a list of strings"), ("[1]", "strings"),
    ])
    func `algorithms are a list of names`(list: String, problem: String) throws {
        let parsed = Self.parse("id_token_algorithms = \(list)")
        #expect(parsed.configuration == nil && parsed.errors.contains(problem), "\(parsed.errors)")
        let all = "id_token_algorithms = [\"Ed25519\", \"ES256\", \"PS256\", \"RS256\"]"
        let settings = try #require(Self.parse(all).configuration).provider
        #expect(settings.idTokenAlgorithms == Set(SignatureAlgorithm.allCases))
    }

    /// Entra, Entra at a company's own domain, and the emulator.
    @Test(arguments: ["https://login.microsoftonline.com", "https://a.example", "http://localhost"])
    func `Entra signs with RS256, and no key says otherwise`(host: String) {
        let entra = "authority = \"\(host)/x\""
        let pushed = Self.parse("pushed_authorization_requests = true", authority: entra).errors
        #expect(pushed.contains("is for providers other than Entra"), "\(pushed)")
        #expect(Self.parse("id_token_algorithms = [\"RS256\"]", authority: entra).errors.isEmpty)
        let others = Self.parse("id_token_algorithms = [\"ES256\"]", authority: entra).errors
        #expect(others.contains("Entra signs ID tokens with 'RS256'"), "\(others)")
        let errors = Self.parse("id_token_algorithms = [\"RS256\", \"ES256\"]", authority: entra)
            .errors
        #expect(
            host.contains("microsoft")
                ? errors.contains(":7:33: error: Entra signs ID tokens with 'RS256' only")
                : errors.isEmpty,
            "\(errors)"
        )
    }

    @Test(arguments: ["oidc_authority", "authority"])
    func `the URL of the discovery document has a key of its own`(key: String) {
        let url = "https://id.example.com/realms/a/.well-known/openid-configuration"
        let errors = Self.parse("", authority: "\(key) = \"\(url)\"").errors
        #expect(errors.contains("'\(key)' is the URL of the discovery document"), "\(errors)")
        #expect(errors.contains("use the key 'server_metadata_url'"))
        let right = Self.parse("", authority: "server_metadata_url = \"\(url)\"").configuration
        #expect(right?.metadataURL.text == url)
    }

    @Test(arguments: [
        ("authority = \"https://login.microsoftonline.com/x\"", true),
        ("oidc_authority = \"https://id.example.com\"", false),
    ])
    func `only at Entra an account to revoke has to be a GUID`(authority: String, isEntra: Bool)
        throws
    {
        let configuration = try #require(Self.parse("", authority: authority).configuration)
        let problem = configuration.problem(ofAccount: "kim", tenant: nil)
        #expect(problem?.contains("'--user' is 'kim'; it must be") ?? false == isEntra)
        let other = configuration.problem(ofAccount: Person.alice, tenant: "contoso")
        #expect(other?.contains("'--tenant' is 'contoso'; it must be") ?? false == isEntra)
        let id = Person.alice.uppercased()
        #expect(configuration.problem(ofAccount: id, tenant: id) == nil)
        #expect(configuration.problem(ofAccount: nil, tenant: nil) == nil)
        #expect("\(Revocation.account(spelled: id))" == "'\(Person.alice)' of all tenants")
        let one = Revocation.account(spelled: "Kim", tenant: id)
        #expect("\(one)" == "'Kim' of tenant '\(Person.alice)'")
    }

    @Test(arguments: ["a b", "ä", "a\\u0000", "a\\nb"])
    func `a claim's name is one word`(name: String) {
        let parsed = Self.parse("groups_claim = \"\(name)\"")
        #expect(parsed.configuration == nil)
        #expect(parsed.errors.contains("etc/secrets.toml:7:16: error: 'groups_claim' is"))
    }

    @Test func `the authorities of the provider are read from beside the configuration`() throws {
        let pem = try Self.certificate()
        let line = "provider_ca_file = \"ca.pem\""
        let good = Self.parse(line, files: ["etc/ca.pem": pem + pem])
        #expect(good.configuration?.provider.authorities == pem + pem)
        let absolute = Self.parse(
            line.replacing("ca.pem", with: "/etc/ca.pem"),
            files: ["/etc/ca.pem": pem]
        )
        #expect(absolute.configuration?.provider.authorities == pem)
    }

    @Test func `a file that has no certificates, or half of one, is refused`() throws {
        let pem = try Self.certificate()
        let line = "provider_ca_file = \"ca.pem\""
        let key = try CredentialTests.Pair().key
        for bytes in [
            [], Array("hello".utf8), Array(pem.dropLast(40)), pem + pem.dropLast(40), key,
        ] {
            let parsed = Self.parse(line, files: ["etc/ca.pem": bytes])
            #expect(parsed.configuration == nil)
            #expect(parsed.errors.contains("it must hold complete certificates in PEM"))
        }
        #expect(Self.parse(line).errors.contains("'etc/ca.pem': no such file"))
    }

    @Test func `calls to the provider trust its authorities, and others do not`() throws {
        let pem = try Self.certificate()
        let line = "provider_ca_file = \"ca.pem\""
        let configuration = try #require(
            Self.parse(line, files: ["etc/ca.pem": pem]).configuration
        )
        struct Trusted: Error {}
        var environment = Environment(
            now: { 0 },
            random: { _ in [] },
            send: { _, _ in throw World.Unreachable() }
        )
        environment.sendTrusting = { authorities in
            { _, _ in throw authorities == pem ? Trusted() : World.Unreachable() as any Error }
        }
        let lines = LiveCheck(configuration, environment).run()
        #expect(lines.diagnostics.map(\.message).joined().contains("Trusted"))
    }

    @Test func `what the provider has to know is told in its words`() throws {
        let configuration = try #require(Self.parse("groups_claim = \"roles\"").configuration)
        let text = configuration.checklist
        #expect(!text.contains("Entra") && !text.contains("portal"))
        for word in [
            "https://docs.example.com/auth/callback", "https://docs.example.com/auth/signed-out",
            "client_secret_post", "RS256", "handbook", "roles: a list",
        ] { #expect(text.contains(word), "\(word)") }
        for line in [
            "authority = \"https://login.microsoftonline.com/x\"",
            "oidc_authority = \"https://login.example.com/x/v2.0\"",
        ] {
            let entra = Self.parse("", authority: line).configuration
            #expect(entra?.checklist.contains("In the Entra portal") == true)
        }
    }
}
