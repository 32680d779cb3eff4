import Access
import HTTPTypes
import Testing

@testable import RelyingParty

/// Entra's sign-out page tells us, in a hidden frame and without any cookie.
@Suite struct FrontChannelSignOutTests {
    private static let frame: HTTPFields = [.cookie: "", .secFetchMode: "navigate"]

    private static func sid(_ world: World) throws -> String {
        let cookie = try #require(world.state.withLock { $0.siteCookies["session"] })
        let header = "session=\(cookie)"
        let session = KeyRing(
            secrets: world.relyingParty.configuration.cookieSecrets,
            instance: world.relyingParty.configuration.instance,
            random: { [UInt8](repeating: 0, count: $0) }
        ).open(String(header.dropFirst(8)), for: .session).flatMap(Session.init)
        return try #require(session).providerSession.text
    }

    private static func tell(_ world: World, _ query: String) -> Response {
        world.send(.frontChannelSignOut, query: query, fields: frame)
    }

    @Test func `it ends the sessions of that sid that began before, and no later one`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let sid = try Self.sid(world)
        let copy = try #require(world.state.withLock { $0.siteCookies["session"] })
        #expect(world.check("/hr/") == .noContent)
        #expect(Self.tell(world, "sid=\(sid.uppercased())").http.status == .ok)
        #expect(world.check("/hr/") == .unauthorized)
        world.advance(seconds: 1)
        world.signIn(Person.alice)
        #expect(try Self.sid(world) == sid)
        #expect(world.check("/hr/") == .noContent)
        #expect(world.check("/hr/", cookie: "session=\(copy)") == .unauthorized)
        // And once more, though that sid is on the list already.
        world.advance(seconds: FrontChannelSignOut.pause)
        _ = Self.tell(world, "sid=\(sid)")
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test(arguments: [
        "", "sid=", "sid=x", "sid=../../etc/passwd", "sid=%00",
        "sid=aaaaaaaa-0000-4000-8000-000000000000", "sid=SID&sid=SID", "sid=SID&iss=",
        "sid=SID&iss=https://evil.example/", "sid=SID&iss=http://localhost:8081/common/v2.0",
    ])
    func `whatever comes, the answer is the same and nobody else is signed out`(query: String)
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        let sid = try Self.sid(world)
        let query = query.replacing("SID", with: sid)
        let known = Self.tell(world, "sid=00000000-0000-4000-8000-000000000000")
        let answer = Self.tell(world, query)
        #expect(answer.http == known.http && answer.body == known.body)
        #expect(answer.http.status == .ok && answer.body.isEmpty)
        #expect(answer.http.headerFields[.setCookie] == nil)
        #expect(answer.http.headerFields[.location] == nil)
        let isHeard = query == "sid=\(sid)&iss="
        #expect((world.check("/hr/") == .noContent) == !isHeard)
    }

    @Test func `an issuer that is sent has to be ours`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let sid = try Self.sid(world)
        let issuer = "http://localhost:8081/11111111-aaaa-4000-8000-000000000001/v2.0"
        _ = Self.tell(world, "sid=\(sid)&iss=\(PercentEncoding.encode(issuer))")
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test func `the answer to a known sid is that to an unknown one`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let answers = try [Self.sid(world), "00000000-0000-4000-8000-000000000000"].map {
            Self.tell(world, "sid=\($0)")
        }
        #expect(answers[0].http == answers[1].http)
        #expect(answers[0].body == answers[1].body)
    }

    @Test func `only GET is heard`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let sid = try Self.sid(world)
        let answer = world.send(
            .frontChannelSignOut,
            .post,
            query: "sid=\(sid)",
            fields: Self.frame,
            body: "sid=\(sid)"
        )
        #expect(answer.http.status == .methodNotAllowed)
        #expect(world.check("/hr/") == .noContent)
    }

    /// Each was a file that stayed for a month, and anybody can make them up.
    @Test func `invented ones leave nothing behind, and real ones go through meanwhile`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let isSilent = (0..<30_000).allSatisfy { number in
            let sid = "00000000-0000-4000-8000-\(number + 100_000_000_000)"
            let answer = Self.tell(world, "sid=\(sid)")
            return answer.http.status == .ok && answer.events.isEmpty
        }
        #expect(isSilent)
        #expect(world.state.withLock(\.revoked.count) == 0)
        #expect(world.state.withLock(\.providerSessions.count) == 1)
        _ = Self.tell(world, "sid=\(try Self.sid(world))")
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test
    func `a sid is noted for as long as a session may last, and longer when Entra is asked again`()
        throws
    {
        let world = try World(
            "session_lifetime_seconds = 7200\nrevalidate_after_seconds = 600"
        )
        world.signIn(Person.alice)
        let end = 1_800_000_000 + 7200 + Sessions.clockSkew
        #expect(world.state.withLock { Array($0.providerSessions.values) } == [end])
        world.advance(seconds: 700)
        let begun = world.send(.signIn, wanted: "/")
        let url = try #require(begun.http.headerFields[.location])
        #expect(url.contains("prompt=none"))
        world.send(.callback, query: try #require(world.pick(nil, at: url)))
        #expect(world.check("/") == .noContent)
        #expect(world.state.withLock { Array($0.providerSessions.values) } == [end + 700])
    }

    /// A `sid` stands in addresses and logs: with a call a second nobody could stay signed in.
    @Test func `a call that is repeated within minutes ends no session that began after the first`()
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        let sid = try Self.sid(world)
        _ = Self.tell(world, "sid=\(sid)")
        #expect(world.check("/hr/") == .unauthorized)
        world.advance(seconds: 1)
        world.signIn(Person.alice)
        for _ in 1..<300 {
            let answer = Self.tell(world, "sid=\(sid)")
            #expect(answer.http.status == .ok && answer.events.isEmpty)
            #expect(world.check("/hr/") == .noContent)
            world.advance(seconds: 1)
        }
        _ = Self.tell(world, "sid=\(sid)")
        #expect(world.check("/hr/") == .unauthorized)
    }

    /// A full disk, or a full list: the session is as good as any, and its end is heard of later.
    @Test func `a sid that cannot be noted keeps nobody outside, and the operator hears of it`()
        throws
    {
        let world = try World()
        world.state.withLock { $0.isRevocationListReadable = false }
        let answer = world.signIn(Person.alice)
        #expect(answer.http.status == .seeOther && answer.events.contains { $0.level == .error })
        world.state.withLock { $0.isRevocationListReadable = true }
        #expect(world.check("/hr/") == .noContent)
    }

    @Test func `a list that cannot be written is told to the operator alone`() throws {
        let world = try World()
        world.state.withLock { $0.isRevocationListReadable = false }
        let answer = Self.tell(world, "sid=00000000-0000-4000-8000-000000000000")
        #expect(answer.http.status == .ok && answer.body.isEmpty)
        #expect(answer.events.contains { $0.level == .error })
    }
}
