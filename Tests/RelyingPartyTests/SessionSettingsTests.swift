import Access
import HTTPTypes
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

@Suite struct SessionSettingsTests {
    private static let tenant = "11111111-aaaa-4000-8000-000000000001"

    private static func parse(_ lines: String) -> (AuthConfiguration?, [String]) {
        let toml = """
            [auth]
            redirect_uri = "https://docs.example.com/auth/callback"
            cookie_secret = "\(World.cookieSecret)"
            client_id = "c"
            client_secret = "s"
            authority = "https://login.microsoftonline.com/11111111-aaaa-4000-8000-000000000001"
            \(lines)
            """
        let parsed = AuthConfiguration.parse(Array(toml.utf8), path: "s", environment: [:])
        let errors = parsed.diagnostics.filter { $0.severity == .error }
        return (parsed.configuration, errors.map { $0.text(program: "siteauth") })
    }

    @Test func `defaults are those of the handbook`() throws {
        let settings = try #require(Self.parse("").0).session
        #expect(settings == SessionSettings())
        #expect(settings.revalidateAfterSeconds == 3600 && settings.revalidateGraceSeconds == 3600)
        #expect(settings.signIn == .automatic && settings.signOut == .everywhere)
        #expect(!settings.isCookiePersistent && settings.sendsLogoutHint)
    }

    @Test(arguments: [
        "revalidate_after_seconds = 2592001", "revalidate_after_seconds = -1",
        "revalidate_after_seconds = 9223372036854775807", "revalidate_grace_seconds = 2592001",
        "persistent_cookie = \"yes\"", "sign_in = \"button\"", "sign_out = \"there\"",
        "audit = \"journal\"", "audit = \"audit.jsonl\"", "audit = \"/var/log/\"", "audit = true",
        "identity_token_algorithm = \"ed25519\"",
        "logout_hint = 1", "after_sign_out = \"//evil.example\"",
        "after_sign_out = \"https://evil.example/\"", "after_sign_out = \"/auth/sign-out\"",
        "after_sign_out = \"/auth/account\"", "domain_hint = \"a b\"", "domain_hint = \"\"",
        "redis = \"http://localhost\"", "redis = \"redis://\"", "redis = \"redis://h:0\"",
        "redis = []", "redis = [\"rediss://h\", \"redis://i\"]", "redis = [\"redis://secret@h\"]",
        "redis_ca_file = \"a.pem\"\nredis = \"redis://h\"", "redis_ca_file = \"a.pem\"",
        "redis_ca_file = \"absent.pem\"\nredis = \"rediss://h\"",
        "redis_client_key = \"a.key\"\nredis = \"rediss://h\"",
        "redis_client_certificate = \"a.crt\"\nredis = \"rediss://h\"",
        "redis = \"redis://secret@h\"", "redis = \"redis://h/x\"", "redis = \"unix://relative\"",
    ])
    func `a value that means nothing is told at its place`(line: String) {
        let (configuration, diagnostics) = Self.parse(line)
        #expect(configuration == nil)
        #expect(diagnostics.count == 1 && diagnostics[0].hasPrefix("s:7:"), "\(diagnostics)")
        #expect(!diagnostics.joined().contains("secret@"))
    }

    @Test(arguments: [
        ("", nil), ("audit = \"\"", nil), ("audit = \"stderr\"", AuditDestination.standardError),
        ("audit = \"/var/log/a.jsonl\"", .file("/var/log/a.jsonl")),
    ])
    func `the audit is kept where the configuration says`(line: String, place: AuditDestination?)
        throws
    {
        #expect(try #require(Self.parse(line).0).audit == place)
    }

    @Test(arguments: [
        ("redis://h", "h", 6379, "", "", 0), ("redis://h:7000/2", "h", 7000, "", "", 2),
        ("redis://:p%40ss@10.0.0.1", "10.0.0.1", 6379, "", "p@ss", 0),
        ("redis://site:a:b@[::1]:7000/1", "::1", 7000, "site", "a:b", 1),
    ])
    func `addresses of a Redis`(
        text: String,
        host: String,
        port: Int,
        user: String,
        password: String,
        database: Int
    ) throws {
        let address = try #require(RedisAddress(text))
        #expect(address.endpoint == .host(host, port: port))
        #expect(address.user == user && address.password == password)
        #expect(address.database == database && !address.isEncrypted)
        let encrypted = try #require(RedisAddress("rediss" + text.dropFirst(5)))
        #expect(encrypted.isEncrypted && encrypted.endpoint == address.endpoint)
        #expect(
            RedisAddress("unix:///run/redis.sock")?.endpoint == .socket(path: "/run/redis.sock")
        )
    }

    @Test func `a sign-in page is shown instead of Entra, and its button begins`() throws {
        let world = try World("sign_in = \"page\"\ndomain_hint = \"example.com\"")
        let page = try #require(world.get("/hr/?a=1").response)
        #expect(page.http.status == .unauthorized)
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(html.contains("This site is private"))
        #expect(html.contains("href=\"/auth/sign-in?return=%2Fhr%2F%3Fa%3D1\""))
        let begun = world.send(.signIn, query: "return=%2Fhr%2F%3Fa%3D1%23part%25202")
        let url = try #require(begun.http.headerFields[.location])
        #expect(url.contains("domain_hint=example.com"))
        let query = try #require(world.pick(Person.alice, at: url))
        // The theme's script has added the part behind '#'.
        #expect(
            world.send(.callback, query: query).http.headerFields[.location]
                == "http://localhost:8080/hr/?a=1#part%202"
        )
    }

    @Test func `a persistent cookie lasts as long as the session at most`() throws {
        let world = try World("persistent_cookie = true\nrevalidate_after_seconds = 0")
        let answer = world.signIn(Person.alice)
        let cookies = answer.http.headerFields[fields: .setCookie].map(\.value)
        #expect(cookies.contains { $0.hasPrefix("session=") && $0.hasSuffix("; Max-Age=36000") })
        #expect(!cookies.contains { $0.hasPrefix("browser=") && $0.contains("Max-Age") })
        let plain = try World().signIn(Person.alice)
        #expect(!plain.http.headerFields[fields: .setCookie].contains { $0.value.contains("Max-") })
    }

    @Test func `a new secret in front signs nobody out, and one taken away does`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let cookies = world.state.withLock(\.siteCookies)
        func status(_ secrets: String) throws -> HTTPResponse.Status {
            let other = try World(cookieSecret: secrets)
            other.state.withLock { $0.siteCookies = cookies }
            return other.check("/hr/")
        }
        let old = "\"\(World.cookieSecret)\""
        let new = "\"\(World.otherCookieSecret)\""
        #expect(try status("[\(new), \(old)]") == .noContent)
        #expect(try status(new) == .unauthorized)
    }

    @Test func `each sign-in has a session id of its own`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.signIn(Person.alice)
        world.send(.signOut, .post, fields: [.secFetchSite: "same-origin"])
        world.signIn(Person.alice)
        world.send(.signOut, .post, fields: [.secFetchSite: "same-origin"])
        // Each of the three has ended under a name of its own.
        #expect(world.state.withLock(\.revoked.count) == 3)
    }

    @Test func `signing out here alone leaves Entra alone, and asks who it is next time`() throws {
        let world = try World("sign_out = \"here\"")
        world.signIn(Person.alice)
        let answer = world.send(.signOut, .post, fields: [.secFetchSite: "same-origin"])
        #expect(answer.http.headerFields[.location] == "http://localhost:8080/auth/signed-out")
        let page = String(decoding: world.send(.signedOut).body, as: UTF8.self)
        #expect(page.contains("account=other"))
        let begun = world.send(.signIn, query: "return=/&account=other")
        #expect(begun.http.headerFields[.location]?.contains("prompt=select_account") == true)
    }

    @Test func `without a hint, and with a page of the site's own at the end`() throws {
        let world = try World("logout_hint = false\nafter_sign_out = \"/public/goodbye/\"")
        world.signIn(Person.alice)
        let answer = world.send(.signOut, .post, fields: [.secFetchSite: "same-origin"])
        #expect(answer.http.headerFields[.location]?.contains("/logout?") == true)
        #expect(answer.http.headerFields[.location]?.contains("logout_hint") == false)
        let landing = world.send(.signedOut)
        #expect(
            landing.http.headerFields[.location] == "http://localhost:8080/public/goodbye/"
        )
        #expect(landing.http.headerFields[.clearSiteData] == "\"cache\"")
    }

    @Test func `an account and everybody can be signed out, and may sign in again`() throws {
        for revocation in [
            Revocation.account(spelled: Person.alice), .everybody,
            .account(spelled: Person.alice.uppercased(), tenant: Self.tenant.uppercased()),
        ] {
            let world = try World()
            world.signIn(Person.bob)
            let bob = try #require(world.state.withLock { $0.siteCookies["session"] })
            world.state.withLock { $0.siteCookies = [:] }
            world.state.withLock { $0.entraCookie = nil }
            world.signIn(Person.alice)
            world.state.withLock { $0.revoked[revocation.name] = $0.now }
            #expect(world.check("/") == .unauthorized)
            let isBobIn = world.check("/", cookie: "session=\(bob)") == .noContent
            #expect(isBobIn == (revocation.name != "everybody"))
            world.advance(seconds: 1)
            world.signIn(Person.alice)
            #expect(world.check("/") == .noContent)
        }
    }

    @Test func `the readers of a group can be signed out, and may sign in again`() throws {
        let world = try World()
        func revoke(_ group: String, at offset: Int = 0) {
            for name in Revocation.group(group).names {
                world.state.withLock { $0.revoked[name] = $0.now + offset }
            }
        }
        revoke("hr", at: -1)
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .noContent)
        // Of another group, of none, and of one whose name begins alike.
        for group in ["board", "", "h", "hr2", "HR"] { revoke(group) }
        #expect(world.check("/hr/") == .noContent)
        // While the second question cannot be answered, nobody is let in.
        let storage = world.storage
        var doubtful = storage
        for answer: [NumericDate?]? in [nil, [], [nil, nil]] {
            doubtful.revocations = { $0.count > 1 ? storage.revocations($0) : answer }
            let process = RelyingParty(
                world.relyingParty.configuration,
                world.environment,
                doubtful
            )
            let cookies = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
            let answer = process.check(
                path: "/hr/",
                release: World.release,
                cookie: cookies.joined(separator: "; "),
                fetch: FetchMetadata(World.navigation)
            )
            #expect(answer.http.status == .unauthorized)
        }
        revoke("hr")
        #expect(world.check("/hr/") == .unauthorized && world.check("/") == .unauthorized)
        world.advance(seconds: 1)
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .noContent)
        let names = Revocation.group("hr").names
        #expect(names.count == 2 && names[0].hasPrefix("group-") && names[0].utf8.count == 38)
        #expect("\(Revocation.group("hr"))" == "readers in the group 'hr'")
    }

    /// Two tenants may have accounts of one object id.
    @Test func `an account of another tenant goes on`() throws {
        let world = try World()
        world.signIn(Person.alice)
        for tenant in ["33333333-aaaa-4000-8000-000000000003", "", "x"] {
            let other = Revocation.account(spelled: Person.alice, tenant: tenant)
            world.state.withLock { $0.revoked[other.name] = $0.now }
        }
        #expect(world.check("/") == .noContent)
    }

    @Test func `a session that fits into no cookie gets a page that says why`() throws {
        let world = try World()
        let names = (0..<400).map { "group-number-\($0)" }
        let policy = AccessPolicy(
            groups: names.map { GroupDefinition(name: $0, roles: ["HR"]) },
            rules: [.init(path: "/", audience: .signedIn)]
        )
        let large = try #require(policy)
        world.state.withLock { $0.policy = large }
        let answer = world.signIn(Person.alice)
        #expect(answer.http.status == .forbidden)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("does not fit into a cookie"))
        #expect(answer.events.contains { $0.level == .error })
        #expect(answer.http.headerFields[.setCookie] == nil)
    }
}
