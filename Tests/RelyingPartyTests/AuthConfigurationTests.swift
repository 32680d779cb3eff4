import Diagnostics
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

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
                "secrets.toml:3:17: error: 'cookie_secret' must be 32 to 64 random bytes in"
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

    @Test(arguments: ["/handbook", "/a/b"])
    func `a site below a path of another server is refused by name`(prefix: String) {
        let uri = "https://intranet.example.com\(prefix)/auth/callback"
        let toml = Self.complete.replacing(
            "http://localhost:8501/oauth2callback",
            with: uri
        )
        let (configuration, diagnostics) = Self.parse(toml)
        #expect(configuration == nil)
        let message =
            "'redirect_uri' is '\(uri)'; a site cannot be below the path '\(prefix)';"
            + " give it a host name of its own, with the path '/auth/callback'"
        #expect(diagnostics.joined().contains(message), "\(diagnostics)")
    }

    @Test(arguments: ["/auth/callback", "/oauth2callback", "/oauth/callback", "/.auth/callback"])
    func `another path of the redirect URI is allowed`(path: String) {
        let toml = Self.complete.replacing(
            "http://localhost:8501/oauth2callback",
            with: "https://docs.example.com\(path)"
        )
        #expect(Self.parse(toml).0?.redirectURI.path == path)
    }

    @Test func `two ways to name the provider are one too many`() {
        let toml = Self.complete + "\nauthority = \"https://login.microsoftonline.com/x\""
        #expect(Self.parse(toml).1.joined().contains("only one of"))
    }

    @Test func `what is no TOML is told with its place`() {
        #expect(Self.parse("[auth]\nclient_id = ").1.joined().hasPrefix("secrets.toml:2:"))
    }

    @Test(arguments: [
        ("https://login.microsoftonline.com", "'authority' has no tenant; "),
        ("https://login.microsoftonline.com/", "'authority' has no tenant; "),
        ("https://login.microsoftonline.us/v2.0/", "'authority' has no tenant; "),
        ("https://login.microsoftonline.com/TENANT", "'TENANT' is a placeholder; "),
        ("https://login.microsoftonline.com/your-tenant-id/v2.0", "'your-tenant-id' is a placeh"),
        (
            "https://login.microsoftonline.com/Enter_the_Tenant_Info_Here",
            "'Enter_the_Tenant_Info_Here' is a placeholder; "
        ),
        (
            "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/authorize",
            "'authority' is the authorization endpoint; leave out '/oauth2/v2.0/authorize'"
        ),
        (
            "https://x.ciamlogin.com/T/oauth2/v2.0/token",
            "'authority' is the token endpoint; leave out '/oauth2/v2.0/token'"
        ),
        ("https://login.microsoftonline.com/<tenant id>", "; replace '<tenant id>'"),
        ("https://login.microsoftonline.com/{tenant}", "; replace '{tenant}'"),
    ])
    func `an authority without a tenant of its own is refused`(value: String, message: String) {
        let toml =
            Self.complete.replacing("server_metadata_url", with: "# ")
            + "\nauthority = \"\(value)\""
        let (configuration, diagnostics) = Self.parse(toml)
        #expect(configuration == nil)
        #expect(diagnostics.joined().contains(message), "\(diagnostics)")
    }

    @Test(arguments: [
        "https://login.microsoftonline.com/contoso.com",
        "https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0/",
        "https://login.microsoftonline.com/consumers", "https://x.ciamlogin.com/",
        "https://x.ciamlogin.com/x.onmicrosoft.com/v2.0/",
        "https://login.example.com/oauth2/default",
    ])
    func `an authority with a tenant of its own is accepted`(value: String) {
        let toml =
            Self.complete.replacing("server_metadata_url", with: "# ")
            + "\nauthority = \"\(value)\""
        let (configuration, diagnostics) = Self.parse(toml)
        #expect(configuration != nil && diagnostics.isEmpty, "\(diagnostics)")
    }

    @Test func `a list of tenants that admits nobody is refused`() {
        let empty = Self.parse(Self.complete + "\nallowed_tenants = []")
        #expect(empty.0 == nil)
        #expect(empty.1.joined().contains("'allowed_tenants' is empty, so nobody can sign in"))
        let list = "[\"\(TokenFactory.tenant)\", \"any\"]"
        let both = Self.parse(Self.complete + "\nallowed_tenants = \(list)")
        #expect(both.0 == nil)
        #expect(both.1.joined().contains("'any' must stand alone"), "\(both.1)")
        #expect(!both.1.joined().contains("not a tenant id"))
    }

    @Test(arguments: ["?x=1", "#y", "?x=1#y"])
    func `a redirect URI has neither query nor fragment`(rest: String) {
        let (configuration, diagnostics) = Self.parse(
            Self.complete.replacing("/oauth2callback", with: "/oauth2callback\(rest)")
        )
        #expect(configuration == nil)
        let text = diagnostics.joined()
        #expect(text.contains("\(rest)'; it must have no query and no fragment"), "\(text)")
    }

    @Test(arguments: [
        ("tenant_id", "the tenant is part of 'authority'"),
        ("tenant", "the tenant is part of 'authority'"),
        ("issuer", "did you mean 'oidc_authority'?"),
    ])
    func `a key that other programs have is refused with ours`(key: String, hint: String) {
        let text = Self.parse(Self.complete + "\n\(key) = \"x\"").1.joined()
        #expect(text.contains("unknown key '\(key)' in [auth]; \(hint)"), "\(text)")
    }

    @Test func `keys above every table belong below [auth]`() {
        let text = Self.parse("client_id = \"x\"\n\n" + Self.complete).1.joined()
        #expect(text.contains("unknown key 'client_id'; put the keys below [auth]"), "\(text)")
        let bare = Self.parse(Self.complete.replacing("[auth]\n", with: "")).1.joined()
        #expect(
            bare.contains("1:1: error: [auth] is missing; write '[auth]' on a line above this key"),
            "\(bare)"
        )
    }
}
