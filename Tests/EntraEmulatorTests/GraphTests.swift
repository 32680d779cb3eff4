import HTTPTypes
import Jansson
import Testing

@testable import EntraEmulator

@Suite struct GraphTests {
    private static let olga = "0fe40000-0000-4000-8000-000000000010"
    private static let board = "b0a2d000-0000-4000-8000-00000000b0a2"

    private static func accessToken(_ scene: Scene, _ user: String) throws -> String {
        let code = scene.signIn(user)["code"]
        return try #require(scene.redeem(["code": code]).json["access_token"]?.string)
    }

    @Test func `who has too many groups for a token finds them here`() throws {
        let scene = try Scene()
        let token = try Self.accessToken(scene, Self.olga)
        let all = try scene.ask(token, "/v1.0/me/getMemberObjects", ["securityEnabledOnly": true])
        #expect(all.json["value"]?.array?.count == 251)
        let some = try scene.ask(
            token,
            "/v1.0/me/checkMemberGroups",
            ["groupIds": [.string(Self.board), "5ec00000-0000-4000-8000-0000005ec000"]]
        )
        #expect(some.json["value"] == [.string(Self.board)])
    }

    @Test func `groups come in pages`() throws {
        let scene = try Scene()
        let token = try Self.accessToken(scene, Self.olga)
        var path = "/v1.0/me/transitiveMemberOf/microsoft.graph.group?$select=id&$top=100"
        var sizes: [Int] = []
        var ids: Set<String> = []
        while true {
            let page = try scene.ask(token, path).json
            let values = try #require(page["value"]?.array)
            sizes.append(values.count)
            ids.formUnion(values.compactMap { $0["id"]?.string })
            guard let next = page["@odata.nextLink"]?.string else { break }
            path = String(next.dropFirst("http://localhost:8081".count))
        }
        #expect(sizes == [100, 100, 51] && ids.count == 251)
    }

    @Test(arguments: [
        ("/v1.0/me/getMemberObjects", JSON.null),
        ("/v1.0/me/checkMemberGroups", ["groupIds": []] as JSON),
        (
            "/v1.0/me/checkMemberGroups",
            ["groupIds": JSON.array(Array(repeating: "x", count: 21))] as JSON
        ),
    ])
    func `a wrong question is told so`(path: String, body: JSON) throws {
        let scene = try Scene()
        let token = try Self.accessToken(scene, Scene.alice)
        let answer = try scene.ask(token, path, body)
        #expect(answer.status == 400 && answer.json["error"]?["code"] == "Request_BadRequest")
    }

    @Test func `without a token that holds there is nothing`() throws {
        let scene = try Scene()
        #expect(try scene.ask("made-up", "/v1.0/me").status == 401)
        let token = try Self.accessToken(scene, Scene.alice)
        let me = try scene.ask(token, "/v1.0/me").json
        #expect(me["id"]?.string == Scene.alice && me["userPrincipalName"] == "alice@example.com")
        scene.now.withLock { $0 += 3600 }
        let late = scene.send(.get, "/v1.0/me", "", [.authorization: "Bearer \(token)"])
        #expect(late.http.status == .unauthorized)
        #expect(late.http.headerFields[.wwwAuthenticate]?.contains("invalid_token") == true)
    }

    @Test func `userinfo is of the same person as the ID token`() throws {
        let scene = try Scene()
        let code = scene.signIn()["code"]
        let json = scene.redeem(["code": code]).json
        let claims = try scene.claims(try #require(json["id_token"]?.string))
        let token = try #require(json["access_token"]?.string)
        let info = try scene.ask(token, "/oidc/userinfo").json
        #expect(info["sub"] == claims["sub"] && info["email"] == "alice@example.com")
        #expect(info.members?.names.contains("oid") == false)
    }
}
