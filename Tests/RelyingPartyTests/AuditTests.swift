import Access
import HTTPTypes
import Jansson
import Testing

@testable import RelyingParty

/// Groups whose pages leave a line each time they are opened.
@Suite struct AuditTests {
    /// A site whose group 'hr' is audited; `/both/` is for the board as well.
    private static func world(_ context: AuthenticationContext? = nil) throws -> World {
        let policy = AccessPolicy(
            groups: [
                GroupDefinition(name: "hr", roles: ["HR"], context: context, isAudited: true),
                GroupDefinition(name: "board", users: [Person.bob]),
            ],
            rules: World.policy.rules + [
                .init(path: "/both/", audience: .groups(["hr", "board"])),
                .init(path: "/_reader/group/hr.json", audience: .groups(["hr"])),
                .init(path: "/_search/hr/", audience: .groups(["hr"])),
            ]
        )
        let world = try World()
        let changed = try #require(policy)
        world.state.withLock { $0.policy = changed }
        return world
    }

    /// The lines since the last call.
    private static func lines(_ world: World) throws -> [JSON.Members] {
        let lines = world.state.withLock { state in
            defer { state.audit = [] }
            return state.audit
        }
        return try lines.map { line in
            #expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
            #expect(line.utf8.count { $0 == 0x0A } == 1 && line.hasSuffix("}\n"))
            return try #require(try JSON(parsing: Array(line.utf8)).members)
        }
    }

    private static func told(_ world: World, _ name: String) throws -> [String] {
        try lines(world).map { $0[name]?.string ?? "none" }
    }

    @Test func `a line says who opened what when, from where, and nothing else`() throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        #expect(world.check("/HR/Gehälter") == .noContent)
        let line = try #require(try Self.lines(world).first)
        let expected: JSON.Members = [
            "time": 1_800_000_000, "timestamp": "2027-01-15T08:00:00.000Z", "event": "audit",
            "outcome": "allowed", "user": .string(Person.alice),
            "tenant": "11111111-aaaa-4000-8000-000000000001", "path": "/hr/gehälter/",
            "release": "1", "address": "192.0.2.7", "method": "GET", "navigation": true,
            "prefetch": false,
        ]
        #expect(JSON.object(line) == JSON.object(expected))
        world.check("/hr/", fields: [.secFetchMode: "cors", .accept: "*/*"])
        #expect(try Self.lines(world).last?["navigation"] == false)
    }

    /// The path, and what the lines of a member and of somebody else say.
    @Test(arguments: [
        ("/hr/", "allowed", "refused"), ("/hr/a.pdf", "allowed", "refused"),
        ("/both/", "allowed", "allowed"), ("/_search/hr/1.json", "allowed", "refused"),
        ("/_reader/group/hr.json", nil, nil), ("/", nil, nil), ("/public/", nil, nil),
        ("/board/", nil, nil), ("/hr/%2e", nil, nil), ("/hr/../hr/", nil, nil),
    ])
    func `paths of audited groups leave lines`(path: String, member: String?, other: String?) throws
    {
        let world = try Self.world()
        for (person, outcome) in [(Person.alice, member), (Person.bob, other)] {
            world.signIn(person)
            world.check(path)
            #expect(try Self.told(world, "outcome") == [outcome].compactMap(\.self))
        }
    }

    @Test func `a stranger leaves no line, and neither does a session that has ended`() throws {
        let world = try Self.world()
        #expect(world.check("/hr/") == .unauthorized)
        #expect(world.check("/hr/", cookie: "session=x") == .unauthorized)
        world.signIn(Person.alice)
        world.advance(seconds: 100_000)
        #expect(world.check("/hr/") == .unauthorized)
        #expect(try Self.lines(world).isEmpty)
    }

    @Test func `what is fetched ahead or asked for by its head says so`() throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        world.check("/hr/", fields: World.navigation + [.secPurpose: "prefetch;prerender"])
        let lines = try Self.lines(world)
        #expect(lines.map { $0["prefetch"] } == [true])
        let cookies = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
        let fetch = FetchMetadata(
            method: "HEAD",
            mode: nil,
            accept: nil,
            requestedWith: nil
        )
        let response = world.relyingParty.check(
            path: "/hr/",
            release: World.release,
            cookie: cookies.sorted().joined(separator: "; "),
            fetch: fetch
        )
        #expect(response.http.status == .noContent)
        let head = try #require(try Self.lines(world).first)
        #expect(head["method"] == "HEAD" && head["address"] == .null)
    }

    @Test func `a reader who has to confirm is told apart`() throws {
        let world = try Self.world(AuthenticationContext(name: "c1", seconds: 900))
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .unauthorized)
        #expect(world.check("/hr/a.png", fields: [.secFetchMode: "no-cors"]) == .forbidden)
        #expect(try Self.told(world, "outcome") == ["unconfirmed", "unconfirmed"])
    }

    /// The address as nginx decodes it, and the path of the line.
    @Test(arguments: [
        ("/hr/x", "/hr/x/"), ("/hr/x;jsessionid=secret", "/hr/x…"), ("/hr/a?code=secret", "/hr/a…"),
        ("/hr/50%25", "/hr/50…"), ("/hr/a b\u{2028}é", "/hr/a b\u{2028}é/"), ("/wiki/", nil),
        ("/h%72/x", "/h…"),
    ])
    func `an application's line ends where a query or a session's id may begin`(
        path: String,
        told: String?
    ) throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        let cookies = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
        func ask(_ path: String) {
            _ = world.relyingParty.identity(
                path: path,
                release: World.release,
                cookie: cookies.sorted().joined(separator: "; "),
                fetch: FetchMetadata(World.navigation)
            )
        }
        ask(path)
        #expect(try Self.told(world, "path") == [told].compactMap(\.self))
        ask("/hr/" + String(repeating: "é", count: 3000))
        let long = try Self.told(world, "path")[0]
        #expect(
            long.hasSuffix("é…") && long.unicodeScalars.count == AuditLine.maximumPathLength + 1
        )
    }

    @Test func `without a line an audited page is refused, and other pages are not`() throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        world.state.withLock { $0.auditProblem = "the disk is full" }
        #expect(world.check("/hr/") == .forbidden && world.check("/") == .noContent)
        let page = try #require(world.get("/hr/").response)
        #expect(page.http.status == .serviceUnavailable)
        #expect(String(decoding: page.body, as: UTF8.self).contains("not fully set up"))
        let event = "pages for audited groups (hr) are refused: the disk is full"
        #expect(page.events.map(\.text) == [event])
        // Whoever may not read it anyway learns nothing about the audit.
        world.signIn(Person.bob)
        #expect(world.get("/hr/").response?.http.status == .forbidden)
        world.state.withLock { $0.auditProblem = nil }
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .noContent)
        let metrics = String(decoding: world.relyingParty.status(.metrics).body, as: UTF8.self)
        #expect(metrics.contains("siteauth_audit_lines_total{outcome=\"written\"} 1\n"))
        #expect(metrics.contains("siteauth_audit_lines_total{outcome=\"failed\"} 3\n"))
    }

    @Test func `a server that keeps no audit shows no page that wants one`() throws {
        let world = try Self.world()
        var storage = world.storage
        let none = Storage(
            policy: storage.policy,
            frame: storage.frame,
            revocations: storage.revocations,
            revoke: storage.revoke
        )
        storage.audit = none.audit
        storage.auditProblem = none.auditProblem
        let configuration = world.relyingParty.configuration
        let relyingParty = RelyingParty(configuration, world.environment, storage)
        world.signIn(Person.alice)
        let cookies = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
        for (path, status) in [("/hr/", HTTPResponse.Status.forbidden), ("/", .noContent)] {
            let answer = relyingParty.check(
                path: path,
                release: World.release,
                cookie: cookies.sorted().joined(separator: "; "),
                fetch: FetchMetadata(World.navigation)
            )
            #expect(answer.http.status == status)
        }
        #expect(
            relyingParty.auditProblem()?.hasSuffix("'audit' is missing in secrets.toml") == true
        )
        world.state.withLock { $0.policy = World.policy }
        #expect(relyingParty.auditProblem() == nil)
    }
}
