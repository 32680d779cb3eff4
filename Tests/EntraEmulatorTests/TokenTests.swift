import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import EntraEmulator

@Suite struct TokenTests {
    private static func claims(_ tenant: Tenant, _ token: String) throws -> JSON {
        let keys = tenant.send(.get, "/\(Tenant.id)/discovery/v2.0/keys").body
        let set = try #require(JSONWebKeySet(parsing: keys))
        let signature = try #require(JSONWebSignature(compact: token))
        let key = try #require(set.keys(named: signature.unverifiedHeader.keyID ?? "").first)
        return try JSON(parsing: try #require(signature.verified(by: key)).bytes)
    }

    @Test func `a code becomes an ID token with Entra's claims and times`() throws {
        let tenant = try Tenant()
        let answer = tenant.signIn()
        let (status, json) = tenant.redeem(["code": answer["code"]])
        #expect(status == 200)
        #expect(json["token_type"] == "Bearer" && json["expires_in"] == 3599)
        #expect(json["refresh_token"] == nil)
        let token = try #require(json["id_token"]?.string)
        let header = try JSON(
            parsing: try #require(Base64URL.decode(token.split(separator: ".")[0]))
        )
        #expect(header.members?.names == ["typ", "alg", "kid"])
        let claims = try Self.claims(tenant, token)
        #expect(claims["iat"] == 1_799_999_700 && claims["nbf"] == 1_799_999_700)
        #expect(claims["exp"] == 1_800_003_600)
        #expect(claims["iss"]?.string == "http://localhost:8081/\(Tenant.id)/v2.0")
        #expect(claims["aud"]?.string == Tenant.client && claims["nonce"] == "n")
        #expect(claims["roles"] == ["HR"] && claims["name"] == "Alice Adams")
        #expect(claims["sid"]?.string == answer["session_state"])
        #expect(claims["login_hint"]?.string?.hasPrefix("O.Ci") == true)
        #expect(claims["sub"]?.string?.count == 43)
        #expect(claims["email"] == nil)
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
            (["redirect_uri": "http://localhost:9/auth/callback"], 400, "invalid_client", 500_112),
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
        let tenant = try Tenant()
        let code = tenant.signIn()["code"]
        let answer = tenant.redeem(["code": code].merging(changes) { $1 })
        #expect(answer.status == status)
        #expect(answer.json["error"]?.string == error)
        #expect(answer.json["error_codes"] == [.integer(number)])
        #expect(answer.json["trace_id"]?.string?.count == 36)
        #expect(answer.json["error_description"]?.string?.hasPrefix("AADSTS\(number): ") == true)
        // The code was not used up by it.
        if changes["code"] == nil { #expect(tenant.redeem(["code": code]).status == 200) }
    }

    @Test func `a code works once, for ten minutes, at its own tenant path`() throws {
        let tenant = try Tenant()
        let code = tenant.signIn()["code"]
        #expect(
            tenant.redeem(["code": code], tenant: "example.com").json["error_codes"] == [700_005]
        )
        #expect(tenant.redeem(["code": code]).status == 200)
        #expect(tenant.redeem(["code": code]).json["error_codes"] == [54005])
        let late = tenant.signIn()["code"]
        tenant.now.withLock { $0 += 601 }
        #expect(tenant.redeem(["code": late]).json["error_codes"] == [70008])
    }

    @Test func `GET and an Origin are refused`() throws {
        let tenant = try Tenant()
        let get = tenant.send(.get, "/\(Tenant.id)/oauth2/v2.0/token")
        #expect(try JSON(parsing: get.body)["error_codes"] == [900_561])
        let spa = tenant.send(.post, "/\(Tenant.id)/oauth2/v2.0/token", "", [.origin: "https://x"])
        #expect(try JSON(parsing: spa.body)["error_codes"] == [9_002_326])
    }

    @Test func `a secret may also come by basic authentication`() throws {
        let tenant = try Tenant()
        let code = try #require(tenant.signIn()["code"])
        let pair = "\(Tenant.client):emulated~secret.is-no-secret_at-all"
        let body = QueryItems.encode([
            ("grant_type", "authorization_code"), ("code", code),
            ("code_verifier", Tenant.verifier),
            ("redirect_uri", "http://localhost:8080/auth/callback"),
        ])
        let basic = "Basic " + Base64URL.encodeStandard(Array(pair.utf8))
        let response = tenant.send(
            .post,
            "/\(Tenant.id)/oauth2/v2.0/token",
            body,
            [.authorization: basic]
        )
        #expect(response.http.status == .ok)
    }

    @Test func `above 200 groups none is named`() throws {
        let groups = (0..<201).map { "\"00000000-0000-4000-8000-\(String($0 + 100_000_000_000))\"" }
        let toml = DefaultTenant.toml.replacing(
            "groups = [\"b0a2d000-0000-4000-8000-00000000b0a2\"]",
            with: "groups = [\(groups.joined(separator: ","))]"
        )
        let tenant = try Tenant(toml)
        let code = tenant.signIn("ca401000-0000-4000-8000-00000000000c")["code"]
        let token = try #require(tenant.redeem(["code": code]).json["id_token"]?.string)
        let claims = try Self.claims(tenant, token)
        #expect(claims["groups"] == nil)
        #expect(claims["_claim_names"]?["groups"] == "src1")
    }
}
