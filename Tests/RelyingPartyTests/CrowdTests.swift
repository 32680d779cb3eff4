import HTTPTypes
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// Many come back from the provider at once, and some of them have never been there.
@Suite struct CrowdTests {
    private static func begin(_ world: World) throws -> String {
        let url = try #require(world.send(.signIn, wanted: "/hr/").http.headerFields[.location])
        return try #require(world.pick(Person.alice, at: url))
    }

    private static func waiting(_ outcome: Outcome) -> Waiting? {
        guard case .wait(let waiting) = outcome else { return nil }
        return waiting
    }

    private static func answer(_ outcome: Outcome) -> Response? {
        guard case .answer(let response) = outcome else { return nil }
        return response
    }

    @Test func `a callback waits for the provider, and nothing before that asks it`() throws {
        let world = try World()
        let query = try Self.begin(world)
        let sends = world.state.withLock(\.sends)
        let request = world.request(.callback, query: query)
        let waiting = try #require(Self.waiting(world.relyingParty.outcome(of: request)))
        #expect(waiting.queue == .signIn && world.state.withLock(\.sends) == sends)
        let response = world.relyingParty.finish(waiting, request)
        #expect(response.http.headerFields[.location] == "http://localhost:8080/hr/")
    }

    /// What strangers send has no place in a queue, and costs no call.
    @Test(arguments: ["state=invented", "the same state again", "no cookie"])
    func `an invented callback is answered at once`(kind: String) throws {
        let world = try World()
        let query = try Self.begin(world)
        var request = world.request(.callback, query: query)
        switch kind {
        case "no cookie":
            request = world.request(
                .callback,
                query: query,
                fields: [.secFetchMode: "navigate", .cookie: "a=b"]
            )
        case "state=invented": request = world.request(.callback, query: "code=x&state=invented")
        default: _ = world.relyingParty.respond(to: request)
        }
        let sends = world.state.withLock(\.sends)
        for index in 0..<100 {
            if kind == "the same state again" {
                request.query = query.replacing("code=", with: "code=\(index)")
            }
            #expect(Self.answer(world.relyingParty.outcome(of: request)) != nil)
        }
        #expect(world.state.withLock(\.sends) == sends)
    }

    @Test func `whoever reloads while waiting begins again by themselves, three times`() throws {
        let world = try World()
        var query = try Self.begin(world)
        for round in 0..<4 {
            // The first one waits; its answer never reaches the browser.
            #expect(
                Self.waiting(world.relyingParty.outcome(of: world.request(.callback, query: query)))
                    != nil
            )
            let again = world.send(.callback, query: query)
            if round == 3 {
                #expect(again.http.status == .badRequest)
                return
            }
            let url = try #require(again.http.headerFields[.location])
            query = try #require(world.pick(nil, at: url))
        }
    }

    @Test func `who waited for too long is told so, and the code is not used`() throws {
        let world = try World()
        let query = try Self.begin(world)
        let request = world.request(.callback, query: query)
        let waiting = try #require(Self.waiting(world.relyingParty.outcome(of: request)))
        let sends = world.state.withLock(\.sends)
        world.advance(seconds: 21)
        let response = world.relyingParty.finish(waiting, request)
        #expect(response.http.status == .serviceUnavailable)
        #expect(String(decoding: response.body, as: UTF8.self).contains("Too many people"))
        #expect(world.state.withLock(\.sends) == sends)
    }

    @Test func `whom the provider is asked again about waits in a queue of its own`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        let request = world.request(.signIn, wanted: "/hr/")
        let first = try #require(Self.waiting(world.relyingParty.outcome(of: request)))
        #expect(first.queue == .revalidation)
        let begun = world.relyingParty.finish(first, request)
        let url = try #require(begun.http.headerFields[.location])
        let query = try #require(world.pick(nil, at: url))
        let callback = world.request(.callback, query: query)
        let second = try #require(Self.waiting(world.relyingParty.outcome(of: callback)))
        #expect(second.queue == .revalidation)
        // Where even that is full, the session goes on for some minutes.
        let response = world.relyingParty.refuse(second, callback)
        #expect(response.http.headerFields[.location] == "http://localhost:8080/hr/")
        #expect(response.events.contains { $0.text.contains("revalidation postponed") })
    }

    @Test func `a network that invents codes waits apart, and the others do not`() throws {
        let world = try World()
        for _ in 0..<InventedCodes.tolerated {
            let query = try Self.begin(world).replacing("code=", with: "code=x")
            _ = world.relyingParty.respond(
                to: world.request(.callback, query: query, network: "192.0.2.1")
            )
        }
        let query = try Self.begin(world)
        let doubted = world.request(.callback, query: query, network: "192.0.2.1")
        #expect(
            Self.waiting(world.relyingParty.outcome(of: doubted))?.queue == .doubtful
        )
        let next = try Self.begin(world)
        let other = world.request(.callback, query: next, network: "192.0.2.2")
        #expect(Self.waiting(world.relyingParty.outcome(of: other))?.queue == .signIn)
    }

    @Test func `of a burst of invented codes only the first cost a call`() throws {
        let world = try World()
        let burst = try (0..<100).map { _ in
            let query = try Self.begin(world).replacing("code=", with: "code=x")
            return world.request(.callback, query: query, network: "192.0.2.1")
        }
        let waiting = try burst.map {
            try #require(Self.waiting(world.relyingParty.outcome(of: $0)))
        }
        let sends = world.state.withLock(\.sends)
        for (waiting, request) in zip(waiting, burst) {
            _ = world.relyingParty.finish(waiting, request)
        }
        #expect(world.state.withLock(\.sends) == sends + InventedCodes.tolerated)
    }

    @Test func `whoever has signed in before does not wait with those who invent codes`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let cookies = world.state.withLock(\.siteCookies)
        world.state.withLock { $0.siteCookies = [:] }
        for _ in 0..<InventedCodes.tolerated {
            let query = try Self.begin(world).replacing("code=", with: "code=x")
            let request = world.request(.callback, query: query, network: "192.0.2.1")
            _ = world.relyingParty.respond(to: request)
        }
        func queue() throws -> Waiting.Queue? {
            let query = try Self.begin(world)
            let request = world.request(.callback, query: query, network: "192.0.2.1")
            return Self.waiting(world.relyingParty.outcome(of: request))?.queue
        }
        #expect(try queue() == .doubtful)
        world.state.withLock {
            $0.siteCookies = cookies
            $0.siteCookies["session"] = nil
        }
        #expect(try queue() == .signIn)
    }

    /// Whoever knows a code that the provider stumbles over could keep everybody else from it.
    @Test func `an answer that is a failure is no outage`() throws {
        let world = try World()
        try world.order(
            "/faults",
            ["name": "unavailable", "endpoint": "token", "until": "further-notice"]
        )
        for _ in 0..<2 * CircuitBreaker.failures {
            let query = try Self.begin(world)
            let sends = world.state.withLock(\.sends)
            #expect(world.send(.callback, query: query).http.status == .serviceUnavailable)
            #expect(world.state.withLock(\.sends) > sends)
        }
    }

    @Test func `an office with some stale links is no attacker`() {
        let codes = InventedCodes()
        for index in 0..<1000 {
            codes.count("office", isRedeemed: index % 10 != 0, at: 100)
            codes.count("attacker", isRedeemed: false, at: 100)
        }
        #expect(!codes.isDoubtful("office", at: 101) && codes.isDoubtful("attacker", at: 101))
        // It is remembered for the next window, and forgotten after that.
        #expect(codes.isDoubtful("attacker", at: 700) && !codes.isDoubtful("attacker", at: 1400))
        for index in 0..<100_000 { codes.count("n\(index)", isRedeemed: false, at: 1500) }
        #expect(!codes.isDoubtful("office", at: 1500) && !codes.isDoubtful(nil, at: 1500))
    }

    @Test func `where nothing answers, one call in some seconds is enough to find out`() {
        let outage = CircuitBreaker()
        for _ in 0..<CircuitBreaker.failures {
            #expect(outage.mayCall(at: 100))
            outage.countCall(isAnswered: false, at: 100)
        }
        #expect(!outage.mayCall(at: 102) && outage.mayCall(at: 103) && !outage.mayCall(at: 103))
        outage.countCall(isAnswered: true, at: 104)
        #expect(outage.mayCall(at: 104) && outage.mayCall(at: 104))
    }

    @Test func `a state is used once, and a flood of them is forgotten in time`() {
        let used = ReplayCache()
        func state(_ number: Int, at now: NumericDate) -> SignInState {
            SignInState(
                id: (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) },
                browser: Browser(id: [], at: now),
                returnPath: "/",
                startedAt: now,
                retries: 0
            )
        }
        #expect(used.use(state(1, at: 100), at: 100) && !used.use(state(1, at: 100), at: 3700))
        for number in 0..<1000 { _ = used.use(state(number, at: 4000), at: 4000) }
        #expect(!used.use(state(999, at: 4000), at: 7599))
        #expect(!used.use(state(999, at: 4000), at: 7601))
    }

    /// With a thread that fetches, no other one asks for keys.
    @Test func `threads that must not wait are answered at once, others get what was fetched`()
        throws
    {
        let fake = ProviderTests.Fake()
        let provider = try fake.provider(isLookedAfter: true)
        #expect(throws: ProviderError.self) { try provider.currentMetadata(at: TokenFactory.now) }
        #expect(fake.state.withLock(\.requests) == 0)
        #expect(throws: ProviderError.self) { try provider.current() }
        #expect(provider.refresh() == .fetched)
        _ = try provider.currentMetadata(at: TokenFactory.now)
        let requests = fake.state.withLock(\.requests)
        #expect(try provider.keys(named: "k1").count == 1)
        #expect(throws: ProviderError.self) { try provider.keys(named: "unknown") }
        #expect(fake.state.withLock(\.requests) == requests)
    }
}
