import HTTPTypes
import JOSE
import Jansson
import OpenSSL
import Testing

@testable import EntraEmulator

/// How answers travel, and what comes straight from the authorization endpoint.
@Suite struct AuthorizationResponseTests {
    private static let hybrid = Directory.builtIn.replacing(
        "app_roles = [\"HR\", \"IT\"]",
        with: "app_roles = [\"HR\", \"IT\"]\nid_tokens = true"
    )

    @Test func `a form is posted by itself, and its values are escaped`() throws {
        let scene = try Scene()
        let page = scene.page(
            .post,
            Scene.authorize(["response_mode": "form_post", "state": "\"><b>"]),
            "account=\(Scene.alice)"
        )
        #expect(page.contains("action=\"http://localhost:8080/auth/callback\""))
        #expect(page.contains("name=\"code\"") && page.contains("&quot;&gt;&lt;b&gt;"))
        #expect(page.contains("src=\"/_emulator/submit.js\""))
    }

    @Test func `a fragment is one`() throws {
        let answer = try Scene().send(
            .post,
            Scene.authorize(["response_mode": "fragment"]),
            "account=\(Scene.alice)"
        )
        let location = try #require(answer.http.headerFields[.location])
        #expect(location.hasPrefix("http://localhost:8080/auth/callback#code="))
    }

    @Test func `tokens come straight only where the registration says so`() throws {
        let changes = ["response_type": "code id_token"]
        let refused = try Scene().send(.get, Scene.authorize(changes))
        #expect(refused.http.headerFields[.location]?.contains("AADSTS700054") == true)
        let scene = try Scene(Self.hybrid)
        let answer = scene.send(.post, Scene.authorize(changes), "account=\(Scene.alice)")
        let location = try #require(answer.http.headerFields[.location])
        let items = QueryItems(location.drop { $0 != "#" }.dropFirst())
        let claims = try scene.claims(try #require(items["id_token"]))
        let digest = Digest.sha256(Array((items["code"] ?? "").utf8))
        #expect(claims["c_hash"]?.string == Base64URL.encode(Array(digest.prefix(16))))
        #expect(claims["nonce"] == "n")
        // A token has no business in a log.
        let query = scene.send(
            .get,
            Scene.authorize(["response_type": "id_token", "response_mode": "query"])
        )
        #expect(query.http.headerFields[.location]?.contains("AADSTS70007") == true)
        let noNonce = scene.send(
            .get,
            Scene.authorize(["response_type": "id_token", "nonce": nil])
        )
        #expect(noNonce.http.headerFields[.location]?.contains("AADSTS900144") == true)
    }

    @Test func `many groups are only hinted at in such a token`() throws {
        let scene = try Scene(Self.hybrid)
        let answer = scene.send(
            .post,
            Scene.authorize(["response_type": "id_token"]),
            "account=0fe40000-0000-4000-8000-000000000010"
        )
        let location = try #require(answer.http.headerFields[.location])
        let items = QueryItems(location.drop { $0 != "#" }.dropFirst())
        let claims = try scene.claims(try #require(items["id_token"]))
        #expect(claims["hasgroups"] == true && claims["groups"] == nil)
    }

    @Test func `a request may come as a form`() throws {
        let scene = try Scene()
        let url = Scene.authorize()
        let query = url.drop { $0 != "?" }.dropFirst()
        let path = String(url.prefix { $0 != "?" })
        let page = scene.page(.post, path, String(query))
        #expect(page.contains("Pick an account") && page.contains("code_challenge="))
    }

    @Test func `a redirect URI without a path gets one`() {
        #expect(RedirectURI.answered("https://example.com") == "https://example.com/")
        #expect(RedirectURI.answered("https://example.com?x=1") == "https://example.com/?x=1")
        #expect(RedirectURI.answered("https://example.com/a") == "https://example.com/a")
    }

    @Test func `Microsoft's libraries learn who it is by client_info`() throws {
        let scene = try Scene()
        let answer = scene.signIn(Scene.alice, ["client_info": "1"])
        let info = try #require(answer["client_info"].flatMap { Base64URL.decode($0) })
        #expect(try JSON(parsing: info)["utid"]?.string == Scene.id)
        let json = scene.redeem(["code": answer["code"], "client_info": "1"]).json
        #expect(json["client_info"]?.string == answer["client_info"])
    }
}
