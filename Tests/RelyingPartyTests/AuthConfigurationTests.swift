import Diagnostics
import Testing

@testable import RelyingParty

@Suite struct AuthConfigurationTests {
    private static let complete = """
        [auth]
        redirect_uri = "http://localhost:8501/oauth2callback"
        cookie_secret = "\(World.cookieSecret)"
        client_id = "id"
        client_secret = "secret"
        server_metadata_url = "https://login.microsoftonline.com/consumers/v2.0/.well-known/openid-configuration"
        """

    private static func parse(
        _ toml: String,
        _ environment: [String: String] = [:]
    ) -> (AuthConfiguration?, [String]) {
        let parsed = AuthConfiguration.parse(
            Array(toml.utf8),
            path: "secrets.toml",
            environment: environment
        )
        let errors = parsed.diagnostics.filter { $0.severity == .error }
        return (parsed.configuration, errors.map { $0.text(program: "siteauth") })
    }

    @Test func `Streamlit's five keys are enough`() throws {
        let (configuration, diagnostics) = Self.parse(Self.complete)
        #expect(diagnostics.isEmpty)
        #expect(configuration?.redirectURI.path == "/oauth2callback")
        #expect(configuration?.origin == "http://localhost:8501")
    }

    @Test func `the variables of Microsoft's samples overrule the file`() throws {
        let (configuration, diagnostics) = Self.parse(
            Self.complete.replacing("server_metadata_url", with: "# "),
            [
                "CLIENT_ID": "other",
                "AUTHORITY": "https://login.microsoftonline.com/\(TokenFactory.tenant)",
            ]
        )
        #expect(diagnostics.isEmpty)
        #expect(configuration?.clientID == "other")
        let url =
            "https://login.microsoftonline.com/\(TokenFactory.tenant)/v2.0/.well-known/openid-configuration"
        #expect(configuration?.metadataURL.text == url)
    }

    @Test(arguments: [
        (
            "authority", "https://login.microsoftonline.com/T/",
            "https://login.microsoftonline.com/T/v2.0"
        ),
        (
            "authority", "https://login.microsoftonline.com/T/v2.0",
            "https://login.microsoftonline.com/T/v2.0"
        ),
        ("authority", "https://x.ciamlogin.com", "https://x.ciamlogin.com/x.onmicrosoft.com/v2.0"),
        ("authority", "https://x.ciamlogin.com/T", "https://x.ciamlogin.com/T/v2.0"),
        ("oidc_authority", "https://login.example.com/T/v2.0", "https://login.example.com/T/v2.0"),
    ])
    func `every form of authority leads to its discovery document`(
        key: String,
        value: String,
        base: String
    ) {
        let toml =
            Self.complete.replacing("server_metadata_url", with: "# ") + "\n\(key) = \"\(value)\""
        let (configuration, diagnostics) = Self.parse(toml)
        #expect(diagnostics.isEmpty)
        #expect(configuration?.metadataURL.text == base + "/.well-known/openid-configuration")
    }

    @Test func `all mistakes are told at once, with line and column, and never the secret`() {
        let (configuration, diagnostics) = Self.parse(
            """
            [auth]
            redirect_uri = "http://docs.example.com/auth/callback"
            cookie_secret = "hunter2"
            client_idd = "x"
            prompt = "always"
            session_idle_seconds = 5
            """
        )
        #expect(configuration == nil)
        let text = diagnostics.joined()
        #expect(
            text.contains("secrets.toml:2:16: error: 'redirect_uri' is 'http://docs.example.com")
        )
        #expect(
            text.contains(
                "secrets.toml:3:17: error: 'cookie_secret' must be at least 32 random characters"
            )
        )
        #expect(
            text.contains(
                "secrets.toml:4:1: error: unknown key 'client_idd' in [auth]; did you mean 'client_id'?"
            )
        )
        #expect(text.contains("secrets.toml:5:10: error: 'prompt' is 'always'"))
        #expect(text.contains("secrets.toml:6:24: error: 'session_idle_seconds' is 5"))
        #expect(text.contains("error: 'client_id' is missing"))
        #expect(text.contains("error: 'client_secret' is missing"))
        #expect(text.contains("error: 'authority' is missing"))
        #expect(!text.contains("hunter2"))
    }

    @Test func `common needs a list of tenants`() {
        let toml = Self.complete.replacing("consumers", with: "common")
        #expect(Self.parse(toml).1.joined().contains("'allowed_tenants' is missing"))
        let any = toml + "\nallowed_tenants = [\"any\"]"
        #expect(Self.parse(any).0?.allowedTenants == .any)
        #expect(Self.parse(any).1.isEmpty)
        let one = toml + "\nallowed_tenants = [\"\(TokenFactory.tenant)\"]"
        #expect(Self.parse(one).0?.allowedTenants == .these([TokenFactory.tenant]))
        let upper = Self.complete.replacing("consumers", with: "Common")
        #expect(Self.parse(upper).1.joined().contains("'allowed_tenants' is missing"))
    }

    @Test func `two ways to name the provider are one too many`() {
        let toml = Self.complete + "\nauthority = \"https://login.microsoftonline.com/x\""
        #expect(Self.parse(toml).1.joined().contains("only one of"))
    }

    @Test func `what is no TOML is told with its place`() {
        #expect(Self.parse("[auth]\nclient_id = ").1.joined().hasPrefix("secrets.toml:2:"))
    }
}
