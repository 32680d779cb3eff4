import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import EntraEmulator

@Suite struct TokenTests {
    @Test func `a code becomes an ID token with Entra's claims and times`() throws {
        let scene = try Scene()
        let answer = scene.signIn()
        let (status, json) = scene.redeem(["code": answer["code"]])
        #expect(status == 200)
        #expect(json["token_type"] == "Bearer" && json["expires_in"] == 3599)
        #expect(json["refresh_token"] == nil)
        let token = try #require(json["id_token"]?.string)
        let header = try JSON(
            parsing: try #require(Base64URL.decode(token.split(separator: ".")[0]))
        )
        #expect(header.members?.names == ["typ", "alg", "kid"])
        let claims = try scene.claims(token)
        #expect(claims["iat"] == 1_799_999_700 && claims["nbf"] == 1_799_999_700)
        #expect(claims["exp"] == 1_800_003_600)
        #expect(claims["iss"]?.string == "http://localhost:8081/\(Scene.id)/v2.0")
        #expect(claims["aud"]?.string == Scene.client && claims["nonce"] == "n")
        #expect(claims["roles"] == ["HR"] && claims["name"] == "Alice Adams")
        #expect(claims["sid"]?.string == answer["session_state"])
        #expect(claims["login_hint"]?.string?.hasPrefix("O.Ci") == true)
        #expect(claims["sub"]?.string?.count == 43)
        // Nobody has checked it, and it comes for the asking.
        #expect(claims["email"] == "alice@example.com")
    }

    /// What is changed in the request, and how Entra answers.
    @Test(
        arguments: [
            (
                ["code_verifier": "another-verifier-of-forty-three-characters-x"], 400,
                "invalid_grant", 501_481
            ),
            (["code_verifier": nil], 400, "invalid_grant", 50148),
            (["client_secret": "wrong"], 401, "invalid_client", 7_000_215),
            (["client_secret": nil], 401, "invalid_client", 7_000_218),
            (["client_id": "x"], 400, "unauthorized_client", 700_016),
            (["redirect_uri": "http://localhost:9/auth/callback"], 401, "invalid_client", 500_112),
            (["grant_type": "password"], 400, "unsupported_grant_type", 70003),
            (["grant_type": nil], 400, "invalid_request", 900_144),
            (["code": "made-up"], 400, "invalid_grant", 9_002_313),
        ] as [([String: String?], Int, String, Int)]
    )
    func `a wrong request gets what Entra would answer`(
        changes: [String: String?],
        status: Int,
        error: String,
        number: Int
    ) throws {
        let scene = try Scene()
        let code = scene.signIn()["code"]
        let answer = scene.redeem(["code": code].merging(changes) { $1 })
        #expect(answer.status == status)
        #expect(answer.json["error"]?.string == error)
        #expect(answer.json["error_codes"] == [.integer(number)])
        #expect(answer.json["trace_id"]?.string?.count == 36)
        #expect(answer.json["error_description"]?.string?.hasPrefix("AADSTS\(number): ") == true)
        // The code was not used up by it.
        if changes["code"] == nil { #expect(scene.redeem(["code": code]).status == 200) }
    }

    @Test func `a code works once, for ten minutes, at its own tenant path`() throws {
        let scene = try Scene()
        let code = scene.signIn()["code"]
        #expect(
            scene.redeem(["code": code], tenant: "example.com").json["error_codes"] == [700_005]
        )
        #expect(scene.redeem(["code": code]).status == 200)
        #expect(scene.redeem(["code": code]).json["error_codes"] == [54005])
        let late = scene.signIn()["code"]
        scene.now.withLock { $0 += 601 }
        #expect(scene.redeem(["code": late]).json["error_codes"] == [70008])
    }

    @Test func `GET and an Origin are refused`() throws {
        let scene = try Scene()
        let get = scene.send(.get, "/\(Scene.id)/oauth2/v2.0/token")
        #expect(try JSON(parsing: get.body)["error_codes"] == [900_561])
        let spa = scene.send(.post, "/\(Scene.id)/oauth2/v2.0/token", "", [.origin: "https://x"])
        #expect(try JSON(parsing: spa.body)["error_codes"] == [9_002_326])
    }

    @Test func `a secret may also come by basic authentication`() throws {
        let scene = try Scene()
        let code = try #require(scene.signIn()["code"])
        let pair = "\(Scene.client):emulated~secret.is-no-secret_at-all"
        let body = QueryItems.encode([
            ("grant_type", "authorization_code"), ("code", code),
            ("code_verifier", Scene.verifier),
            ("redirect_uri", "http://localhost:8080/auth/callback"),
        ])
        let basic = "Basic " + Base64URL.encodeStandard(Array(pair.utf8))
        let response = scene.send(
            .post,
            "/\(Scene.id)/oauth2/v2.0/token",
            body,
            [.authorization: basic]
        )
        #expect(response.http.status == .ok)
    }
}
