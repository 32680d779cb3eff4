import HTTPTypes
import Jansson
import Testing

@testable import RelyingParty

/// What Microsoft Graph may not do, whatever it answers.
@Suite struct GraphAnswerTests {
    private typealias Watch = AccountWatchTests

    private static let board = Watch.board

    /// The answer to a question in a batch.
    private static func batch(_ body: String, status: String = "200") -> String {
        #"{"responses":[{"id":"0","status":\#(status),"body":\#(body)}]}"#
    }

    private static func user(_ enabled: String, _ since: String = "null") -> String {
        let since = #""signInSessionsValidFromDateTime":\#(since)"#
        return #"{"id":"\#(Person.carol)","accountEnabled":\#(enabled),\#(since)}"#
    }

    private static func delta(_ link: String, _ value: String = "[]") -> String {
        #"{"value":\#(value),"@odata.nextLink":"\#(link)"}"#
    }

    private static let deltaPath = "http://localhost:8081/v1.0/groups/delta"

    private static let unusable: [(path: String, status: Int, body: String)] = [
        // The list of accounts is no list, or broken off.
        ("/v1.0/$batch", 200, ""), ("/v1.0/$batch", 200, "[]"), ("/v1.0/$batch", 200, "{}"),
        ("/v1.0/$batch", 200, #"{"responses":{}}"#), ("/v1.0/$batch", 200, #"{"responses":[1]}"#),
        ("/v1.0/$batch", 200, #"{"responses":[]}"#),
        (
            "/v1.0/$batch", 200,
            #"{"responses":[{"id":"0","status":200,"body":{"value":[{"id":"ca40"#
        ),
        ("/v1.0/$batch", 200, #"{"responses":[{"id":"7","status":200,"body":{"value":[]}}]}"#),
        ("/v1.0/$batch", 200, #"{"responses":[{"id":"0","status":404},{"id":"0","status":404}]}"#),
        ("/v1.0/$batch", 200, batch(#"{"value":[]}"#, status: "\"200\"")),
        ("/v1.0/$batch", 200, batch(#"{"value":[]}"#, status: "404")),
        ("/v1.0/$batch", 200, batch(#"{"value":[]}"#, status: "302")),
        ("/v1.0/$batch", 200, batch("[]")), ("/v1.0/$batch", 200, batch("{}")),
        ("/v1.0/$batch", 200, batch(#"{"value":[1]}"#)),
        ("/v1.0/$batch", 200, batch(#"{"value":[{"id":"carol","accountEnabled":false}]}"#)),
        // The account is in doubt.
        ("/v1.0/$batch", 200, batch(#"{"value":[{"id":"\#(Person.carol)"}]}"#)),
        ("/v1.0/$batch", 200, batch(#"{"value":[\#(user("null"))]}"#)),
        ("/v1.0/$batch", 200, batch(#"{"value":[\#(user(#""false""#))]}"#)),
        ("/v1.0/$batch", 200, batch(#"{"value":[\#(user("0"))]}"#)),
        ("/v1.0/$batch", 200, batch(#"{"value":[\#(user("true", "1900000000"))]}"#)),
        ("/v1.0/$batch", 200, batch(#"{"value":[\#(user("true", #""tomorrow""#))]}"#)),
        ("/v1.0/$batch", 200, batch(#"{"value":[\#(user("true")),\#(user("false"))]}"#)),
        // Nor does an error page end anything, nor a redirect lead anywhere.
        ("/v1.0/$batch", 500, "<html>"), ("/v1.0/$batch", 403, #"{"error":{"code":"x"}}"#),
        ("/v1.0/$batch", 401, ""), ("/v1.0/$batch", 404, ""), ("/v1.0/$batch", 302, ""),
        ("/v1.0/groups", 403, #"{"error":{"code":7}}"#), ("/v1.0/groups", 410, ""),
        ("/v1.0/groups", 200, "{}"), ("/v1.0/groups", 200, #"{"value":[]}"#),
        ("/v1.0/groups", 200, delta("\(deltaPath)?x", "[1]")),
        ("/v1.0/groups", 200, delta("\(deltaPath)?x", #"[{"id":"board"}]"#)),
        (
            "/v1.0/groups", 200,
            delta("\(deltaPath)?x", #"[{"id":"\#(board)","members@delta":[1]}]"#)
        ),
        ("/v1.0/groups", 200, delta("\(deltaPath)?x", #"[{"id":"\#(board)","members@delta":1}]"#)),
        (
            "/v1.0/groups", 200,
            delta("\(deltaPath)?x", #"[{"id":"\#(board)","members@delta":[{"id":"x"}]}]"#)
        ),
        (
            "/v1.0/groups", 200,
            #"{"value":[],"@odata.nextLink":"\#(deltaPath)?x","@odata.deltaLink":"\#(deltaPath)?x"}"#
        ),
        // The token would go to somebody else, or to another question.
        ("/v1.0/groups", 200, delta("https://attacker.example/v1.0/groups/delta?x")),
        ("/v1.0/groups", 200, delta("http://localhost:8081@attacker.example/v1.0/groups/delta?x")),
        ("/v1.0/groups", 200, delta("http://localhost:8081.attacker.example/v1.0/groups/delta?x")),
        ("/v1.0/groups", 200, delta("https://localhost:8081/v1.0/groups/delta?x")),
        ("/v1.0/groups", 200, delta("/v1.0/groups/delta?x")),
        ("/v1.0/groups", 200, delta("http://localhost:8081/v1.0/users?x")),
        ("/v1.0/groups", 200, delta("\(deltaPath)/../../users?x")),
        ("/v1.0/groups", 200, delta("\(deltaPath)?x\\r\\nHost: attacker.example")),
        ("/v1.0/groups", 200, delta("\(deltaPath)?x y")),
        ("/v1.0/groups", 200, #"{"value":[],"@odata.deltaLink":7}"#),
    ]

    @Test(arguments: unusable.indices)
    func `an answer with a doubt in it ends nothing, is told once, and passes`(index: Int) throws {
        let (path, status, body) = Self.unusable[index]
        let world = try Watch.world()
        let location: HTTPFields = [.location: "https://attacker.example/"]
        world.state.withLock {
            $0.answer = Watch.instead(of: path, body, status: status, location)
            $0.graphPaths = []
        }
        let told = Watch.nextRound(world)
        #expect(told.map(\.level) == [.warning] && told.map(\.kind) == [.accountWatch])
        #expect(
            told.first?.text.hasPrefix("accounts are not watched, which ends no session: ") == true
        )
        #expect(Watch.nextRound(world, after: 3600) == [])
        #expect(world.check("/") == .noContent)
        #expect(
            world.state.withLock { state in
                state.revoked.isEmpty
                    && state.graphPaths.allSatisfy {
                        $0.hasPrefix("/v1.0/groups/delta?") || $0 == "/v1.0/$batch"
                    }
            }
        )
        world.state.withLock { $0.answer = nil }
        let text = "accounts are watched again"
        #expect(Watch.nextRound(world, after: 3600).map(\.text) == [text])
        try Watch.change(world, "disable")
        #expect(Watch.nextRound(world).count == 1 && world.check("/") == .unauthorized)
    }

    @Test func `another account's answer, and a list that is cut, end nothing`() throws {
        let disabledBob = Self.user("false").replacing(Person.carol, with: Person.bob)
        let error = #"{"error":{"code":"Request_ResourceNotFound"}}"#
        let other = #"{"error":{"code":"ResourceNotFound"}}"#
        // What the list says, and what the question for the one account is answered.
        let none = #"{"value":[]}"#
        let rows: [(String, String, String, Event.Kind?)] = [
            (#"{"value":[\#(disabledBob)]}"#, Self.user("true"), "200", nil),
            (none, #"{"id":"\#(Person.carol)"}"#, "200", .accountWatch),
            (none, "{}", "200", .accountWatch), (none, other, "404", .accountWatch),
            (none, error, "403", .accountWatch), (none, "{}", "404", .accountWatch),
            (none, error, "404", .revocation), (none, Self.user("false"), "200", .revocation),
        ]
        for (list, single, status, kind) in rows {
            let world = try Watch.world()
            world.state.withLock {
                $0.answer = { request, body in
                    guard request.path == "/v1.0/$batch" else { return nil }
                    let isList = String(decoding: body, as: UTF8.self).contains("$filter")
                    let text = isList ? Self.batch(list) : Self.batch(single, status: status)
                    return (HTTPResponse(status: .ok), Array(text.utf8))
                }
            }
            #expect(Watch.nextRound(world).map(\.kind) == (kind.map { [$0] } ?? []))
            #expect(world.check("/") == (kind == .revocation ? .unauthorized : .noContent))
        }
    }

    @Test func `what is told twice, or by a copy that is behind, ends once`() throws {
        let since = ["2027-01-15T07:00:00Z", "2027-01-15T08:00:50Z"].map {
            Self.batch(#"{"value":[\#(Self.user("true", #""\#($0)""#))]}"#)
        }
        let removal = #"[{"id":"\#(Person.carol)","@removed":{"reason":"deleted"}}]"#
        let change = #"[{"id":"\#(Self.board)","members@delta":\#(removal)}]"#
        let replay = #"{"value":\#(change),"@odata.deltaLink":"\#(Self.deltaPath)?x"}"#
        let rows = [
            ("/v1.0/$batch", [since[0], since[1], since[0], since[1]]),
            ("/v1.0/groups", [replay, replay, replay]),
        ]
        for (path, answers) in rows {
            let world = try Watch.world()
            var ended = 0
            for answer in answers {
                world.state.withLock { $0.answer = Watch.instead(of: path, answer) }
                ended += Watch.nextRound(world).count
                if world.check("/") == .unauthorized {
                    world.advance(seconds: 1)
                    world.signIn(Person.carol)
                }
            }
            #expect(ended == 1)
            // Entra may have let somebody in again before it knew.
            #expect(Watch.nextRound(world, after: 300).count == 1)
            world.signIn(Person.carol)
            #expect(Watch.nextRound(world, after: 300) == [])
        }
    }

    @Test func `an answer that cannot be used keeps nobody else from being asked about`() throws {
        let world = try Watch.world()
        let answer = Self.batch(#"{"value":[\#(Self.user("null"))]}"#)
        world.state.withLock { $0.answer = Watch.instead(of: "/v1.0/$batch", answer) }
        try Watch.change(world, "remove-group", Self.board)
        #expect(Watch.nextRound(world).map(\.kind) == [.revocation, .accountWatch])
        #expect(world.check("/") == .unauthorized)
    }

    @Test func `a release without a policy forgets no group`() throws {
        let world = try Watch.world()
        world.state.withLock { $0.currentRelease = "/site/releases/2" }
        try Watch.change(world, "remove-group", Self.board)
        #expect(Watch.nextRound(world).map(\.kind) == [.accountWatch])
        world.state.withLock { $0.currentRelease = World.release }
        #expect(Watch.nextRound(world, after: 120).map(\.kind) == [.revocation, .accountWatch])
        #expect(world.check("/") == .unauthorized)
    }

    @Test func `pages without an end are left after some requests`() throws {
        let world = try Watch.world()
        world.state.withLock {
            $0.answer = Watch.instead(of: "/v1.0/groups", Self.delta("\(Self.deltaPath)?x"))
            $0.graphPaths = []
        }
        for round in 1...3 {
            #expect(Watch.nextRound(world) == [])
            let count = world.state.withLock { $0.graphPaths.count }
            #expect(count <= round * AccountWatch.maximumRequests)
        }
        try Watch.change(world, "disable")
        #expect(Watch.nextRound(world).count == 1 && world.check("/") == .unauthorized)
    }

    @Test func `of very many accounts, a round asks about a part and the next one goes on`() throws
    {
        let world = try Watch.world()
        world.state.withLock { state in
            for number in 0..<1000 {
                let id =
                    String(String(number + 10_000).suffix(4)) + String(repeating: "0", count: 28)
                state.accounts["account-\(id)-11111111aaaa40008000000000000001"] = state.now
            }
            // The last one is disabled.
            state.answer = { request, body in
                guard request.path == "/v1.0/$batch",
                    let questions = (try? JSON(parsing: body))?["requests"]?.array
                else { return nil }
                let answers = questions.map { question -> JSON in
                    let url = question["url"]?.string ?? ""
                    let users = url.split(separator: "'").filter { $0.utf8.count == 36 }.map {
                        ["id": .string("\($0)"), "accountEnabled": .bool(!$0.hasPrefix("0999"))]
                            as JSON
                    }
                    let body: JSON = ["value": .array(users)]
                    return ["id": question["id"] ?? "", "status": 200, "body": body]
                }
                let json: JSON = ["responses": .array(answers)]
                return (HTTPResponse(status: .ok), Array(json.text.utf8))
            }
            state.graphPaths = []
        }
        let configuration = world.relyingParty.configuration
        let provider = Provider(
            metadataURL: configuration.metadataURL,
            environment: world.environment
        )
        _ = try provider.current()
        let watch = AccountWatch(
            configuration: configuration,
            environment: world.environment,
            provider: provider,
            storage: world.storage,
            client: ClientAuthentication(configuration, world.environment),
            memory: AccountWatch.Memory(),
            requests: 13
        )
        #expect(watch.poll() == [])
        #expect(world.state.withLock { $0.graphPaths.count } == 3)
        world.advance(seconds: 60)
        let next = watch.poll()
        #expect(next.first?.subject.user == "09990000-0000-0000-0000-000000000000")
        // Now all have been asked about.
        #expect(next.dropFirst().map(\.text) == ["accounts are watched"])
        #expect(world.state.withLock { $0.graphPaths.count } == 6)
    }
}
