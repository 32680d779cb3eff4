import HTTPTypes
import Testing

@testable import EntraEmulator

/// What somebody meets between the picker and the application.
@Suite struct SignInTests {
    private static let grace = "93ace000-0000-4000-8000-000000000021"
    private static let ivan = "5ec04d00-0000-4000-8000-000000000012"
    private static let judy = "b10c4ed0-0000-4000-8000-000000000013"
    private static let forEverybody = "22222222-bbbb-4000-8000-000000000003"
    private static let payroll = "22222222-bbbb-4000-8000-000000000004"

    private static func location(_ response: EmulatorResponse) -> String {
        response.http.headerFields[.location] ?? ""
    }

    @Test func `somebody of another company is told on a page`() throws {
        let page = try Scene().page(.post, Scene.authorize(), "account=\(Self.grace)")
        #expect(page.contains("AADSTS50020:"))
    }

    @Test(arguments: [(judy, 53003), (Scene.eric, 50057)])
    func `whoever is refused stays on a page, and the application hears nothing`(
        user: String,
        number: Int
    ) throws {
        let answer = try Scene().send(.post, Scene.authorize(), "account=\(user)")
        #expect(answer.http.status == .ok && answer.http.headerFields[.location] == nil)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("AADSTS\(number):"))
    }

    @Test func `only who is assigned gets into an application that wants it`() throws {
        let scene = try Scene()
        let path = Scene.authorize(["client_id": Self.payroll])
        // By role, by name, and not at all.
        #expect(Self.location(scene.send(.post, path, "account=\(Scene.alice)")).contains("code="))
        #expect(Self.location(scene.send(.post, path, "account=\(Scene.bob)")).contains("code="))
        let carol = scene.page(.post, path, "account=ca401000-0000-4000-8000-00000000000c")
        #expect(carol.contains("AADSTS50105:"))
    }

    @Test func `another account is typed, and its password asked for`() throws {
        let scene = try Scene()
        let path = Scene.authorize()
        #expect(scene.page(.post, path, "other=1").contains("name=\"user_name\""))
        #expect(scene.page(.post, path, "user_name=nobody").contains("no account &#39;nobody&#39;"))
        #expect(scene.page(.post, path, "user_name=BOB@example.com").contains("Enter password"))
        #expect(
            scene.page(.post, path, "account=\(Scene.bob)&user_name=bob@example.com&password=wrong")
                .contains("AADSTS50126")
        )
        let answer = scene.send(.post, path, "user_name=bob@example.com&password=x")
        #expect(Self.location(answer).contains("code="))
    }

    @Test func `a request for a fresh sign-in wants the password of who is signed in`() throws {
        let scene = try Scene()
        _ = scene.signIn()
        let path = Scene.authorize(["prompt": "login"])
        #expect(scene.page(.post, path, "account=\(Scene.alice)").contains("Enter password"))
        #expect(
            Self.location(scene.send(.post, path, "account=\(Scene.alice)&password=x"))
                .contains("code=")
        )
    }

    @Test func `an old sign-in is asked for again where max_age says so`() throws {
        let scene = try Scene()
        _ = scene.signIn()
        scene.now.withLock { $0 += 400 }
        #expect(scene.send(.get, Scene.authorize(["max_age": "500"])).http.status == .found)
        #expect(scene.page(.get, Scene.authorize(["max_age": "300"])).contains("Enter password"))
        let silent = scene.send(.get, Scene.authorize(["max_age": "300", "prompt": "none"]))
        #expect(Self.location(silent).contains("error=login_required"))
        // auth_time is when the password was entered last.
        let client = ["client_id": Self.payroll, "max_age": "300"]
        let path = Scene.authorize(client)
        let answer = scene.send(.post, path, "account=\(Scene.alice)&password=x")
        let code = QueryItems(Self.location(answer).drop { $0 != "?" }.dropFirst())["code"]
        let token = scene.redeem(["code": code, "client_id": Self.payroll]).json["id_token"]
        #expect(try scene.claims(token?.string ?? "")["auth_time"] == 1_800_000_400)
    }

    @Test func `a second factor is asked for once in a session`() throws {
        let scene = try Scene()
        let path = Scene.authorize()
        #expect(scene.page(.post, path, "account=\(Self.ivan)").contains("Approve sign-in"))
        #expect(
            Self.location(scene.send(.post, path, "account=\(Self.ivan)&approved=1"))
                .contains("code=")
        )
        #expect(Self.location(scene.send(.get, path)).contains("code="))
    }

    @Test func `consent is asked for once of each`() throws {
        let scene = try Scene()
        let path = Scene.authorize(["client_id": Self.forEverybody])
        let page = scene.page(.post, path, "account=\(Scene.alice)")
        #expect(page.contains("Permissions requested") && page.contains("See your e-mail address"))
        let no = scene.send(.post, path, "account=\(Scene.alice)&cancel=1")
        #expect(Self.location(no).contains("error_subcode=cancel"))
        let yes = scene.send(.post, path, "account=\(Scene.alice)&consent=accept")
        #expect(Self.location(yes).contains("code="))
        #expect(Self.location(scene.send(.get, path)).contains("code="))
        #expect(scene.page(.post, path, "account=\(Scene.bob)").contains("Permissions requested"))
    }

    @Test func `an administrator agrees for all`() throws {
        let toml = Directory.builtIn.replacing("consent = \"user\"", with: "consent = \"admin\"")
        let scene = try Scene(toml)
        let path = Scene.authorize(["client_id": Self.forEverybody])
        #expect(scene.page(.post, path, "account=\(Scene.bob)").contains("Need admin approval"))
        // Nobody accepts on that page what only an administrator may accept.
        #expect(
            scene.page(.post, path, "account=\(Scene.bob)&consent=accept")
                .contains("Need admin approval")
        )
        let query = QueryItems.encode([
            ("client_id", Self.forEverybody), ("state", "x"),
            ("redirect_uri", "http://localhost:8080/auth/callback"),
        ])
        let consent = "/\(Scene.id)/adminconsent?\(query)"
        #expect(scene.page(.get, consent).contains("for everybody"))
        let no = Self.location(scene.send(.post, consent, "cancel=1"))
        #expect(no.contains("error=permission_denied"))
        let yes = Self.location(scene.send(.post, consent, "consent=accept"))
        #expect(yes.contains("admin_consent=True") && yes.contains("tenant=\(Scene.id)"))
        let answer = scene.send(.post, path, "account=\(Scene.bob)")
        #expect(Self.location(answer).contains("code="))
    }

    @Test func `a hint names the account`() throws {
        let scene = try Scene()
        _ = scene.signIn()
        _ = scene.signIn(Scene.bob, ["prompt": "select_account"])
        // Two are signed in: without a hint there is a picker, with one there is none.
        #expect(scene.send(.get, Scene.authorize()).http.status == .ok)
        let hint = OpaqueID.loginHint(of: Scene.bob)
        #expect(scene.send(.get, Scene.authorize(["login_hint": hint])).http.status == .found)
        let carol = scene.page(.get, Scene.authorize(["login_hint": "carol@example.com"]))
        #expect(carol.contains("Enter password") && carol.contains("carol@example.com"))
    }

    @Test func `a domain hint leaves the accounts of that domain`() throws {
        let scene = try Scene()
        let client = ["client_id": Self.forEverybody, "domain_hint": "marigold.example"]
        let page = scene.page(.get, Scene.authorize(client, tenant: "common"))
        #expect(page.contains("grace@marigold.example"))
        let own = page.split(separator: "<details>")[0]
        #expect(!own.contains("alice@example.com"))
    }

    /// `prompt=none`: nobody is asked, everything is told.
    @Test func `a silent request is told why it fails`() throws {
        let scene = try Scene()
        func error(_ changes: [String: String?] = [:]) -> String {
            let changes = changes.merging(["prompt": "none"]) { $1 }
            return Self.location(scene.send(.get, Scene.authorize(changes)))
        }
        #expect(error().contains("error=login_required"))
        _ = scene.signIn(Scene.bob)
        #expect(error().contains("code="))
        #expect(error(["client_id": Self.forEverybody]).contains("error=consent_required"))
        _ = scene.emulator.change(Scene.bob) { $0.refusedWith = 53003 }
        #expect(error().contains("AADSTS53003"))
        _ = scene.emulator.change(Scene.bob) { user in
            user.refusedWith = nil
            user.needsSecondFactor = true
        }
        #expect(error().contains("error=interaction_required"))
        _ = scene.emulator.change(Scene.bob) { user in
            user.needsSecondFactor = false
            user.isDisabled = true
        }
        #expect(error().contains("error=login_required"))
        _ = scene.emulator.change(Scene.bob) { $0.isDisabled = false }
        _ = scene.signIn(Scene.alice, ["prompt": "select_account"])
        #expect(error().contains("AADSTS16000"))
        #expect(error(["login_hint": "bob@example.com"]).contains("code="))
    }
}
