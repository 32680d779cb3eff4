import HTTPTypes
import Jansson
import Testing

@testable import EntraEmulator

@Suite struct LogoutTests {
    private static let back = "http://localhost:8080/auth/signed-out"

    private static func url(_ items: [(String, String)]) -> String {
        "/\(Scene.id)/oauth2/v2.0/logout?" + QueryItems.encode(items)
    }

    @Test func `with a hint the account is signed out without a question, and back it goes`() throws
    {
        let scene = try Scene()
        _ = scene.signIn()
        let url = Self.url([
            ("post_logout_redirect_uri", Self.back), ("state", "x"),
            ("logout_hint", OpaqueID.loginHint(of: Scene.alice)),
        ])
        let response = scene.send(.get, url)
        #expect(response.http.headerFields[.location] == Self.back + "?state=x")
        // Nobody is signed in any more: the next sign-in asks.
        #expect(scene.send(.get, Scene.authorize()).http.status == .ok)
    }

    @Test func `without a hint it asks even about one account`() throws {
        let scene = try Scene()
        _ = scene.signIn()
        let url = Self.url([("post_logout_redirect_uri", Self.back)])
        let page = scene.send(.get, url)
        #expect(page.http.status == .ok)
        #expect(String(decoding: page.body, as: UTF8.self).contains("sign out of"))
        let response = scene.send(.post, url, "account=\(Scene.alice)")
        #expect(response.http.headerFields[.location] == Self.back)
    }

    @Test(arguments: ["https://evil.example/", "http://localhost:8080/elsewhere", ""])
    func `an address that is not registered is not gone to`(uri: String) throws {
        let response = try Scene().send(.get, Self.url([("post_logout_redirect_uri", uri)]))
        #expect(response.http.headerFields[.location] == nil)
        #expect(String(decoding: response.body, as: UTF8.self).contains("You signed out"))
    }

    private static let withLogoutURL = Directory.builtIn.replacing(
        "# logout_url = \"https://localhost:8080/auth/front-channel-sign-out\"",
        with: "logout_url = \"https://localhost:8080/auth/front-channel-sign-out\""
    )

    @Test func `applications are told the session in frames, and nothing else`() throws {
        let scene = try Scene(Self.withLogoutURL)
        let sid = try #require(scene.signIn()["session_state"])
        let hint = OpaqueID.loginHint(of: Scene.alice)
        let url = Self.url([("post_logout_redirect_uri", Self.back), ("logout_hint", hint)])
        let answer = scene.send(.get, url)
        let page = String(decoding: answer.body, as: UTF8.self)
        let told = "https://localhost:8080/auth/front-channel-sign-out?sid=\(sid)"
        #expect(page.contains("<iframe src=\"\(told)\""))
        #expect(page.contains("class=\"onward\" href=\"\(Self.back)\""))
        #expect(
            answer.http.headerFields[.contentSecurityPolicy]?
                .contains("frame-src https://localhost:8080") == true
        )
    }

    @Test func `a test may have the frames otherwise`() throws {
        let scene = try Scene(Self.withLogoutURL)
        func page(_ fault: JSON) throws -> String {
            _ = scene.signIn()
            _ = try scene.order("/faults", ["name": fault])
            let hint = OpaqueID.loginHint(of: Scene.alice)
            return scene.page(
                .get,
                Self.url([("post_logout_redirect_uri", Self.back), ("logout_hint", hint)])
            )
        }
        #expect(try page("front-channel-with-issuer").contains("&amp;iss=http%3A%2F%2Flocalhost"))
        #expect(try !page("front-channel-without-sid").contains("sid="))
        #expect(try !page("front-channel-missing").contains("<iframe"))
        #expect(try !page("sign-out-stuck").contains("onward"))
    }

    @Test func `the endpoint of v1 signs the only one out without a question`() throws {
        let scene = try Scene()
        _ = scene.signIn()
        let url = Self.url([("post_logout_redirect_uri", Self.back)])
            .replacing("oauth2/v2.0", with: "oauth2")
        #expect(scene.send(.get, url).http.headerFields[.location] == Self.back)
    }

    @Test func `a form of another site signs nobody out`() throws {
        let scene = try Scene()
        _ = scene.signIn()
        let answer = scene.send(
            .post,
            Self.url([]),
            "account=\(Scene.alice)",
            [.origin: "https://evil.example"]
        )
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Pick an account"))
    }
}
