import Access
import HTTPTypes
import Jansson
import Testing

@testable import EntraEmulator
@testable import RelyingParty

/// Groups that demand an authentication context.
@Suite struct ConfirmationTests {
    private static let context = AuthenticationContext(name: "c1", seconds: 900)

    /// A site whose group 'hr' demands a context; `/both/` is for the board as well.
    private static func world(_ name: String = "c1", _ settings: String = "") throws -> World {
        let context = AuthenticationContext(name: name, seconds: 900)
        let policy = AccessPolicy(
            groups: [
                GroupDefinition(name: "hr", roles: ["HR"], context: context),
                GroupDefinition(name: "board", users: [Person.alice]),
                GroupDefinition(name: "audit", users: [Person.carol], context: context),
            ],
            rules: World.policy.rules + [
                .init(path: "/both/", audience: .groups(["hr", "board"])),
                .init(path: "/audit/", audience: .groups(["audit"])),
                .init(path: "/ärzte/", audience: .groups(["hr"])),
                .init(path: "/_search/", audience: .nobody),
            ]
        )
        let world = try World(settings)
        let changed = try #require(policy)
        world.state.withLock { $0.policy = changed }
        return world
    }

    private static func location(_ response: Response?) -> String? {
        response?.http.headerFields[.location]
    }

    private static func form(in url: String) -> Form? {
        url.split(separator: "?").last.flatMap { Form(String($0)) }
    }

    private static func state(in url: String) -> String? { form(in: url)?["state"] }

    /// Confirms on the way to a page.
    ///
    /// - Returns: the answer to the callback.
    private static func confirm(
        _ world: World,
        _ person: String = Person.alice,
        wanting page: String = "/hr/pay/?a=1"
    ) throws -> Response {
        let url = try #require(location(world.get(page).response))
        let query = try #require(world.pick(person, at: url, approves: true))
        return world.send(.callback, query: query)
    }

    @Test func `a page that demands a context is shown after the provider has confirmed it`() throws
    {
        let world = try Self.world()
        world.signIn(Person.alice)
        #expect(world.check("/") == .noContent && world.check("/hr/") == .unauthorized)
        let url = try #require(Self.location(world.get("/hr/pay/?a=1").response))
        let claims = Self.form(in: url)?["claims"]
        #expect(claims == #"{"id_token":{"acrs":{"essential":true,"value":"c1"}}}"#)
        // The second factor is not approved yet.
        #expect(world.pick(Person.alice, at: url) == nil)
        let query = try #require(world.pick(Person.alice, at: url, approves: true))
        let answer = world.send(.callback, query: query)
        #expect(Self.location(answer) == "http://localhost:8080/hr/pay/?a=1")
        #expect(answer.events.contains { $0.text.contains("confirmed 'c1'") })
        #expect(world.check("/hr/") == .noContent && world.check("/") == .noContent)
        world.advance(seconds: 899)
        #expect(world.check("/hr/") == .noContent)
        world.advance(seconds: 1)
        #expect(world.check("/hr/") == .unauthorized && world.check("/") == .noContent)
    }

    @Test func `only a page is sent to the provider, and strangers to the group are refused`()
        throws
    {
        let world = try Self.world()
        world.signIn(Person.alice)
        let file: HTTPFields = [.secFetchMode: "no-cors"]
        #expect(world.check("/hr/a.png", fields: file) == .forbidden)
        #expect(world.check("/hr/a.png") == .unauthorized)
        _ = try Self.confirm(world)
        #expect(world.check("/hr/a.png", fields: file) == .noContent)
        world.signIn(Person.bob)
        #expect(world.check("/hr/") == .forbidden && world.check("/audit/") == .forbidden)
    }

    @Test func `who is in another group of the page confirms nothing`() throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        #expect(world.check("/both/") == .noContent && world.check("/hr/") == .unauthorized)
    }

    @Test func `a revalidation keeps what was confirmed, another account does not`() throws {
        let settings = "revalidate_after_seconds = 300\nrevalidate_grace_seconds = 300"
        let world = try Self.world("c1", settings)
        world.signIn(Person.alice)
        _ = try Self.confirm(world)
        world.advance(seconds: 301)
        let url = try #require(Self.location(world.get("/hr/").response))
        #expect(url.contains("prompt=none") && !url.contains("claims="))
        world.send(.callback, query: try #require(world.pick(nil, at: url)))
        #expect(world.check("/hr/") == .noContent)
        world.signIn(Person.carol)
        #expect(world.check("/audit/") == .unauthorized)
    }

    @Test(arguments: ["context-missing", "context-wrong"])
    func `a token without the context confirms nothing, and the session goes on`(fault: String)
        throws
    {
        let world = try Self.world()
        world.signIn(Person.alice)
        try world.order("/faults", ["name": .string(fault)])
        let answer = try Self.confirm(world)
        #expect(answer.http.status == .forbidden)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("One more step is needed"))
        #expect(answer.events.contains { $0.text.contains("expected the authentication") })
        #expect(world.check("/hr/") == .unauthorized && world.check("/") == .noContent)
    }

    /// Applications decide by the groups in header field and token.
    @Test func `an application learns of no membership that is not confirmed`() throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        func groups(_ path: String) -> String? {
            world.relyingParty.identity(
                path: path,
                release: World.release,
                cookie: world.cookie,
                fetch: FetchMetadata(World.navigation)
            ).http.headerFields[.authGroups]
        }
        #expect(groups("/wiki/") == "board" && groups("/public/") == "board")
        // The site's own scripts learn the same, and the account page says why.
        func me() throws -> [String]? {
            try JSON(parsing: world.send(.me).body)["groups"]?.strings
        }
        #expect(try me() == ["board"])
        let account = "<dd>board</dd>\n<dt>One more step is needed</dt><dd>hr</dd>"
        #expect(String(decoding: world.send(.account).body, as: UTF8.self).contains(account))
        func script(_ path: String) -> String {
            let answer = world.send(.forbidden, fields: [.accept: "*/*"], wanted: path)
            return String(decoding: answer.body, as: UTF8.self)
        }
        #expect(script("/hr/") == #"{"error":"insufficient_user_authentication"}"#)
        #expect(script("/audit/") == #"{"error":"forbidden"}"#)
        #expect(script("/_search/none") == #"{"error":"forbidden"}"#)
        _ = try Self.confirm(world)
        #expect(try me() == ["board", "hr"])
        let whole = String(decoding: world.send(.account).body, as: UTF8.self)
        #expect(!whole.contains("One more step"))
        #expect(whole.contains("<dt>Confirmed until</dt><dd><time datetime=\"2027-01-15T08:15Z"))
        #expect(groups("/wiki/") == "board,hr" && groups("/public/") == "board,hr")
        world.advance(seconds: 900)
        #expect(groups("/wiki/") == "board" && groups("/public/") == "board")
    }

    /// Gateways and siteauth's own pages lead there by a link.
    @Test(arguments: [
        "again=always&return=%2Fhr%2F", "again=yes&return=%2Fhr%2F", "return=%2Fhr%2F",
        "return=%2F%25C3%25A4rzte%2F", "return=%2Fhr%2F%2Fa%3Fa%253Db",
    ])
    func `a link to sign in for a page that demands a context asks for it`(query: String) throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        let url = try #require(Self.location(world.send(.signIn, query: query)))
        #expect(Self.form(in: url)?["claims"] != nil)
        let other = world.send(.signIn, query: query + "&account=other")
        let chosen = try #require(Self.location(other))
        #expect(Self.form(in: chosen)?["claims"] == nil)
    }

    @Test func `an encoded address asks for the same context`() throws {
        let world = try Self.world("c1", "prompt = \"select_account\"")
        world.signIn(Person.alice)
        #expect(world.check("/ärzte/") == .unauthorized)
        let begun = world.send(.signIn, wanted: "/%C3%A4rzte/?a=%2F")
        let form = try #require(Self.location(begun).flatMap(Self.form))
        #expect(form["claims"] != nil && form["prompt"] == nil && form["login_hint"] != nil)
    }

    @Test func `a form that comes after the confirmation is not lost in silence`() throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        let answer = world.send(.signIn, .post, wanted: "/hr/form")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Nothing was saved"))
    }

    /// In another company's tenant, its own administrators decide what 'c1' demands.
    @Test(arguments: [false, true])
    func `of several tenants those confirm whose roles count`(counts: Bool) throws {
        let tenant = "11111111-aaaa-4000-8000-000000000001"
        let registration = """
            client_id = "22222222-bbbb-4000-8000-000000000003"
            client_secret = "emulated~secret.is-no-secret_at-all"
            authority = "http://localhost:8081/organizations"
            allowed_tenants = ["\(tenant)", "33333333-cccc-4000-8000-000000000003"]
            """
        let world = try World(
            counts ? "role_tenants = [\"\(tenant)\"]" : "",
            registration: registration
        )
        let user = "\(Person.alice)@\(tenant)"
        let rules: [AccessPolicy.Rule] = [
            .init(path: "/", audience: .signedIn), .init(path: "/hr/", audience: .groups(["hr"])),
        ]
        let group = GroupDefinition(name: "hr", users: [user], context: Self.context)
        let policy = try #require(AccessPolicy(groups: [group], rules: rules))
        world.state.withLock { $0.policy = policy }
        world.signIn(Person.alice)
        let answer = try Self.confirm(world)
        #expect((answer.http.status == .seeOther) == counts)
        #expect(world.check("/hr/") == (counts ? .noContent : .unauthorized))
    }

    @Test func `who signs in as somebody else on the way confirms for themselves alone`() throws {
        let world = try Self.world()
        world.signIn(Person.alice)
        _ = try Self.confirm(world, Person.bob)
        #expect(world.check("/hr/") == .forbidden)
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .unauthorized)
    }

    @Test func `what the provider blocks is no loop`() throws {
        let world = try Self.world("c2")
        world.signIn(Person.alice)
        let url = try #require(Self.location(world.get("/hr/").response))
        // Entra keeps the browser.
        #expect(world.pick(Person.alice, at: url, approves: true) == nil)
        let state = try #require(Self.state(in: url))
        let refusal = world.send(.callback, query: "error=access_denied&state=\(state)")
        #expect(refusal.http.status == .forbidden && Self.location(refusal) == nil)
        #expect(refusal.events.contains { $0.text.hasPrefix("confirmation of 'c2' refused by") })
        // What says nothing about the reader keeps its own page.
        let busy = world.send(.callback, query: "error=server_error&state=\(state)")
        #expect(busy.http.status == .serviceUnavailable)
        // A code that is refused neither.
        let second = try #require(Self.location(world.get("/hr/").response))
        let used = try #require(Self.state(in: second))
        let code = world.send(.callback, query: "code=x&state=\(used)")
        #expect(Self.location(code) == nil)
        #expect(world.check("/") == .noContent)
    }

    /// What another provider says, and whether that is a confirmation.
    private static let answers: [(claims: JSON.Members, isConfirmed: Bool)] = [
        (["acr": "gold", "auth_time": .integer(TokenFactory.now - 10)], true),
        (["acr": "gold", "auth_time": .integer(TokenFactory.now - 5000)], false),
        (["acr": "gold", "auth_time": .integer(TokenFactory.now - 1000)], false),
        (["acr": "gold"], false),
        (["acr": "gold", "auth_time": .integer(TokenFactory.now + 5000)], false),
        (["acr": "silver", "auth_time": .integer(TokenFactory.now)], false),
        (["acr": ["gold"], "auth_time": .integer(TokenFactory.now)], false),
        (["acrs": ["gold"], "auth_time": .integer(TokenFactory.now)], false),
        (["acr": "", "auth_time": .integer(TokenFactory.now)], false),
        (["acr": 1, "auth_time": .integer(TokenFactory.now)], false),
        (["auth_time": .integer(TokenFactory.now)], false),
    ]

    @Test(arguments: answers.indices)
    func `another provider confirms by 'acr' and 'auth_time'`(index: Int) throws {
        let (claims, isConfirmed) = Self.answers[index]
        let group = GroupDefinition(
            name: "staff",
            groups: ["staff"],
            context: AuthenticationContext(name: "gold", seconds: 900)
        )
        let provider = try OtherProvider(group: group)
        provider.state.withLock { $0.claims["groups"] = ["staff"] }
        provider.signIn()
        #expect(provider.check("/") == 204 && provider.check("/staff/") == 401)
        provider.state.withLock { state in
            for name in claims.names { state.claims[name] = claims[name] }
        }
        let begun = provider.send(.signIn, wanted: "/staff/")
        let url = try #require(begun.http.headerFields[.location])
        #expect(url.contains("acr_values=gold") && url.contains("max_age=900"))
        let query = try #require(provider.approve(begun))
        let answer = provider.send(.callback, query: query)
        #expect(answer.http.status == .seeOther)
        #expect(provider.check("/staff/") == (isConfirmed ? 204 : 401))
        if !isConfirmed {
            // The provider may have answered without a question; it has to ask once.
            let again = try #require(answer.http.headerFields[.location])
            #expect(again.contains("prompt=login") && again.contains("acr_values=gold"))
            let second = try #require(provider.approve(answer))
            #expect(provider.send(.callback, query: second).http.status == .forbidden)
        }
        #expect(provider.check("/") == 204)
    }

    @Test func `a provider that answers without a question is asked for credentials`() throws {
        let group = GroupDefinition(
            name: "staff",
            groups: ["staff"],
            context: AuthenticationContext(name: "gold", seconds: 900)
        )
        let provider = try OtherProvider(group: group)
        func acr(_ name: String) {
            provider.state.withLock { state in
                state.claims["groups"] = ["staff"]
                state.claims["acr"] = .string(name)
                state.claims["auth_time"] = .integer(state.now)
            }
        }
        acr("silver")
        provider.signIn()
        let begun = provider.send(.signIn, wanted: "/staff/?a=1")
        let answer = provider.send(.callback, query: try #require(provider.approve(begun)))
        #expect(answer.events.contains { $0.text.hasPrefix("asking for credentials: ") })
        acr("gold")
        let last = provider.send(.callback, query: try #require(provider.approve(answer)))
        #expect(last.http.headerFields[.location] == "https://docs.example.com/staff/?a=1")
        #expect(provider.check("/staff/") == 204)
        // What the standards have for a context that cannot be reached, and another word for it.
        provider.state.withLock { $0.now += 900 }
        for error in ["unmet_authentication_requirements", "access_denied"] {
            let query = provider.approve(
                provider.send(.signIn, wanted: "/staff/"),
                "error=\(error)"
            )
            let page = provider.send(.callback, query: try #require(query))
            let text = String(decoding: page.body, as: UTF8.self)
            #expect(page.http.status == .forbidden && text.contains("One more step is needed"))
        }
    }

    @Test func `an older confirmation counts from its own time`() throws {
        let group = GroupDefinition(
            name: "staff",
            groups: ["staff"],
            context: AuthenticationContext(name: "gold", seconds: 900)
        )
        let provider = try OtherProvider(group: group)
        provider.state.withLock { state in
            state.claims["groups"] = ["staff"]
            state.claims["acr"] = "gold"
            state.claims["auth_time"] = .integer(TokenFactory.now - 800)
        }
        provider.signIn()
        let begun = provider.send(.signIn, wanted: "/staff/")
        provider.send(.callback, query: try #require(provider.approve(begun)))
        #expect(provider.check("/staff/") == 204)
        provider.state.withLock { $0.now += 100 }
        #expect(provider.check("/staff/") == 401)
    }
}
