import HTTPTypes
import Jansson
import Testing

@testable import EntraEmulator

/// Microsoft Graph for an application that acts for itself.
@Suite struct DirectoryGraphTests {
    private static let board = "b0a2d000-0000-4000-8000-00000000b0a2"
    private static let select = "$select=id,accountEnabled,signInSessionsValidFromDateTime"

    private static func token(_ scene: Scene, _ client: String? = nil) throws -> String {
        var form: [String: String?] = [
            "grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default",
        ]
        if let client { form["client_id"] = client }
        return try #require(scene.redeem(form).json["access_token"]?.string)
    }

    @Test func `accounts are found by their ids, with what was done to them`() throws {
        let scene = try Scene()
        let token = try Self.token(scene)
        let path = "/users?$filter=id%20in%20('\(Scene.alice.uppercased())','\(Scene.bob)')&"
        func users() throws -> [JSON] {
            try scene.ask(token, "/v1.0" + path + Self.select).json["value"]?.array ?? []
        }
        #expect(try users().map { $0["accountEnabled"] } == [true, true])
        let since = "signInSessionsValidFromDateTime"
        #expect(try users().first?[since] == "2017-07-14T02:40:00Z")
        _ = try scene.order("/users/\(Scene.alice)", ["change": "disable"])
        _ = try scene.order("/users/\(Scene.bob)", ["change": "revoke-sessions"])
        #expect(try users().map { $0["accountEnabled"] } == [false, true])
        #expect(try users().last?[since] != "2017-07-14T02:40:00Z")
        _ = try scene.order("/users/\(Scene.bob)", ["change": "delete"])
        #expect(try users().map { $0["id"] } == [.string(Scene.alice)])
        let gone = try scene.ask(token, "/v1.0/users/\(Scene.bob)?$select=id")
        #expect(gone.status == 404)
        #expect(gone.json["error"]?["code"] == "Request_ResourceNotFound")
        let batch: JSON = [
            "requests": [
                ["id": "a", "method": "GET", "url": .string("/users/\(Scene.alice)")],
                ["id": "b", "method": "GET", "url": .string("/users/\(Scene.bob)")],
            ]
        ]
        let answers = try scene.ask(token, "/v1.0/$batch", batch).json["responses"]?.array ?? []
        #expect(answers.map { $0["status"] } == [200, 404])
        #expect(answers.first?["body"]?["id"] == .string(Scene.alice))
    }

    @Test func `who joined or left a group is told once`() throws {
        let scene = try Scene()
        let token = try Self.token(scene)
        let filter = "$select=members&$filter=id%20eq%20'\(Self.board)'"
        var link = "/groups/delta?$deltatoken=latest&\(filter)"
        func next() throws -> [JSON] {
            let answer = try scene.ask(token, "/v1.0" + link).json
            let text = try #require(answer["@odata.deltaLink"]?.string)
            link = String(text.dropFirst("http://localhost:8081/v1.0".utf8.count))
            return answer["value"]?.array ?? []
        }
        #expect(try next() == [])
        for (change, value) in [
            ("add-group", Self.board), ("add-group", "5ec00000-0000-4000-8000-000000000000"),
            ("remove-group", Self.board),
            ("rename", "Alicia"),
        ] {
            let order: JSON = ["change": .string(change), "value": .string(value)]
            _ = try scene.order("/users/\(Scene.alice)", order)
        }
        let unknown: JSON = ["change": "add-group", "value": "bord"]
        #expect(try scene.order("/users/\(Scene.alice)", unknown).status == 400)
        let changes = try next().map { $0["members@delta"]?.array?.first }
        #expect(changes.map { $0?["id"] } == [.string(Scene.alice), .string(Scene.alice)])
        #expect(changes.map { $0?["@removed"] != nil } == [false, true])
        #expect(try next() == [])
        _ = try scene.order("/users/ca401000-0000-4000-8000-00000000000c", ["change": "delete"])
        #expect(try next().count == 1)
        _ = try scene.order("/reset", [:])
        let lost = try scene.ask(token, "/v1.0" + link)
        #expect(lost.status == 410 && lost.json["error"]?["code"] == "syncStateNotFound")
    }

    private static let refused: [(path: String, status: Int)] = [
        ("/users?$expand=memberOf", 400), ("/users?$select=displayName", 400),
        ("/users?$filter=displayName%20eq%20'A'", 400), ("/users?$filter=id%20in%20('x')", 400),
        (
            "/users?$filter=id%20in%20("
                + (0..<16).map { _ in "'\(Scene.alice)'" }.joined(separator: ",") + ")", 400
        ),
        ("/groups/delta", 400), ("/groups/delta?$deltatoken=latest", 400),
        ("/groups/delta?$deltatoken=latest&$select=members&$filter=x", 400),
        ("/groups/delta?$deltatoken=MQ", 410), ("/groups", 404), ("/me", 404), ("/users/x", 404),
    ]

    @Test func `what is not emulated is refused, as is who has no permission`() throws {
        let scene = try Scene()
        let token = try Self.token(scene)
        for (path, status) in Self.refused {
            #expect(try scene.ask(token, "/v1.0" + path).status == status, "\(path)")
        }
        let question: JSON = ["id": "a", "method": "GET", "url": "/users?$top=1"]
        for (count, status) in [(0, 400), (1, 200), (20, 200), (21, 400)] {
            let body: JSON = ["requests": .array([JSON](repeating: question, count: count))]
            #expect(try scene.ask(token, "/v1.0/$batch", body).status == status)
        }
        let job = try Self.token(scene, "22222222-bbbb-4000-8000-000000000008")
        let code = scene.signIn()["code"]
        let user = try #require(scene.redeem(["code": code]).json["access_token"]?.string)
        for path in ["/users?$top=1", "/users/\(Scene.bob)", "/groups/delta?$deltatoken=latest"] {
            #expect(try scene.ask(job, "/v1.0" + path).status == 403)
            #expect(try scene.ask(user, "/v1.0" + path).status == 404)
            #expect(try scene.ask("nobody", "/v1.0" + path).status == 401)
        }
    }
}
