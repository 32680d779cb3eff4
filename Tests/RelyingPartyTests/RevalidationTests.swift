import HTTPTypes
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// After an hour the next navigation goes through Entra, and what a page fetches does not.
@Suite struct RevalidationTests {
    private static let picture: HTTPFields = [.secFetchMode: "no-cors", .accept: "image/*"]

    /// Follows a navigation through siteauth and Entra, nobody choosing anything.
    ///
    /// - Returns: the page, or the first answer that leads nowhere by itself.
    private static func walk(_ world: World, _ target: String, steps: Int = 8) throws
        -> World.Outcome
    {
        var outcome = world.get(target)
        for _ in 0..<steps {
            guard let response = outcome.response, let url = response.http.headerFields[.location]
            else { return outcome }
            if url == "http://localhost:8080" + target {
                outcome = world.get(target)
            } else if let query = world.pick(nil, at: url) {
                outcome = .response(world.send(.callback, query: query))
            } else {
                return outcome
            }
        }
        Issue.record("it goes round in a circle")
        return outcome
    }

    private static func isPage(_ outcome: World.Outcome) -> Bool {
        if case .page = outcome { true } else { false }
    }

    private static func cookie(_ world: World) throws -> String {
        try #require(world.state.withLock { $0.siteCookies["session"] })
    }

    @Test func `the next navigation asks Entra, nobody notices, and the session stays the same`()
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        let copy = try Self.cookie(world)
        world.advance(seconds: 3599)
        #expect(world.check("/hr/") == .noContent)
        world.advance(seconds: 1)
        let begun = try #require(world.get("/hr/?a=1").response)
        let url = try #require(begun.http.headerFields[.location])
        #expect(url.contains("prompt=none") && url.contains("login_hint=O.Ci"))
        let answer = world.send(.callback, query: try #require(world.pick(nil, at: url)))
        #expect(answer.http.headerFields[.location] == "http://localhost:8080/hr/?a=1")
        #expect(Self.isPage(world.get("/hr/?a=1")))
        #expect(answer.events.contains { $0.text.hasPrefix("revalidated") })
        // Signing out ends the copies from before, too.
        world.send(.signOut, .post, fields: [.secFetchSite: "same-origin"])
        #expect(
            world.check("/hr/", cookie: "session=\(copy)", fields: Self.picture) == .unauthorized
        )
    }

    @Test func `what a page fetches goes on for the grace, and not a second longer`() throws {
        let world = try World("revalidate_grace_seconds = 600")
        world.signIn(Person.alice)
        world.advance(seconds: 3600 + 599)
        #expect(world.check("/hr/x.png", fields: Self.picture) == .noContent)
        #expect(world.check("/hr/") == .unauthorized)
        world.advance(seconds: 1)
        #expect(world.check("/hr/x.png", fields: Self.picture) == .unauthorized)
        #expect(world.send(.me, fields: Self.picture).http.status == .unauthorized)
        #expect(Self.isPage(try Self.walk(world, "/hr/")))
    }

    @Test func `revalidation does not prolong the lifetime`() throws {
        let world = try World("session_lifetime_seconds = 7200\nrevalidate_after_seconds = 600")
        world.signIn(Person.alice)
        let started = world.state.withLock(\.now)
        for _ in 0..<11 {
            world.advance(seconds: 601)
            #expect(Self.isPage(try Self.walk(world, "/hr/")))
        }
        let me = String(decoding: world.send(.me).body, as: UTF8.self)
        #expect(me.contains("\"signed_in_at\":\(started)"))
        world.advance(seconds: 7200 - 11 * 601)
        #expect(world.check("/hr/", fields: Self.picture) == .unauthorized)
    }

    @Test func `0 means never`() throws {
        let world = try World("revalidate_after_seconds = 0\nsession_idle_seconds = 36000")
        world.signIn(Person.alice)
        world.advance(seconds: 35_999)
        #expect(world.check("/hr/") == .noContent)
    }

    @Test func `a disabled account ends there, for its copies and fetches as well`() throws {
        let world = try World()
        world.signIn(Person.alice)
        try world.order("/users/\(Person.alice)", ["change": "disable"])
        world.advance(seconds: 3600)
        let copy = try Self.cookie(world)
        #expect(world.check("/hr/", fields: Self.picture) == .noContent)
        // Entra shows a page of its own at last.
        #expect(!Self.isPage(try Self.walk(world, "/hr/")))
        #expect(world.state.withLock { $0.siteCookies["session"] } == nil)
        #expect(
            world.check("/hr/", cookie: "session=\(copy)", fields: Self.picture) == .unauthorized
        )
    }

    @Test func `a removed role is gone after it`() throws {
        let world = try World()
        world.signIn(Person.alice)
        try world.order("/users/\(Person.alice)", ["change": "remove-role", "value": "HR"])
        world.advance(seconds: 3600)
        let answer = try #require(try Self.walk(world, "/hr/").response)
        #expect(answer.http.status == .forbidden)
        #expect(Self.isPage(world.get("/other/")))
    }

    @Test(arguments: [50058, 50076, 65001])
    func `whoever has to be asked something signs in as usual, once`(number: Int) throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        let begun = try #require(world.get("/hr/").response?.http.headerFields[.location])
        try world.order(
            "/faults",
            ["name": "sign-in-error", "number": .integer(number), "until": "once"]
        )
        let answer = world.send(.callback, query: try #require(world.pick(nil, at: begun)))
        let url = try #require(answer.http.headerFields[.location])
        #expect(!url.contains("prompt=") && !url.contains("login_hint="))
        let query = try #require(world.pick(Person.alice, at: url))
        #expect(
            world.send(.callback, query: query).http.headerFields[.location]
                == "http://localhost:8080/hr/"
        )
        #expect(Self.isPage(world.get("/hr/")))
    }

    @Test func `any other error ends the session, and an ordinary sign-in begins`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        let copy = try Self.cookie(world)
        let begun = try #require(world.get("/hr/").response?.http.headerFields[.location])
        let state = try #require(Self.value("state", begun))
        let answer = world.send(.callback, query: "error=invalid_request&state=\(state)")
        let next = try #require(answer.http.headerFields[.location])
        #expect(next.contains("/authorize?") && !next.contains("prompt=none"))
        #expect(
            world.check("/hr/", cookie: "session=\(copy)", fields: Self.picture) == .unauthorized
        )
    }

    @Test func `an error that another browser brings ends nothing`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        let begun = try #require(world.get("/hr/").response?.http.headerFields[.location])
        let state = try #require(Self.value("state", begun))
        let session = try Self.cookie(world)
        let fields: HTTPFields = [.cookie: "session=\(session)", .secFetchMode: "navigate"]
        let answer = world.send(
            .callback,
            query: "error=login_required&state=\(state)",
            fields: fields
        )
        #expect(answer.http.status == .badRequest)
        #expect(world.check("/hr/", fields: Self.picture) == .noContent)
        let other = try World()
        other.send(.signIn, wanted: "/")
        let browser = try #require(other.state.withLock { $0.siteCookies["browser"] })
        var both = fields
        both[.cookie] = "session=\(session); browser=\(browser)"
        let query = "error=login_required&state=\(state)"
        #expect(world.send(.callback, query: query, fields: both).http.status == .badRequest)
        #expect(world.check("/hr/", fields: Self.picture) == .noContent)
    }

    @Test func `a session that cannot be noted as ended is told to the operator`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        let begun = try #require(world.get("/hr/").response?.http.headerFields[.location])
        let state = try #require(Self.value("state", begun))
        world.state.withLock { $0.isRevocationListWritable = false }
        let answer = world.send(.callback, query: "error=invalid_request&state=\(state)")
        #expect(answer.http.status == .internalServerError)
        #expect(answer.events.contains { $0.level == .error })
    }

    @Test func `while Entra cannot be reached readers notice nothing, for as long as the grace`()
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        world.state.withLock { $0.sendsLeft = 0 }
        world.advance(seconds: 3600)
        #expect(Self.isPage(try Self.walk(world, "/hr/")))
        let before = world.state.withLock(\.sends)
        #expect(Self.isPage(world.get("/hr/")))
        #expect(world.state.withLock(\.sends) == before)
        for _ in 0..<11 {
            world.advance(seconds: 300)
            #expect(Self.isPage(try Self.walk(world, "/hr/")))
        }
        world.advance(seconds: 300)
        #expect(!Self.isPage(try Self.walk(world, "/hr/")))
        // Back again, and so are the readers.
        world.state.withLock { $0.sendsLeft = .max }
        world.signIn(Person.alice)
        #expect(Self.isPage(world.get("/hr/")))
    }

    @Test func `a token endpoint that fails puts it off as well`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        let begun = try #require(world.get("/hr/").response?.http.headerFields[.location])
        let query = try #require(world.pick(nil, at: begun))
        world.state.withLock { $0.sendsLeft = 0 }
        let answer = world.send(.callback, query: query)
        #expect(answer.http.headerFields[.location] == "http://localhost:8080/hr/")
        #expect(Self.isPage(world.get("/hr/")))
        world.advance(seconds: 301)
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test func `a browser that keeps nothing of it is stopped`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        world.state.withLock { $0.sendsLeft = 0 }
        let stuck = try Self.cookie(world)
        var statuses: [Int] = []
        for _ in 0..<4 {
            world.state.withLock { $0.siteCookies["session"] = stuck }
            statuses.append(world.get("/hr/").response?.http.status.code ?? 204)
        }
        #expect(statuses == [303, 303, 303, 400])
    }

    @Test func `a session that ended meanwhile does not come back`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        let begun = try #require(world.get("/hr/").response?.http.headerFields[.location])
        let query = try #require(world.pick(nil, at: begun))
        let cookies = world.state.withLock(\.siteCookies)
        world.send(.signOut, .post, fields: [.secFetchSite: "same-origin"])
        // The tab is quicker than the browser is at forgetting.
        world.state.withLock { $0.siteCookies = cookies }
        let answer = world.send(.callback, query: query)
        #expect(answer.http.headerFields[.location]?.contains("/authorize?") == true)
        #expect(world.check("/hr/", fields: Self.picture) == .unauthorized)
    }

    @Test func `if somebody else answers, nobody goes on`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let alice = try Self.cookie(world)
        world.advance(seconds: 3600)
        let begun = try #require(world.get("/hr/").response?.http.headerFields[.location])
        // Without the hint, and with bob's session at Entra.
        world.state.withLock { $0.entraCookie = nil }
        let other = try #require(begun.split(separator: "&prompt=none").first)
        let query = try #require(world.pick(Person.bob, at: String(other)))
        let answer = world.send(.callback, query: query)
        #expect(answer.http.headerFields[.location]?.contains("/authorize?") == true)
        #expect(world.check("/", cookie: "session=\(alice)", fields: Self.picture) == .unauthorized)
        #expect(world.check("/") == .unauthorized)
    }

    /// Puts another session into the browser in the place of its own.
    private static func change(_ world: World, _ change: (inout Session) -> Void) throws {
        let sessions = world.relyingParty.sessions
        var session = try #require(sessions.all(in: "session=\(try cookie(world))").first)
        change(&session)
        let now = world.state.withLock(\.now)
        let line = try #require(sessions.cookie(for: session, at: now))
        let value = String(line.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" })
        world.state.withLock { $0.siteCookies["session"] = value }
    }

    @Test func `if an account of another tenant with the same id answers, nobody goes on`() throws {
        for isOther in [false, true] {
            let world = try World()
            world.signIn(Person.alice)
            world.advance(seconds: 3600)
            let begun = try #require(world.get("/hr/").response?.http.headerFields[.location])
            let query = try #require(world.pick(nil, at: begun))
            try Self.change(world) { session in
                if isOther { session.tenant = CompactText("11111111-aaaa-4000-8000-0000000000ff") }
            }
            let answer = world.send(.callback, query: query)
            let location = answer.http.headerFields[.location]
            #expect(location?.contains("/authorize?") == isOther)
        }
    }

    @Test(arguments: [(300, HTTPResponse.Status.noContent), (301, .unauthorized)])
    func `a session that begins in the future is none`(
        seconds: Int,
        status: HTTPResponse.Status
    ) throws {
        let world = try World()
        world.signIn(Person.alice)
        try Self.change(world) { $0.startedAt += seconds }
        #expect(world.check("/hr/") == status)
    }

    /// By this key, nobody can tell before its metadata have come that it is Entra.
    @Test func `algorithms that Entra never uses are our mistake, and end no session`() throws {
        let former = try World()
        former.signIn(Person.alice)
        let tenant = "11111111-aaaa-4000-8000-000000000001"
        let registration = World.larkspur.replacing("authority", with: "oidc_authority")
            .replacing(tenant, with: "\(tenant)/v2.0")
        let world = try World("id_token_algorithms = [\"ES256\"]", registration: registration)
        let first = try #require(world.get("/hr/").response?.http.headerFields[.location])
        let refused = world.send(
            .callback,
            query: try #require(world.pick(Person.alice, at: first))
        )
        let text = "'RS256' only, which 'id_token_algorithms' does not list"
        #expect(refused.events.contains { $0.text.contains(text) })
        let cookies = former.state.withLock(\.siteCookies)
        world.state.withLock { $0.siteCookies = cookies }
        world.advance(seconds: 3600)
        let url = try #require(world.get("/hr/").response?.http.headerFields[.location])
        #expect(url.contains("prompt=none"))
        world.send(.callback, query: try #require(world.pick(nil, at: url)))
        #expect(world.check("/hr/") == .noContent)
    }

    private static func value(_ name: String, _ url: String) -> String? {
        guard let start = url.firstRange(of: "&\(name)=")?.upperBound else { return nil }
        return String(url[start...].prefix { $0 != "&" })
    }
}
