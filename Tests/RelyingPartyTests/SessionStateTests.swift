import HTTPTypes
import Testing

@testable import RelyingParty

/// Walks both tables of ``SessionState``, from the browser's side.
@Suite struct SessionStateTests {
    private static let file: HTTPFields = [.secFetchMode: "no-cors", .accept: "image/*"]
    private static let settings = """
        revalidate_after_seconds = 3600
        revalidate_grace_seconds = 1800
        session_idle_seconds = 7200
        """

    /// Somebody who is signed in and stands so.
    private static func world(_ state: SessionState) throws -> World {
        let world = try World(settings)
        world.signIn(Person.alice)
        switch state {
        case .fresh: world.advance(seconds: 3599)
        case .due: world.advance(seconds: 3600)
        case .postponed:
            world.advance(seconds: 3600)
            _ = answer(.unavailable, world)
            world.advance(seconds: 299)
        case .overdue: world.advance(seconds: 5400)
        }
        return world
    }

    /// Goes to a page, is sent to the provider, and comes back with that answer.
    private static func answer(_ answer: SessionState.Answer, _ world: World) -> Response? {
        guard let url = world.get("/hr/").response?.http.headerFields[.location],
            url.contains("prompt=none"),
            let state = url.firstRange(of: "&state=").map({ url[$0.upperBound...] })?
                .prefix(while: { $0 != "&" })
        else { return nil }
        switch answer {
        case .confirmed:
            return world.pick(nil, at: url).map { world.send(.callback, query: $0) }
        case .refused:
            return world.send(.callback, query: "error=login_required&state=\(state)")
        case .unavailable:
            return world.send(.callback, query: "error=server_error&state=\(state)")
        case .someoneElse:
            world.state.withLock { $0.entraCookie = nil }
            let asked = url.replacing("&prompt=none", with: "")
            return world.pick(Person.bob, at: asked).map { world.send(.callback, query: $0) }
        }
    }

    @Test(
        arguments: [
            (SessionState.fresh, true, true, false), (.due, false, true, true),
            (.postponed, true, true, false), (.overdue, false, false, true),
        ]
    )
    func `what a session is good for`(
        state: SessionState,
        pages: Bool,
        files: Bool,
        asksProvider: Bool
    ) throws {
        let world = try Self.world(state)
        #expect(state.permits(.page) == pages && state.permits(.file) == files)
        #expect((world.check("/hr/x.png", fields: Self.file) == .noContent) == files)
        #expect((world.check("/hr/") == .noContent) == pages)
        let url = world.get("/hr/").response?.http.headerFields[.location]
        #expect((url?.contains("prompt=none") == true) == asksProvider)
    }

    @Test(
        arguments: [SessionState.due, .overdue].flatMap { state in
            SessionState.Answer.allCases.map { (state, $0) }
        }
    )
    func `what an answer does to a session`(state: SessionState, answer: SessionState.Answer)
        throws
    {
        let world = try Self.world(state)
        let former = try #require(world.state.withLock { $0.siteCookies["session"] })
        let response = try #require(Self.answer(answer, world))
        let goesOn = world.check("/hr/", cookie: "session=\(former)", fields: Self.file)
        switch state.consequence(of: answer) {
        case .fresh:
            #expect(world.check("/hr/") == .noContent)
            world.advance(seconds: 3599)
            #expect(world.check("/hr/") == .noContent)
        case .ended:
            let next = try #require(response.http.headerFields[.location])
            #expect(next.contains("/authorize?") && !next.contains("prompt=none"))
            // With all its copies.
            #expect(goesOn == .unauthorized)
        case .postponed:
            #expect(world.check("/hr/") == .noContent)
            world.advance(seconds: 300)
            #expect(world.check("/hr/") == .unauthorized)
            #expect(world.check("/hr/x.png", fields: Self.file) == .noContent)
        case .unchanged:
            #expect(response.http.status == .serviceUnavailable)
            #expect(world.check("/hr/") == .unauthorized && goesOn == .unauthorized)
            // It is still there for the next question.
            #expect(Self.answer(.confirmed, world) != nil)
            #expect(world.check("/hr/") == .noContent)
        }
    }
}
