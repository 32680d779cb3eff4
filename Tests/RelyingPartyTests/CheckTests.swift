import Access
import HTTPTypes
import Testing

@testable import RelyingParty

@Suite struct CheckTests {
    /// Paths that bob, who is not in 'hr', may never open, as nginx would hand them over: decoded
    /// once (hostile inputs HP-01 to HP-07).
    static let hostilePaths = [
        "/hr", "/hr/", "/HR/", "/Hr/x", "/hr/x", "/%68r/x", "/hr%2fx", "/public/../hr/x",
        "/public/%2e%2e/hr/x", "/public/..%2fhr/x", "/public/..\\hr/x", "/public/..;/hr/x",
        "/public;/../hr/x", "//hr/x", "/./hr/x", "/public//../hr/x", "/hr/./x", "/hr//x",
        "/hr/x;.css", "/hr/x\0.css", "/hr/x.css\n", "/hr/x?.css", "/hr/x#/public/",
        "/public#/../hr/x", "/hr/x ", "/hr/x.", "/hr/x/index.html", "/hr/index.html/", "", "hr/x",
        "http://evil/hr/x", "*", "/hr/\u{7f}", "/" + String(repeating: "a/", count: 10_000),
        "/public/./../hr/", "/public\\..\\hr", "/\u{1}", "/public/\u{1f}",
    ]

    @Test(arguments: hostilePaths)
    func `no spelling of a path opens it`(path: String) throws {
        let world = try World()
        #expect(world.check(path) == .unauthorized)
        world.signIn(Person.bob)
        #expect(world.check(path) == .forbidden)
    }

    @Test func `a public page needs nobody, and its neighbours with the same beginning do`() throws
    {
        let world = try World()
        for path in ["/public", "/public/", "/public/a/b.png"] {
            #expect(world.check(path) == .noContent)
        }
        for path in ["/publicity/", "/pub", "/"] {
            #expect(world.check(path) == .unauthorized)
        }
    }

    @Test func `a check without a path or a release is never allowed`() throws {
        let world = try World()
        world.signIn(Person.alice)
        #expect(world.check(nil) == .forbidden)
        let party = world.relyingParty
        let fetch = FetchMetadata(World.navigation)
        #expect(
            party.check(path: "/public/", release: nil, cookie: nil, fetch: fetch).http.status
                == .unauthorized
        )
        let elsewhere = party.check(path: "/public/", release: "/tmp", cookie: nil, fetch: fetch)
        #expect(elsewhere.http.status == .unauthorized)
    }

    @Test func `no bit of the cookie may change, and no byte go missing`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let cookie = Array(try #require(world.state.withLock { $0.siteCookies["session"] }).utf8)
        func status(_ value: [UInt8]) -> HTTPResponse.Status {
            let text = String(decoding: value, as: UTF8.self)
            return world.check("/hr/", cookie: "session=\(text)")
        }
        #expect(status(cookie) == .noContent)
        for index in cookie.indices {
            var changed = cookie
            changed[index] =
                changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(status(changed) == .unauthorized)
            #expect(status(Array(cookie[..<index])) == .unauthorized)
        }
        for suffix in ["A", "AAAA", "=", "==", ".", "%00"] {
            #expect(status(cookie + Array(suffix.utf8)) == .unauthorized)
        }
    }

    /// Hostile inputs HC-01 and CVE-2023-28625.
    @Test(arguments: [
        "", " ", ";", "; ;", "=", "=x", "session", "session=", "a=b;;;=;", "foo=1; ; bar=2", "\t",
        "session=99999999", "session=-1", "session=%n%n%s", "sessionx=1", "xsession=1",
        String(repeating: "a=b; ", count: 10_000), String(repeating: "session=x; ", count: 100),
    ])
    func `a broken cookie header is nobody`(header: String) throws {
        let world = try World()
        #expect(world.check("/hr/", cookie: header) == .unauthorized)
    }

    @Test func `beside a planted cookie the real one counts, and two real ones count for nothing`()
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        let alice = try #require(world.state.withLock { $0.siteCookies["session"] })
        world.state.withLock { $0.siteCookies["session"] = nil }
        world.signIn(Person.bob)
        let bob = try #require(world.state.withLock { $0.siteCookies["session"] })
        func status(_ header: String) -> HTTPResponse.Status {
            world.check("/other/", cookie: header)
        }
        #expect(status("session=planted; session=\(alice)") == .noContent)
        #expect(status("session=\(bob); session=\(alice)") == .unauthorized)
    }

    @Test func `what was sealed for one purpose is nothing for another`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let browser = try #require(world.state.withLock { $0.siteCookies["browser"] })
        #expect(world.check("/hr/", cookie: "session=\(browser)") == .unauthorized)
    }

    @Test func `a session ends when it idles, and at the latest after its lifetime`() throws {
        let world = try World("session_idle_seconds = 600\nsession_lifetime_seconds = 3600")
        world.signIn(Person.alice)
        world.advance(seconds: 599)
        // The check renews the cookie, which the browser keeps.
        #expect(world.check("/hr/") == .noContent)
        world.advance(seconds: 599)
        #expect(world.check("/hr/") == .noContent)
        world.advance(seconds: 601)
        #expect(world.check("/hr/") == .unauthorized)

        world.signIn(Person.alice)
        for _ in 0..<7 {
            world.advance(seconds: 500)
            #expect(world.check("/hr/") == .noContent)
        }
        world.advance(seconds: 101)
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test(arguments: [-3600, 10 * 365 * 86_400, 2_147_483_648 - 1_800_000_000])
    func `a clock that jumps opens nothing`(jump: Int) throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: jump)
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test func `other group definitions judge live sessions at once`() throws {
        let world = try World()
        world.signIn(Person.alice)
        try world.redefineGroups()
        #expect(world.check("/") == .unauthorized)
        world.signIn(Person.alice)
        #expect(world.check("/") == .forbidden)
    }

    @Test func `a list of ended sessions that cannot be read lets nobody in`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.state.withLock { $0.isRevocationListReadable = false }
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test func `a session of another format is none`() throws {
        let session = Session.sample(
            tenant: "tenant",
            object: "a11ce000-0000-4000-8000-00000000000a",
            name: "Ada"
        )
        #expect(session.objectID == "a11ce000-0000-4000-8000-00000000000a")
        #expect(session.tenantID == "tenant" && session.groups == ["a", "b"])
        #expect(Session(session.bytes) == session)
        #expect(Session([1] + session.bytes.dropFirst()) == nil)
        #expect(Session(session.bytes + [0]) == nil)
        for count in session.bytes.indices {
            #expect(Session(Array(session.bytes[..<count])) == nil)
        }
    }
}
