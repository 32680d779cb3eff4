import HTTPTypes
import Testing

@testable import RelyingParty

@Suite struct CallbackTests {
    private static func begin(_ world: World) throws -> String {
        let url = try #require(world.send(.signIn, wanted: "/hr/").http.headerFields[.location])
        return try #require(world.pick(Person.alice, at: url))
    }

    private static func value(_ name: String, in query: String) -> Substring? {
        query.split(separator: "&").first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
    }

    private static func expectNoSession(_ world: World) {
        #expect(world.state.withLock { $0.siteCookies["session"] } == nil)
    }

    /// Hostile inputs HO-01 to HO-03; `CODE` and `STATE` stand for genuine ones.
    @Test(arguments: [
        "code=CODE", "code=CODE&state=", "code=CODE&state=x", "code=CODE&state=STATE%00",
        "code=CODE&state=STATE=", "code=CODE&state=STATEA", "state=STATE", "state=STATE&code=",
        "code=CODE&code=CODE&state=STATE", "code=CODE&state=STATE&state=STATE",
        "code=CODE&state=STATE&st%61te=x", "code=CODE&state=%zz", "code=CODE&state=%ff",
        "code[]=CODE&state[]=STATE&code=CODE",
    ])
    func `a callback that is not exactly right makes no session`(query: String) throws {
        let world = try World()
        let genuine = try Self.begin(world)
        let code = try #require(Self.value("code", in: genuine))
        let state = try #require(Self.value("state", in: genuine))
        let hostile = query.replacing("CODE", with: code).replacing("STATE", with: state)
        let response = world.send(.callback, query: hostile)
        #expect(response.http.status == .badRequest)
        #expect(response.http.headerFields[.cacheControl] == "no-store")
        #expect(response.events.contains { $0.text.hasPrefix("callback refused") })
        Self.expectNoSession(world)
    }

    /// The emulator's code has expired by then, too, so the reason is looked at: what is refused
    /// by us is not redeemed, and what we admit is.
    @Test(arguments: [(3600, true), (3601, false), (-300, true), (-301, false)])
    func `a state is good for an hour, and not from the future`(
        seconds: Int,
        isGood: Bool
    ) throws {
        let world = try World()
        let query = try Self.begin(world)
        world.advance(seconds: seconds)
        let response = world.send(.callback, query: query)
        let isTooOld = response.events.contains {
            $0.text.contains("'state' was not made by this site, or has expired")
        }
        #expect(isTooOld == !isGood, "\(response.events.map(\.text))")
        if !isGood { Self.expectNoSession(world) }
    }

    @Test func `an attacker's code and state are nothing in another browser`() throws {
        let attacker = try World()
        let query = try Self.begin(attacker)
        // The same site, another browser: it has been there before and has a cookie of its own.
        attacker.state.withLock { $0.siteCookies = [:] }
        attacker.send(.signIn, wanted: "/")
        let response = attacker.send(.callback, query: query)
        #expect(response.http.headerFields[.location]?.contains("/authorize?") == true)
        Self.expectNoSession(attacker)
    }

    @Test func `a code works once; the second time leads on whoever is signed in`() throws {
        let world = try World()
        let query = try Self.begin(world)
        world.send(.callback, query: query)
        let again = world.send(.callback, query: query)
        #expect(again.http.headerFields[.location] == "http://localhost:8080/hr/")
        world.state.withLock { $0.siteCookies["session"] = nil }
        let third = world.send(.callback, query: query)
        #expect(third.http.headerFields[.location]?.contains("/authorize?") == true)
        Self.expectNoSession(world)
        // A process that has just started has not seen the state before; the provider has.
        let fourth = world.restarted().respond(
            to: world.request(.callback, query: query)
        )
        #expect(fourth.http.status == .badRequest)
        #expect(fourth.events.contains { $0.text.contains("AADSTS54005") })
    }

    @Test func `an error of Entra is told in our words, and none of its own gets into the page`()
        throws
    {
        let world = try World()
        let text = "<script>alert(1)</script>\r\nTrace ID: 1-2"
        let query = Form.encode([
            ("error", "access_denied"), ("error_subcode", "cancel"),
            ("error_description", "AADSTS65004: \(text)"), ("error_uri", "javascript:alert(1)"),
            ("state", String(try #require(Self.value("state", in: try Self.begin(world))))),
        ])
        let response = world.send(.callback, query: query)
        #expect(response.http.status == .forbidden)
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(!page.contains("script") && !page.contains("AADSTS"))
        let event = try #require(response.events.first)
        #expect(event.text.contains("'access_denied' 'cancel' AADSTS65004"))
        #expect(!event.text.contains("\n"))
    }

    @Test(arguments: [
        ("temporarily_unavailable", 503), ("interaction_required", 403), ("invalid_client", 502),
        ("made_up", 502),
    ])
    func `each class of error has its status`(error: String, status: Int) throws {
        let world = try World()
        let genuine = try Self.begin(world)
        let state = try #require(Self.value("state", in: genuine))
        let response = world.send(.callback, query: "error=\(error)&state=\(state)")
        #expect(response.http.status.code == status)
        // Without a state of ours anybody could raise alarms.
        let invented = world.send(.callback, query: "error=\(error)&state=x")
        #expect(invented.http.status == .badRequest)
        #expect(!invented.events.contains { $0.level == .error })
    }

    /// RFC 9207, section 2.4, holds for errors as well.
    @Test func `an error in another issuer's name is nobody's`() throws {
        for issuer in ["&iss=https%3A%2F%2Fevil.example", "&iss="] {
            let world = try World()
            let state = try #require(Self.value("state", in: try Self.begin(world)))
            let query = "error=invalid_client&state=\(state)" + issuer
            let response = world.send(.callback, query: query)
            #expect(response.http.status == .badRequest)
            #expect(response.events.contains { $0.text.contains("'iss' is") })
        }
    }

    @Test func `a release without a policy signs nobody in, and the answer can still be used`()
        throws
    {
        let world = try World()
        let query = try Self.begin(world)
        var request = world.request(.callback, query: query)
        request.release = "/site/releases/2"
        let response = world.relyingParty.respond(to: request)
        #expect(response.http.status == .internalServerError)
        #expect(response.events.contains { $0.text.contains("the release has no access policy") })
        #expect(world.send(.callback, query: query).http.status == .seeOther)
    }

    @Test func `a callback without anything leads to the first page`() throws {
        let world = try World()
        for query in ["", "admin_consent=True&tenant=x"] {
            let response = world.send(.callback, query: query)
            #expect(response.http.headerFields[.location] == "http://localhost:8080/")
        }
    }

    @Test func `neither HEAD nor POST nor a prefetch uses up the code`() throws {
        let world = try World()
        let query = try Self.begin(world)
        #expect(world.send(.callback, .head, query: query).http.status == .methodNotAllowed)
        #expect(world.send(.callback, .post, query: query).http.status == .badRequest)
        let prefetch: HTTPFields = [.secPurpose: "prefetch;prerender"]
        #expect(
            world.send(.callback, query: query, fields: prefetch).http.status == .methodNotAllowed
        )
        let finished = world.send(.callback, query: query)
        #expect(finished.http.headerFields[.location] == "http://localhost:8080/hr/")
    }

    @Test func `each sign-in makes a new session`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let first = world.state.withLock { $0.siteCookies["session"] }
        world.signIn(Person.alice)
        #expect(world.state.withLock { $0.siteCookies["session"] } != first)
    }

    @Test func `a cookie secret that was put in front keeps sessions and sign-ins under way`()
        throws
    {
        let old = try World()
        let query = try Self.begin(old)
        let instance = old.relyingParty.configuration.instance
        let keys = KeyRing(
            secrets: [World.otherCookieSecret, World.cookieSecret],
            instance: instance,
            random: { [UInt8](repeating: 1, count: $0) }
        )
        let state = String(try #require(Self.value("state", in: query)))
        #expect(keys.open(state, for: .state) != nil)
        #expect(keys.open(state, for: .session) == nil)
        #expect(keys.derive("nonce", fromSealed: state, and: [1]) != nil)
        let removed = KeyRing(
            secrets: [World.otherCookieSecret],
            instance: instance,
            random: { [UInt8](repeating: 1, count: $0) }
        )
        #expect(removed.open(state, for: .state) == nil)
        // The same secret at another site, or with another registration, opens nothing.
        let elsewhere = KeyRing(
            secrets: [World.cookieSecret],
            instance: instance + "x",
            random: { [UInt8](repeating: 1, count: $0) }
        )
        #expect(elsewhere.open(state, for: .state) == nil)
    }
}
