import Access
import HTTPTypes
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

@Suite struct IdentityTests {
    private static func ask(
        _ world: World,
        _ path: String,
        cookie: String? = nil
    ) -> HTTPResponse {
        let kept = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
        return world.relyingParty.identity(
            path: path,
            release: World.release,
            cookie: cookie ?? kept.sorted().joined(separator: "; "),
            fetch: FetchMetadata(World.navigation)
        ).http
    }

    @Test func `nginx is told who asks, in bytes that any header field takes`() throws {
        let world = try World()
        world.signIn(Person.soren)
        let answer = Self.ask(world, "/wiki/")
        #expect(answer.status == .noContent)
        let tenant = "11111111-aaaa-4000-8000-000000000001"
        #expect(answer.headerFields[.authUser] == "\(Person.soren)@\(tenant)")
        let name = try #require(answer.headerFields[.authName])
        #expect(name.contains("%C3%B8") && name.utf8.allSatisfy { (33...126).contains($0) })
        world.signIn(Person.alice)
        #expect(Self.ask(world, "/wiki/").headerFields[.authGroups] == "hr")
    }

    @Test func `whoever is refused is not named`() throws {
        let world = try World()
        #expect(Self.ask(world, "/wiki/").status == .unauthorized)
        world.signIn(Person.bob)
        let answer = Self.ask(world, "/hr/")
        #expect(answer.status == .forbidden && answer.headerFields[.authUser] == nil)
    }

    @Test func `a stranger on a public path is nobody, and a reader there is somebody`() throws {
        let world = try World()
        let stranger = Self.ask(world, "/public/")
        #expect(stranger.status == .noContent && stranger.headerFields[.authUser] == "")
        world.signIn(Person.bob)
        let reader = Self.ask(world, "/public/").headerFields[.authUser] ?? ""
        #expect(reader.hasPrefix(Person.bob))
    }

    /// As on a protected path, where the next navigation asks the provider; a public one asks nobody.
    @Test func `on a public path, too, a navigation names a reader for the session's own hour`()
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        func named(_ fetch: HTTPFields, audience: String? = nil) -> HTTPFields {
            let cookies = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
            return world.relyingParty.identity(
                path: "/public/",
                release: World.release,
                cookie: cookies.sorted().joined(separator: "; "),
                fetch: FetchMetadata(fetch),
                audience: audience
            ).http.headerFields
        }
        world.advance(seconds: 3599)
        #expect(named(World.navigation)[.authGroups] == "hr")
        world.advance(seconds: 1)
        let late = named(World.navigation, audience: "/public/")
        #expect(late[.authUser] == "" && late[.authGroups] == "" && late[.authToken] == nil)
        // What a page fetches goes on for the grace, as for files.
        #expect(named([.secFetchMode: "cors"])[.authGroups] == "hr")
        world.advance(seconds: 3600)
        #expect(named([.secFetchMode: "cors"])[.authGroups] == "")
    }

    @Test(arguments: [
        ("/wiki/100%", HTTPResponse.Status.noContent), ("/wiki/job/feature%2Fx", .noContent),
        ("/wiki/what?", .noContent), ("/wiki/%2e%2e/hr/", .forbidden),
        ("/wiki/..%2fhr/", .forbidden),
        ("/h%72/x", .forbidden), ("/hr/x%", .forbidden), ("/wiki\\x", .forbidden),
        ("/public/%2e%2e/hr/", .forbidden), ("/public/100%", .noContent),
    ])
    func `an application gets odd paths if every reading of them is the reader's`(
        path: String,
        status: HTTPResponse.Status
    ) throws {
        let world = try World()
        world.signIn(Person.bob)
        #expect(Self.ask(world, path).status == status)
        // Files have no such names.
        #expect(world.check(path) == .forbidden)
        world.signIn(Person.alice)
        let isHR = status == .noContent || ["/h%72/x", "/hr/x%"].contains(path)
        #expect(Self.ask(world, path).status == (isHR ? .noContent : .forbidden))
        let stranger = path.hasPrefix("/public/100") ? HTTPResponse.Status.noContent : .unauthorized
        #expect(Self.ask(world, path, cookie: "a=b").status == stranger)
    }

    @Test(arguments: [
        ("/wiki/a%2Fb?c=%2e%2e", HTTPResponse.Status.noContent), ("/wiki/x/%2e%2e/y", .forbidden),
        ("/hr/%2e%2e/wiki/y", .forbidden), ("/hr%2F", .forbidden), ("/hr/", .forbidden),
        ("", .forbidden), ("/wiki/\u{fffd}", .noContent),
    ])
    func `an application that gets the undecoded address is asked about that, too`(
        target: String,
        status: HTTPResponse.Status
    ) throws {
        let world = try World()
        world.signIn(Person.bob)
        let cookies = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
        let answer = world.relyingParty.identity(
            path: "/wiki/y",
            target: target,
            release: World.release,
            cookie: cookies.sorted().joined(separator: "; "),
            fetch: FetchMetadata(World.navigation)
        )
        #expect(answer.http.status == status)
    }

    @Test func `a name cannot end its header field`() throws {
        let hostile = "a\r\nX-Auth-Groups: board\0,\u{202e}\""
        let session = Session.sample(tenant: "t@\r\nx", object: "o,@", name: hostile)
        let fields = Identity(session).headerFields
        #expect(fields[.authUser] == "o%2C%40@t%40%0D%0Ax")
        #expect(fields[.authGroups] == "a,b")
        let name = try #require(fields[.authName])
        #expect(name.hasPrefix("a%0D%0AX-Auth-Groups%3A%20board%00%2C"))
        #expect(PercentEncoding.bytes(name) == Array(hostile.utf8))
    }

    @Test(arguments: [
        ("session=x", ""), ("a=b; session=x; c=d", "a=b; c=d"),
        ("__Host-session=x;a=b;__Host-browser=y; browser=z", "a=b"),
        ("session =x; session\t=y; \t session=z;a=b", "a=b"), ("session", ""), ("a; b=c", "b=c"),
        ("sessions=x; Session=y; xsession=z", "sessions=x; Session=y; xsession=z"),
        ("session=x; session=y; session=z; session=1; session=2; session=3", ""), ("", ""),
        ("a=session=x", "a=session=x"),
    ])
    func `the application's cookies come without ours`(header: String, rest: String) {
        let names = ["session", "browser", "__Host-session", "__Host-browser"]
        #expect(Cookies.header(header, without: names) == rest)
    }

    @Test func `a new configuration keeps sessions, keys and counts`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let cookie = try #require(world.state.withLock { $0.siteCookies["session"] })
        let former = world.relyingParty
        let parsed = AuthConfiguration.parse(
            Array(
                """
                [auth]
                redirect_uri = "http://localhost:8080/auth/callback"
                cookie_secret = ["\(World.otherCookieSecret)", "\(World.cookieSecret)"]
                client_id = "22222222-bbbb-4000-8000-000000000002"
                client_secret = "another"
                authority = "http://localhost:8081/11111111-aaaa-4000-8000-000000000001"
                """.utf8
            ),
            path: "secrets.toml",
            environment: [:]
        )
        let configuration = try #require(parsed.configuration)
        let now = world.state.withLock(\.now)
        let next = RelyingParty(
            configuration,
            Environment(
                now: { now },
                random: { _ in [] },
                send: { _, _ in throw World.Unreachable() }
            ),
            Storage(
                policy: { _ in World.policy },
                frame: { _ in nil },
                revocations: { names in names.map { _ in nil } },
                revoke: { _ in true }
            ),
            replacing: former
        )
        let header = "session=\(cookie)"
        let answer = next.check(
            path: "/hr/",
            release: "r",
            cookie: header,
            fetch: FetchMetadata(World.navigation)
        )
        #expect(answer.http.status == .noContent)
        #expect(next.metrics === former.metrics)
        let text = String(decoding: next.status(.metrics).body, as: UTF8.self)
        #expect(text.contains("siteauth_keys_age_seconds 0\n"))
    }
}
