import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// What log lines say beside their text.
@Suite struct EventTests {
    private static let tenant = "11111111-aaaa-4000-8000-000000000001"

    @Test func `a sign-in, a refusal and a sign-out say who, with which groups, and where`() throws
    {
        let world = try World()
        let signIn = world.signIn(Person.alice, wanting: "/hr/leave/?secret=1").events
        let subject = try #require(signIn.first { $0.kind == .signIn }).subject
        #expect(subject.user == Person.alice && subject.tenant == Self.tenant)
        #expect(subject.groups == ["hr"] && subject.path == "/hr/leave/")
        let out = world.send(.signOut, .post, fields: [.secFetchSite: "same-origin"]).events
        #expect(out.map(\.subject.user) == [Person.alice])
        world.signIn(Person.bob)
        let refused = world.send(.forbidden, wanted: "/hr/?secret=1").events
        #expect(refused.map(\.subject.user) == [Person.bob])
        #expect(refused.map(\.subject.groups) == [[]] && refused.map(\.subject.path) == ["/hr/"])
    }

    /// Each of them would write a line of its own.
    @Test func `what stands in a field is one line of a bounded length`() {
        let path = Event.Subject.path(
            "/a\nb\u{2028}c/" + String(repeating: "d", count: 9000) + "?e"
        )
        #expect(path.hasPrefix("/a b c/d") && path.count == 200)
        let session = Session.sample(tenant: "t\r\nx", object: "o\u{85}", name: "n")
        #expect(Event.Subject(session).tenant == "t  x" && Event.Subject(session).user == "o ")
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_795_406_664_042, "2026-11-23T04:04:24.042Z"),
        (1_795_406_699_999, "2026-11-23T04:04:59.999Z"),
    ])
    func `a time has milliseconds`(milliseconds: Int, text: String) {
        #expect(CalendarTime.timestamp(milliseconds: milliseconds) == text)
    }

    /// Anybody may call the address.
    @Test func `sign-outs that fail for lack of a list are logged once a minute`() throws {
        let world = try World()
        world.state.withLock { $0.isRevocationListReadable = false }
        let query = "sid=00000000-0000-4000-8000-000000000000"
        let events = (0..<120).flatMap { _ in
            world.advance(seconds: 1)
            return world.send(.frontChannelSignOut, query: query).events
        }
        #expect(events.count == 2)
    }
}
