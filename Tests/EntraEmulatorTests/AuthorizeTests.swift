import HTTPTypes
import Testing

@testable import EntraEmulator

@Suite struct AuthorizeTests {
    @Test func `whoever is picked comes back with a code, the state and the session`() throws {
        let scene = try Scene()
        let page = scene.send(.get, Scene.authorize())
        #expect(page.http.status == .ok)
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(html.contains("Alice Adams") && html.contains("This is not Microsoft"))
        let answer = scene.signIn()
        #expect(answer["state"] == "s")
        #expect((answer["code"]?.count ?? 0) > 500)
        #expect(answer["session_state"]?.count == 36)
    }

    @Test func `the second time nobody is asked, unless the request wants it`() throws {
        let scene = try Scene()
        _ = scene.signIn()
        #expect(scene.send(.get, Scene.authorize()).http.status == .found)
        #expect(scene.send(.get, Scene.authorize(["prompt": "none"])).http.status == .found)
        #expect(
            scene.send(.get, Scene.authorize(["prompt": "select_account"])).http.status == .ok
        )
        #expect(scene.send(.get, Scene.authorize(["prompt": "login"])).http.status == .ok)
    }

    @Test func `a silent request without a session is refused by redirect`() throws {
        let response = try Scene().send(.get, Scene.authorize(["prompt": "none"]))
        let location = try #require(response.http.headerFields[.location])
        #expect(location.contains("error=login_required") && location.contains("state=s"))
    }

    /// Microsoft's table of what happens when `acrs` is requested, row by row.
    @Test func `a context is in the token if it was asked for and met`() throws {
        func wish(_ context: String) -> [String: String?] {
            ["claims": #"{"id_token":{"acrs":{"essential":true,"value":"\#(context)"}}}"#]
        }
        let scene = try Scene()
        #expect(try scene.claims(scene.idToken())["acrs"] == nil)
        // No policy is for it.
        let free = try scene.claims(scene.idToken(Scene.alice, wish("c9")))
        #expect(free["acrs"]?.strings == ["c9"])
        #expect(scene.page(.get, Scene.authorize(wish("c1"))).contains("Approve sign-in"))
        let silent = Scene.authorize(wish("c1").merging(["prompt": "none"]) { $1 })
        let location = scene.send(.get, silent).http.headerFields[.location] ?? ""
        #expect(location.contains("error=interaction_required"))
        _ = scene.send(.post, Scene.authorize(wish("c1")), "account=\(Scene.alice)&approved=1")
        let met = try scene.claims(scene.idToken(Scene.alice, wish("c1")))
        #expect(met["acrs"]?.strings == ["c1"])
        let blocked = scene.page(.get, Scene.authorize(wish("c2")))
        #expect(blocked.contains("AADSTS53003"))
    }

    @Test func `cancelling is access_denied with a subcode`() throws {
        let response = try Scene().send(.post, Scene.authorize(), "cancel=1")
        let location = try #require(response.http.headerFields[.location])
        #expect(location.contains("error=access_denied"))
        #expect(location.contains("error_subcode=cancel") && location.contains("AADSTS65004"))
    }

    /// What Entra shows itself, with status 200, so that the application never hears of it.
    @Test(
        arguments: [
            (["client_id": "33333333-0000-4000-8000-000000000000"], 700016),
            (["client_id": nil], 900_144),
            (["redirect_uri": "http://localhost:8080/auth/Callback"], 50011),
            (["redirect_uri": "https://evil.example/auth/callback"], 50011),
            (["redirect_uri": "http://localhost@evil.example/auth/callback"], 50011),
        ] as [([String: String?], Int)]
    )
    func `some mistakes stay on a page of Entra's`(changes: [String: String?], number: Int) throws {
        let response = try Scene().send(.get, Scene.authorize(changes))
        #expect(response.http.status == .ok)
        #expect(response.http.headerFields[.location] == nil)
        #expect(String(decoding: response.body, as: UTF8.self).contains("AADSTS\(number):"))
    }

    @Test(
        arguments: [
            (["response_type": "id_token"], "unsupported_response_type"),
            (["response_type": nil], "invalid_request"), (["scope": nil], "invalid_request"),
            (["response_mode": "smoke"], "invalid_request"), (["prompt": "now"], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"),
            (["nonce": String(repeating: "n", count: 2049)], "invalid_request"),
            (["code_challenge_method": "S512"], "invalid_request"),
        ] as [([String: String?], String)]
    )
    func `other mistakes come back by redirect`(changes: [String: String?], error: String) throws {
        let response = try Scene().send(.get, Scene.authorize(changes))
        #expect(response.http.headerFields[.location]?.contains("error=\(error)&") == true)
    }

    @Test func `a disabled account is told so, and gets no code`() throws {
        let response = try Scene().send(.post, Scene.authorize(), "account=\(Scene.eric)")
        #expect(response.http.headerFields[.location] == nil)
        #expect(String(decoding: response.body, as: UTF8.self).contains("AADSTS50057"))
    }

    @Test func `where assignment is required, who has no role stays outside`() throws {
        let toml = Directory.builtIn.replacing(
            "app_roles = [\"HR\", \"IT\"]",
            with: "app_roles = [\"HR\", \"IT\"]\nassignment_required = true"
        )
        let scene = try Scene(toml)
        let bob = scene.send(.post, Scene.authorize(), "account=\(Scene.bob)")
        #expect(String(decoding: bob.body, as: UTF8.self).contains("AADSTS50105"))
        #expect(scene.signIn()["code"] != nil)
    }

    @Test func `a form of another site picks nobody`() throws {
        let response = try Scene().send(
            .post,
            Scene.authorize(),
            "account=\(Scene.alice)",
            [.origin: "https://evil.example"]
        )
        #expect(response.http.headerFields[.location] == nil)
    }

    @Test(arguments: [
        ("http://localhost:3000/auth/callback", true), ("http://localhost/auth/callback", true),
        ("http://127.0.0.1:8080/auth/callback", false),
        ("http://localhost:8080/auth/callback/", false),
        ("http://localhost:8080/auth/callback?x=1", false),
        ("https://localhost:8080/auth/callback", false),
        ("http://localhost:\td/auth/callback", false),
    ])
    func `the port of localhost does not count, all else does`(uri: String, isRegistered: Bool) {
        let registered = "http://localhost:8080/auth/callback"
        #expect(RedirectURI.matches(uri, registered: registered) == isRegistered)
    }
}
