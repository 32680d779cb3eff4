import HTTPTypes
import Testing

@testable import EntraEmulator

/// Olga is in 251 groups, one of them the board's.
@Suite struct GroupOverageTests {
    private static let olga = "0fe40000-0000-4000-8000-000000000010"

    private static func page(_ world: World) throws -> (status: HTTPResponse.Status, text: String) {
        let begun = try #require(world.get("/board/").response)
        let url = try #require(begun.http.headerFields[.location])
        let query = try #require(world.pick(olga, at: url))
        let answer = world.send(.callback, query: query)
        return (answer.http.status, String(decoding: answer.body, as: UTF8.self))
    }

    @Test func `Graph says which of the site's groups somebody is in`() throws {
        let world = try World()
        world.signIn(Self.olga)
        #expect(world.check("/board/") == .noContent)
        #expect(world.check("/hr/") == .forbidden)
        _ = world.emulator.change(Self.olga) { user in
            user.groups.removeAll { $0 == "b0a2d000-0000-4000-8000-00000000b0a2" }
        }
        world.advance(seconds: 11 * 3600)
        world.signIn(Self.olga)
        #expect(world.check("/board/") == .forbidden)
    }

    /// Never "no groups", and never "all".
    @Test(arguments: [Fault.throttled, .unavailable, .garbage, .empty, .huge])
    func `where Graph does not say, nobody gets in`(fault: Fault) throws {
        let world = try World()
        world.emulator.faults.set(fault, Faults.Setting(isOnce: false, endpoint: .graph))
        let page = try Self.page(world)
        #expect(page.status == .serviceUnavailable && page.text.contains("Try again"))
        #expect(world.check("/board/") == .unauthorized)
    }

    @Test func `without the permission nobody gets in, and the page says why`() throws {
        let world = try World()
        world.emulator.faults.set(.graphForbidden, Faults.Setting(isOnce: false))
        let page = try Self.page(world)
        #expect(page.status == .forbidden && page.text.contains("cannot find out your groups"))
        #expect(world.check("/board/") == .unauthorized)
    }

    @Test func `where one question is not permitted, the other is asked`() throws {
        let world = try World()
        world.emulator.faults.set(.graphForbidden, Faults.Setting(isOnce: true))
        world.signIn(Self.olga)
        #expect(world.check("/board/") == .noContent)
    }

    /// Who is signed in goes on for a while where Graph is out of order, and not where it says no.
    @Test(arguments: [(Fault.unavailable, true), (.garbage, true), (.graphForbidden, false)])
    func `asked again, a Graph that fails puts it off, and one that refuses ends it`(
        fault: Fault,
        goesOn: Bool
    ) throws {
        let world = try World()
        world.signIn(Self.olga)
        world.advance(seconds: 3600)
        let url = try #require(world.get("/board/").response?.http.headerFields[.location])
        let query = try #require(world.pick(nil, at: url))
        world.emulator.faults.set(fault, Faults.Setting(isOnce: false, endpoint: .graph))
        _ = world.send(.callback, query: query)
        #expect(world.check("/board/") == (goesOn ? .noContent : .unauthorized))
    }

    /// Answers to the question for groups, and whether the session goes on.
    @Test(arguments: [
        (#"{}"#, 401, false), (#"{}"#, 404, false), (#"{}"#, 429, true), (#"{}"#, 500, true),
        (#"{}"#, 502, true), (#"{}"#, 302, true), (#"{}"#, 200, true),
        (#"{"value":["b0a2d000-0000-4000-8000-00000000b0a2"],"@odata.nextLink":"x"}"#, 200, true),
        (#"{"value":[1]}"#, 200, true), (#"{"value":[]}"#, 200, false),
    ])
    func `an answer of Graph that says nothing ends nothing and lets nobody in`(
        body: String,
        status: Int,
        goesOn: Bool
    ) throws {
        for isSignedIn in [true, false] {
            let world = try World()
            if isSignedIn { world.signIn(Self.olga) }
            world.advance(seconds: 3600)
            let url = try #require(world.get("/board/").response?.http.headerFields[.location])
            let query = try #require(world.pick(isSignedIn ? nil : Self.olga, at: url))
            world.state.withLock {
                $0.answer = AccountWatchTests.instead(of: "/v1.0/me/", body, status: status)
            }
            _ = world.send(.callback, query: query)
            #expect((world.check("/board/") == .noContent) == (isSignedIn && goesOn))
        }
    }

    @Test func `where Graph is not to be asked, nobody gets in`() throws {
        let world = try World("group_overage = \"refuse\"")
        let page = try Self.page(world)
        #expect(page.status == .forbidden && page.text.contains("cannot find out your groups"))
    }
}
