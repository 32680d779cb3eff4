import Access
import HTTPTypes
import Jansson
import Testing

@testable import EntraEmulator

/// Entra, or somebody in between, does what it should not: nobody gets in by it.
@Suite struct EntraFaultTests {
    /// The way of alice to a page, as far as she comes.
    ///
    /// - Returns: the status of siteauth's last answer.
    private static func journey(_ world: World) throws -> HTTPResponse.Status {
        let begun = try #require(world.get("/hr/").response)
        guard let url = begun.http.headerFields[.location],
            let query = world.pick(Person.alice, at: url)
        else { return begun.http.status }
        return world.send(.callback, query: query).http.status
    }

    /// Faults after which siteauth cannot know who it is; a context counts only where one is asked for.
    private static let fatal = Fault.allCases.filter {
        [.idToken, .answer].contains($0.target)
            && ![.signInError, .contextMissing, .contextWrong].contains($0)
    }

    @Test(arguments: fatal)
    func `a token or an answer that is not sound lets nobody in`(fault: Fault) throws {
        let world = try World()
        try world.order("/faults", ["name": .string(fault.rawValue)])
        let status = try Self.journey(world)
        #expect(status.kind != .successful && status.kind != .redirection, "\(status)")
        #expect(world.check("/hr/") == .unauthorized)
        // It was the fault, and nothing else: without it she comes in.
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .noContent)
    }

    @Test(
        arguments: ["throttled", "unavailable", "garbage", "huge", "empty"],
        ["discovery", "keys", "token"]
    )
    func `an endpoint that answers nonsense lets nobody in`(fault: String, endpoint: String) throws
    {
        let world = try World()
        try world.order(
            "/faults",
            ["name": .string(fault), "endpoint": .string(endpoint), "until": "further-notice"]
        )
        let status = try Self.journey(world)
        #expect(status.kind != .successful && status.kind != .redirection, "\(status)")
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test(arguments: [50057, 65004, 53003, 50105, 90033, 65001])
    func `what Entra refuses stays refused`(number: Int) throws {
        let world = try World()
        try world.order("/faults", ["name": "sign-in-error", "number": .integer(number)])
        _ = try Self.journey(world)
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test(arguments: [7_000_215, 7_000_222, 700_016, 54005, 90033, 50196])
    func `what the token endpoint refuses stays refused`(number: Int) throws {
        let world = try World()
        try world.order("/faults", ["name": "token-error", "number": .integer(number)])
        let status = try Self.journey(world)
        #expect(status.kind != .successful && status.kind != .redirection, "\(status)")
        #expect(world.check("/hr/") == .unauthorized)
    }

    /// The check wants a new sign-in, and that fails: a page says so, and nobody goes in circles.
    @Test func `a sign-in that fails is told to whoever is signed in under old rules`() throws {
        let world = try World()
        world.signIn(Person.alice)
        try world.redefineGroups()
        try world.order(
            "/faults",
            ["name": "token-error", "number": 7_000_222, "until": "further-notice"]
        )
        let status = try Self.journey(world)
        #expect(status == .badGateway)
        #expect(world.check("/hr/") == .unauthorized)
    }

    /// `tid` and `oid` decide; an address that is somebody else's does not (nOAuth).
    @Test func `somebody with another's address is not that other`() throws {
        let world = try World()
        world.signIn("3a110400-0000-4000-8000-000000000011")
        #expect(world.check("/hr/") == .forbidden)
    }

    @Test func `a key that is new in the middle of a sign-in works`() throws {
        let world = try World()
        world.signIn(Person.bob)
        try world.order("/keys", ["change": "replace"])
        world.advance(seconds: 301)
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .noContent)
    }
}
