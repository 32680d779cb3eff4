import EntraEmulator
import Fixtures
import Foundation
import HTTPTypes
import JOSE
import Jansson
import OpenSSL
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// Each way to prove at the token endpoint who we are; the emulator looks at it as Entra does.
@Suite struct CredentialTests {
    private static let now = 1_800_000_000

    /// A certificate and its key as files have them.
    struct Pair {
        let certificate: [UInt8]
        let key: [UInt8]

        init(days: Int = 365, from start: Int = CredentialTests.now - 86_400) throws {
            let folder = try TemporaryFolder()
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = ["genpkey", "-algorithm", "RSA", "-out", folder.path("key")]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            key = Array(try Data(contentsOf: folder.url.appending(path: "key")))
            let made = try Certificate.selfSigned(
                by: RSAPrivateKey(pem: key),
                commonName: "siteauth",
                days: days,
                from: start
            )
            let text = Data(made.der).base64EncodedString(options: [.lineLength64Characters])
            certificate = Array(
                "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8
            )
        }
    }

    private static let pair = try? Pair()
    private static let otherPair = try? Pair()

    private static func lines(_ credential: String) -> String {
        World.larkspur.replacing(
            "client_secret = \"emulated~secret.is-no-secret_at-all\"",
            with: credential
        )
    }

    private static let certificateLines = lines(
        "client_certificate = \"client.crt\"\nclient_key = \"client.key\""
    )

    /// The built-in tenants, with what is an example there made real for Larkspur's handbook.
    private static let tenants = Directory.builtIn.replacing(
        "# [[tenant.application.certificate]]\n# file",
        with: "[[tenant.application.certificate]]\nfile",
        maxReplacements: 1
    ).replacing(
        "# [[tenant.application.federated_credential]]",
        with: """
            [[tenant.application.federated_credential]]
            issuer = "https://kubernetes.example.com"
            subject = "system:serviceaccount:web:handbook"
            audience = "api://AzureADTokenExchange"
            keys_file = "keys.json"
            [[tenant.application.federated_credential]]
            issuer = "http://localhost:8081/11111111-aaaa-4000-8000-000000000001/v2.0"
            subject = "77777777-cccc-4000-8000-000000000002"
            audience = "api://AzureADTokenExchange"
            """
    )

    private static func world(
        _ settings: String = "",
        registration: String,
        pair: Pair? = pair,
        variables: [String: String] = [:],
        token: String? = nil
    ) throws -> World {
        let pair = try #require(pair)
        let keys = JSON.object(["keys": [try TokenFactory.webKey(issuer: nil, cloud: nil)]])
        var files = [
            "client.crt": pair.certificate, "client.key": pair.key,
            "keys.json": Array(keys.text.utf8),
        ]
        files["token"] = token.map { Array($0.utf8) }
        return try World(
            settings,
            registration: registration,
            tenants: tenants,
            files: files,
            variables: variables
        )
    }

    private static func expectSignIn(_ world: World, _ isExpected: Bool = true) {
        let end = world.signIn(Person.alice)
        #expect((world.check("/") == .noContent) == isExpected, "\(end.events)")
    }

    @Test(arguments: ["client_secret_post", "client_secret_basic"])
    func `a secret goes in the body or in a header field`(method: String) throws {
        Self.expectSignIn(try World("client_auth_method = \"\(method)\""))
    }

    @Test func `a secret in a header field is in no body`() throws {
        let proof = try Self.proof(
            "client_secret = \"a+b/c~d e%\"\nclient_auth_method = \"client_secret_basic\""
        )
        #expect(proof.parameters.isEmpty)
        let text = "22222222-bbbb-4000-8000-000000000002:a%2Bb%2Fc~d%20e%25"
        #expect(proof.authorization == "Basic " + Data(text.utf8).base64EncodedString())
    }

    private static func proof(_ credential: String) throws -> ClientProof {
        let parsed = AuthConfiguration.parse(
            Array(
                """
                [auth]
                redirect_uri = "http://localhost:8080/auth/callback"
                cookie_secret = "\(World.cookieSecret)"
                \(lines(credential))
                """.utf8
            ),
            path: "secrets.toml",
            environment: [:]
        )
        let environment = Environment(now: { 0 }, random: { [UInt8](repeating: 0, count: $0) }) {
            _,
            _ in throw World.Unreachable()
        }
        let configuration = try #require(parsed.configuration)
        return try ClientAuthentication(configuration, environment)
            .proof(for: TokenFactory.metadata(), at: 0)
    }

    @Test(arguments: [false, true])
    func `the audience of an assertion is the token endpoint, or the issuer for pushed requests`(
        isPush: Bool
    ) throws {
        let world = try Self.world(registration: Self.certificateLines)
        let metadata = try TokenFactory.metadata()
        let client = ClientAuthentication(world.relyingParty.configuration, world.environment)
        let proof = try client.proof(for: metadata, isPush: isPush, at: 0)
        let token = try #require(proof.parameters.first { $0.0 == "client_assertion" }?.1)
        let payload = try #require(Base64URL.decode(token.split(separator: ".")[1]))
        let audience = try JSON(parsing: payload)["aud"]?.string
        #expect(audience == (isPush ? metadata.issuer : metadata.tokenEndpoint.text))
    }

    @Test(arguments: ["", "client_assertion_algorithm = \"RS256\""])
    func `a certificate signs in`(setting: String) throws {
        Self.expectSignIn(try Self.world(setting, registration: Self.certificateLines))
    }

    @Test func `a renewed certificate is taken up without a restart, and half of one is not`()
        throws
    {
        let other = try #require(Self.otherPair)
        let world = try Self.world(registration: Self.certificateLines)
        Self.expectSignIn(world)
        // The key first: the pair from before goes on.
        func put(_ bytes: [UInt8], _ name: String) {
            world.state.withLock {
                $0.files[name] = FileSnapshot(bytes: bytes, isAccessibleToOthers: false)
                $0.siteCookies = [:]
            }
        }
        put(other.key, "client.key")
        Self.expectSignIn(world)
        #expect(world.relyingParty.credentialWarning()?.text.contains("'client_key'") == true)
        put(other.certificate, "client.crt")
        // The emulator does not know the new one, which is how we know that it was sent.
        let end = world.signIn(Person.alice)
        #expect(end.events.contains { $0.text.contains("AADSTS700027") }, "\(end.events)")
    }

    @Test func `a key of another certificate is refused at the start`() throws {
        let files = [
            "client.crt": try #require(Self.pair).certificate,
            "client.key": try #require(Self.otherPair).key,
        ]
        #expect { try World(registration: Self.certificateLines, files: files) } throws: { error in
            "\(error)".contains("the key does not belong to")
        }
    }

    @Test(arguments: [(40, nil), (20, "expires on"), (-1, "expired on")])
    func `a certificate's end is told thirty days before`(days: Int, expected: String?) throws {
        let pair = try Pair(days: days + 400, from: Self.now - 400 * 86_400)
        let world = try Self.world(registration: Self.certificateLines, pair: pair)
        world.signIn(Person.alice)
        #expect(
            world.relyingParty.credentialWarning().map { $0.text.contains(expected ?? "") }
                == expected.map { _ in true }
        )
        // Once a day.
        #expect(world.relyingParty.credentialWarning() == nil)
        world.advance(seconds: 86_400)
        let isWarned = world.relyingParty.credentialWarning()?.level == .warning
        #expect(isWarned == (expected != nil))
    }

    private static func federated(exp: Int = now + 600, subject: String = "web:handbook") throws
        -> String
    {
        var factory = TokenFactory()
        factory.claims = [
            "iss": "https://kubernetes.example.com", "aud": "api://AzureADTokenExchange",
            "sub": .string("system:serviceaccount:\(subject)"), "exp": .integer(exp),
            "iat": .integer(now), "nbf": .integer(now),
        ]
        return try factory.token()
    }

    @Test func `a federated token is read at each use, and not sent when it has ended`() throws {
        let world = try Self.world(
            registration: Self.lines("federated_token_file = \"token\""),
            token: "\(Self.federated())\n"
        )
        Self.expectSignIn(world)
        for (text, reason) in [
            (try Self.federated(exp: Self.now), "expired on 2027-01-15 08:00 UTC"),
            ("garbage", "is empty or not a token"), ("", "is empty or not a token"),
            (try Self.federated(subject: "web:other"), "AADSTS700213"),
        ] {
            world.state.withLock {
                $0.files["token"] = FileSnapshot(
                    bytes: Array(text.utf8),
                    isAccessibleToOthers: true
                )
                $0.siteCookies = [:]
            }
            let end = world.signIn(Person.alice)
            #expect(end.events.contains { $0.text.contains(reason) }, "\(end.events)")
            #expect(!end.events.contains { $0.text.contains(text) && !text.isEmpty })
        }
        world.state.withLock { $0.files["token"] = nil }
        #expect(
            world.signIn(Person.alice).events.contains {
                $0.text.contains("there is no federated token")
            }
        )
    }

    @Test func `Azure's variable names the file where nothing else is said`() throws {
        let variables = ["AZURE_FEDERATED_TOKEN_FILE": "token"]
        let token = try Self.federated()
        let world = try Self.world(registration: Self.lines(""), variables: variables, token: token)
        Self.expectSignIn(world)
        // A pod has it whether anybody wants it or not.
        Self.expectSignIn(try Self.world(registration: World.larkspur, variables: variables))
    }

    private static let identity = "managed_identity = \"77777777-cccc-4000-8000-000000000001\""

    @Test(arguments: [
        [:], ["AZURE_POD_IDENTITY_AUTHORITY_HOST": "http://127.0.0.1:8082"],
        ["IDENTITY_ENDPOINT": "http://127.0.0.1:8082/msi/token", "IDENTITY_HEADER": "x"],
    ])
    func `a managed identity's token is asked for once a day`(variables: [String: String]) throws {
        // The real address is no name of the emulator's, which takes this machine's alone.
        let variables =
            variables.isEmpty
            ? ["AZURE_POD_IDENTITY_AUTHORITY_HOST": "http://localhost:8082/"] : variables
        let world = try Self.world(registration: Self.lines(Self.identity), variables: variables)
        Self.expectSignIn(world)
        world.state.withLock { $0.siteCookies = [:] }
        world.advance(seconds: 86_400 - 301)
        Self.expectSignIn(world)
        #expect(world.state.withLock(\.machineSends) == 1)
        world.state.withLock { $0.siteCookies = [:] }
        world.advance(seconds: 1)
        Self.expectSignIn(world)
        #expect(world.state.withLock(\.machineSends) == 2)
    }

    @Test func `a virtual machine's service is where Azure has it`() throws {
        let parsed = try #require(Self.configuration(Self.identity).configuration)
        guard case .managedIdentity(let identity) = parsed.credential,
            case .instanceMetadata(let url) = identity.service
        else {
            Issue.record("\(parsed.credential)")
            return
        }
        #expect(url.text == "http://169.254.169.254")
    }

    @Test(arguments: [
        ("microsoftonline.com", "api://AzureADTokenExchange"),
        ("microsoftonline.us", "api://AzureADTokenExchangeUSGov"),
        ("partner.microsoftonline.cn", "api://AzureADTokenExchangeChina"),
    ])
    func `a managed identity's token is for the cloud it is used in`(
        cloud: String,
        audience: String
    )
        throws
    {
        let url = try #require(WebURL("https://login.example.com/x"))
        let metadata = ProviderMetadata(
            issuer: "https://login.example.com/x",
            authorizationEndpoint: url,
            tokenEndpoint: url,
            keySetURL: url,
            endSessionEndpoint: nil,
            cloudInstanceName: cloud,
            graph: nil
        )
        #expect(ManagedIdentityToken.audience(in: metadata) == audience)
    }

    private static func configuration(
        _ credential: String
    ) -> (configuration: AuthConfiguration?, text: String) {
        let parsed = AuthConfiguration.parse(
            Array(
                """
                [auth]
                redirect_uri = "https://docs.example.com/auth/callback"
                cookie_secret = "\(World.cookieSecret)"
                client_id = "22222222-bbbb-4000-8000-000000000002"
                authority = "https://login.microsoftonline.com/T"
                \(credential)
                """.utf8
            ),
            path: "secrets.toml",
            environment: [:]
        )
        return (
            parsed.configuration, parsed.diagnostics.map { $0.text(program: "siteauth") }.joined()
        )
    }

    @Test(arguments: [
        ("", "'client_secret' is missing in [auth]"),
        (
            "client_secret = \"s\"\nmanaged_identity = \"77777777-cccc-4000-8000-000000000001\"",
            "secrets.toml:7:20: error: only one of 'client_secret', 'managed_identity' can be given"
        ),
        ("client_key = \"client.key\"", "'client_certificate' is missing"),
        ("client_certificate = \"client.crt\"", "'client_key' is missing"),
        (
            "managed_identity = \"system\"",
            "'managed_identity' is 'system'; it must be the client ID"
        ),
        (
            "client_secret = \"s\"\nclient_auth_method = \"basic\"",
            "secrets.toml:7:22: error: 'client_auth_method' is 'basic'; it must be 'client_secret_post'"
        ),
        (
            "client_secret = \"s\"\nclient_assertion_algorithm = \"RS256\"",
            "'client_assertion_algorithm' applies to 'client_certificate' only"
        ),
        (
            "federated_token_file = \"t\"\nclient_auth_method = \"client_secret_basic\"",
            "'client_auth_method' applies to 'client_secret' only"
        ),
        (
            "client_certificate = \"a.crt\"\nclient_key = \"a.key\"",
            "'client_certificate' is 'a.crt': no such file"
        ),
    ])
    func `one credential, and a whole one`(lines: String, problem: String) {
        let (configuration, text) = Self.configuration(lines)
        #expect(configuration == nil)
        #expect(text.contains(problem), "\(text)")
    }

    @Test func `a plain secret is warned of, and one that looks like its own ID`() {
        let (plain, text) = Self.configuration("client_secret = \"abc~def\"")
        #expect(plain != nil)
        #expect(text.contains("secrets.toml:6:17: warning: 'client_secret' is a plain secret"))
        #expect(!text.contains("abc~def") && !text.contains("looks like"))
        #expect(!text.contains("'client_id'"))
        let guid = "5e5e5e5e-0000-4000-8000-000000000001"
        let (_, warned) = Self.configuration("client_secret = \"\(guid)\"")
        #expect(warned.contains("warning: 'client_secret' looks like a 'Secret ID'"))
        #expect(!warned.contains(guid))
    }
}
