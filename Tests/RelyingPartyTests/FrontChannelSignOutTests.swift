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
        world.advance(seconds: 1)
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

    @Test func `the list has a bound, and the operator hears of it`() throws {
        let world = try World()
        func invented(_ number: Int) -> String {
            let digits = String(number + 100_000_000_000)
            return "sid=00000000-0000-4000-8000-\(digits)"
        }
        for number in 0..<FrontChannelSignOut.maximumPerHour {
            _ = Self.tell(world, invented(number))
        }
        let count = world.state.withLock(\.revoked.count)
        #expect(count == FrontChannelSignOut.maximumPerHour)
        let last = Self.tell(world, invented(count))
        #expect(last.http.status == .ok && last.events.contains { $0.level == .error })
        #expect(world.state.withLock(\.revoked.count) == count)
        world.advance(seconds: 3600)
        _ = Self.tell(world, invented(count))
        #expect(world.state.withLock(\.revoked.count) == count + 1)
    }

    @Test func `a list that cannot be written is told to the operator alone`() throws {
        let world = try World()
        world.state.withLock { $0.isRevocationListReadable = false }
        let answer = Self.tell(world, "sid=00000000-0000-4000-8000-000000000000")
        #expect(answer.http.status == .ok && answer.body.isEmpty)
        #expect(answer.events.contains { $0.level == .error })
    }
}
