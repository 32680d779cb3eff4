import JOSE
import Jansson
import Testing

@testable import EntraEmulator

@Suite struct RefreshTests {
    private static let scope = "openid profile offline_access"

    private static func refreshToken(_ scene: Scene) throws -> String {
        let code = scene.signIn(Scene.alice, ["scope": scope])["code"]
        return try #require(scene.redeem(["code": code]).json["refresh_token"]?.string)
    }

    private static func refresh(_ scene: Scene, _ token: String) -> (status: Int, json: JSON) {
        scene.redeem([
            "grant_type": "refresh_token", "refresh_token": token, "code_verifier": nil,
            "redirect_uri": nil,
        ])
    }

    @Test func `a refresh token gives a new one, and stays good itself`() throws {
        let scene = try Scene()
        let first = try Self.refreshToken(scene)
        let answer = Self.refresh(scene, first)
        let second = try #require(answer.json["refresh_token"]?.string)
        #expect(second != first)
        let claims = try scene.claims(try #require(answer.json["id_token"]?.string))
        #expect(claims["oid"]?.string == Scene.alice && claims["nonce"] == nil)
        #expect(Self.refresh(scene, first).status == 200)
        #expect(Self.refresh(scene, second).status == 200)
        #expect(answer.json["scope"]?.string?.contains("offline_access") == false)
    }

    @Test func `without offline_access there is none`() throws {
        let scene = try Scene()
        #expect(scene.redeem(["code": scene.signIn()["code"]]).json["refresh_token"] == nil)
    }

    /// What ends a confidential client's refresh token, and what does not
    /// (Microsoft, "Refresh tokens": token revocation).
    @Test(arguments: [
        ("disable", 50057), ("revoke-sessions", 50173), ("reset-password", 50173),
        ("change-password", 0),
    ])
    func `it ends as Entra ends it`(change: String, number: Int) throws {
        let scene = try Scene()
        let token = try Self.refreshToken(scene)
        let order = try scene.order("/users/\(Scene.alice)", ["change": .string(change)])
        #expect(order.status == 200)
        let answer = Self.refresh(scene, token)
        #expect(answer.status == (number == 0 ? 200 : 400))
        if number != 0 {
            #expect(answer.json["error"] == "invalid_grant")
            #expect(answer.json["error_codes"] == [.integer(number)])
        }
    }

    @Test func `a sign-out does not end it, ninety days without use do`() throws {
        let scene = try Scene()
        let token = try Self.refreshToken(scene)
        let logout = "/\(Scene.id)/oauth2/v2.0/logout?logout_hint="
        _ = scene.send(.get, logout + OpaqueID.loginHint(of: Scene.alice))
        #expect(Self.refresh(scene, token).status == 200)
        scene.now.withLock { $0 += 91 * 86_400 }
        #expect(Self.refresh(scene, token).json["error_codes"] == [700_082])
    }

    @Test func `it is of the application that it was given to`() throws {
        let scene = try Scene()
        let token = try Self.refreshToken(scene)
        let answer = scene.redeem([
            "grant_type": "refresh_token", "refresh_token": token,
            "client_id": "22222222-bbbb-4000-8000-000000000004",
        ])
        #expect(answer.json["error"] == "invalid_grant")
        // An access token is no refresh token.
        let code = scene.signIn()["code"]
        let access = try #require(scene.redeem(["code": code]).json["access_token"]?.string)
        #expect(Self.refresh(scene, access).json["error"] == "invalid_grant")
    }

    @Test func `an application gets a token of its own for '.default'`() throws {
        let scene = try Scene()
        let own = [
            "grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default",
        ]
        let answer = scene.redeem(own)
        #expect(answer.status == 200 && answer.json["id_token"] == nil)
        #expect(answer.json["refresh_token"] == nil)
        let other = scene.redeem(own.merging(["scope": "User.Read"]) { $1 })
        #expect(other.json["error"] == "invalid_scope")
    }
}
