import Diagnostics
import Fixtures
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// Where settings come from beside `secrets.toml` itself.
@Suite struct ConfigurationSourceTests {
    private static let secret = World.cookieSecret
    private static let other = World.otherCookieSecret

    private static func parse(
        _ lines: String,
        files: [String: String] = [:],
        bytes: [String: [UInt8]] = [:],
        open: Set<String> = [],
        variables: [String: String] = [:],
        without key: String = ""
    ) -> (AuthConfiguration?, String) {
        let common = [
            "redirect_uri = \"https://docs.example.com/auth/callback\"",
            "cookie_secret = \"\(secret)\"", "client_id = \"id\"", "client_secret = \"in-toml\"",
            "authority = \"https://login.microsoftonline.com/T\"",
        ].filter { key.isEmpty || !$0.hasPrefix(key) }
        let parsed = AuthConfiguration.parse(
            Array("[auth]\n\((common + [lines]).joined(separator: "\n"))\n".utf8),
            path: "etc/secrets.toml",
            environment: variables,
            readFile: { path in
                (bytes[path] ?? files[path].map { Array($0.utf8) }).map {
                    FileSnapshot(bytes: $0, isAccessibleToOthers: open.contains(path))
                }
            }
        )
        let errors = parsed.diagnostics.filter { $0.severity == .error }
        return (parsed.configuration, errors.map { $0.text(program: "siteauth") }.joined())
    }

    private static func secret(of configuration: AuthConfiguration?) -> String? {
        guard case .secret(let secret, _) = configuration?.credential else { return nil }
        return secret
    }

    @Test func `secrets may stand in files, relative to the configuration`() {
        let whole = Self.parse(
            "client_id = \"id\"\nclient_secret_file = \"entra\"\ncookie_secret_file = \"/run/cookie\"",
            files: [
                "etc/entra": "  in file \n", "/run/cookie": "\(Self.other)\n\n\(Self.secret)\n",
            ],
            without: "c"
        )
        #expect(Self.secret(of: whole.0) == "in file")
        #expect(whole.0?.cookieSecrets == [Self.other, Self.secret])
    }

    @Test func `how an editor saves a file is no part of a secret`() {
        let lines = "client_secret_file = \"entra\"\ncookie_secret_file = \"cookie\""
        for (way, saved) in SavedText.variants(of: "in file ä\n") {
            let cookies = SavedText.variants(of: "\(Self.other)\n\n\(Self.secret)\n")
            let cookie = cookies.first { $0.name == way }?.bytes ?? []
            let whole = Self.parse(
                "client_id = \"id\"\n\(lines)",
                bytes: ["etc/entra": saved, "etc/cookie": cookie],
                without: "c"
            )
            #expect(Self.secret(of: whole.0) == "in file ä", "\(way): \(whole.1)")
            #expect(whole.0?.cookieSecrets == [Self.other, Self.secret], "\(way)")
        }
        for (way, saved) in SavedText.variants(of: "CLIENT_ID=by .env\nCLIENT_SECRET=s\n") {
            let found = Self.parse("", bytes: ["etc/.env": saved], without: "client_")
            #expect(found.0?.clientID == "by .env", "\(way): \(found.1)")
            #expect(Self.secret(of: found.0) == "s", "\(way)")
        }
    }

    @Test func `a file that is no text is refused, and its words are not shown`() {
        let line = "client_secret_file = \"entra\""
        for bytes in [[0x73, 0x33, 0xE9], [0x73, 0x33, 0, 0x63], [0xFF, 0xFE, 0x73]] as [[UInt8]] {
            let found = Self.parse(line, bytes: ["etc/entra": bytes], without: "client_secret")
            #expect(found.0 == nil && found.1.contains("'etc/entra' is empty or not UTF-8 text"))
            #expect(!found.1.contains("s3"))
            let dotEnv = Self.parse("", bytes: ["etc/.env": Array("A=1\nB=s3".utf8) + bytes])
            #expect(dotEnv.0 == nil && dotEnv.1.hasPrefix("etc/.env:"), "\(dotEnv.1)")
            #expect(!dotEnv.1.contains("s3"))
        }
    }

    @Test func `a file with a secret that everybody may read is refused`() {
        let files = ["etc/entra": "in-file"]
        let line = "client_secret_file = \"entra\""
        let (configuration, text) = Self.parse(
            line,
            files: files,
            open: ["etc/entra"],
            without: "client_secret"
        )
        #expect(configuration == nil)
        let remedy = "other users have permissions on 'etc/entra'; run 'chmod 600 etc/entra'"
        #expect(text.contains("etc/secrets.toml:6:22: error: \(remedy)"), "\(text)")
        #expect(!text.contains("in-file"))
    }

    @Test func `a secret stands in one place`() {
        let (configuration, text) = Self.parse(
            "client_secret_file = \"entra\"",
            files: ["etc/entra": "in-file"]
        )
        #expect(configuration == nil)
        #expect(text.contains("only one of 'client_secret' and 'client_secret_file'"))
        #expect(
            Self.parse("client_secret_file = \"x\"", without: "client_s").1.contains("no such file")
        )
        let empty = Self.parse(
            "client_secret_file = \"x\"",
            files: ["etc/x": "\n"],
            without: "client_s"
        )
        #expect(empty.1.contains("'etc/x' is empty or not UTF-8 text"))
    }

    @Test func `credentials of systemd are taken, secrets and files alike`() {
        let folder = "/run/credentials/siteauth.service"
        let variables = ["CREDENTIALS_DIRECTORY": folder]
        let (configuration, text) = Self.parse(
            "",
            files: ["\(folder)/client_secret": "by systemd\n"],
            variables: variables,
            without: "client_secret"
        )
        #expect(Self.secret(of: configuration) == "by systemd", "\(text)")
        let pair = Self.parse(
            "",
            files: ["\(folder)/client_certificate": "x", "\(folder)/client_key": "x"],
            variables: variables,
            without: "client_secret"
        )
        #expect(pair.1.contains("'client_certificate' is '\(folder)/client_certificate'"))
    }

    @Test func `the variables of the Flask sample may stand in a file '.env'`() {
        let dotEnv = """
            # as Microsoft's tutorial has it
            CLIENT_ID="from .env"
            export CLIENT_SECRET='with # and "' # a comment
            AUTHORITY=https://login.microsoftonline.com/X # a comment
            REDIRECT_URI=http://localhost:3000/getAToken
            COOKIE_SECRET=\(Self.other)
            FLASK_ENV=development
            not a line
            """
        let parsed = AuthConfiguration.parse(
            [],
            path: "secrets.toml",
            environment: ["CLIENT_ID": "from the process"],
            readFile: { path in
                path == ".env"
                    ? FileSnapshot(bytes: Array(dotEnv.utf8), isAccessibleToOthers: false) : nil
            }
        )
        #expect(parsed.configuration?.clientID == "from the process")
        #expect(Self.secret(of: parsed.configuration) == "with # and \"")
        #expect(parsed.configuration?.cookieSecrets == [Self.other])
        #expect(parsed.configuration?.redirectURI.path == "/getAToken")
        #expect(parsed.configuration?.metadataURL.path.hasPrefix("/X/v2.0/") == true)
    }

    @Test func `mistakes in '.env' have their place, and it is secret as well`() {
        let dotEnv = "\nREDIRECT_URI=http://docs.example.com/x\nCLIENT_SECRET=s\n"
        let (configuration, text) = Self.parse(
            "",
            files: ["etc/.env": dotEnv],
            open: ["etc/.env"]
        )
        #expect(configuration == nil)
        #expect(text.contains("etc/.env:2:1: error: 'redirect_uri' is 'http://docs.example.com/x'"))
        #expect(
            text.contains(
                "etc/.env:3:1: error: other users have permissions on this file with 'CLIENT_SECRET'"
            )
        )
        let (harmless, _) = Self.parse("", files: ["etc/.env": "CLIENT_ID=x"], open: ["etc/.env"])
        #expect(harmless?.clientID == "x")
    }

    /// Else any user of the machine could say who signs people in.
    @Test(arguments: ["AUTHORITY=https://evil.example/t", "CLIENT_ID=x", ""])
    func `a file '.env' that everybody may write is refused, whatever it says`(line: String) {
        let parsed = AuthConfiguration.parse(
            Array("[auth]\nclient_secret = \"s\"\n".utf8),
            path: "etc/secrets.toml",
            environment: [:],
            readFile: { path in
                guard path == "etc/.env" else { return nil }
                let bytes = Array(line.utf8)
                return FileSnapshot(
                    bytes: bytes,
                    isAccessibleToOthers: true,
                    isWritableByOthers: true
                )
            }
        )
        let text = parsed.diagnostics.map { $0.text(program: "siteauth") }.joined()
        #expect(parsed.configuration == nil)
        let rule = "other users may write to this file; run 'chmod o-w etc/.env'"
        #expect(text.contains("etc/.env: error: \(rule)"), "\(text)")
        #expect(!text.contains("evil"))
    }

    @Test func `a file '.env' that cannot be read is warned of, and no more`() {
        struct Denied: Error {}
        let parsed = AuthConfiguration.parse(
            Array("[auth]\nclient_secret = \"s\"\n".utf8),
            path: "secrets.toml",
            environment: [:],
            readFile: { path in
                if path == ".env" { throw Denied() }
                return nil
            }
        )
        let text = parsed.diagnostics.map { $0.text(program: "siteauth") }.joined()
        #expect(text.contains(".env: warning: is not read: Denied()"))
    }

    @Test func `a variable overrules every file`() {
        let (configuration, text) = Self.parse(
            "client_secret_file = \"entra\"",
            files: ["etc/entra": "in-file", "etc/.env": "CLIENT_SECRET=in-env-file"],
            variables: ["CLIENT_SECRET": "by variable"],
            without: "client_secret"
        )
        #expect(Self.secret(of: configuration) == "by variable", "\(text)")
    }

    @Test(arguments: [
        ("client_certifikate", "client_certificate"), ("managed_identitiy", "managed_identity"),
        ("client_secret_fle", "client_secret_file"), ("cookie_secret_filee", "cookie_secret_file"),
        ("federated_token", "federated_token_file"),
        ("client_assertion_alg", "client_assertion_algorithm"),
    ])
    func `an unknown key is refused with the nearest one`(key: String, nearest: String) {
        let (configuration, text) = Self.parse("\(key) = \"x\"")
        #expect(configuration == nil)
        #expect(text.contains("unknown key '\(key)' in [auth]"))
        if key.count - nearest.count > -4 { #expect(text.contains("did you mean '\(nearest)'?")) }
    }

    /// All keys are read before a mistake in one of them ends the reading.
    @Test(arguments: ["role_tenants = []", "group_overage = \"refuse\"", "scope = \"openid\""])
    func `a key is known beside a mistake in another`(line: String) {
        let (configuration, text) = Self.parse("\(line)\nsession_idle_seconds = \"x\"")
        #expect(configuration == nil && !text.contains("unknown key"), "\(text)")
    }

    @Test func `a secret that is made here is long enough and never the same`() {
        let random = Environment.systemRandom
        let one = AuthConfiguration.newCookieSecret(random)
        #expect(one.count == 43 && one != AuthConfiguration.newCookieSecret(random))
        #expect(Self.parse("cookie_secret = \"\(one)\"", without: "cookie").0 != nil)
    }
}
