import Fixtures
import HTTPTypes
import Jansson
import Testing

@testable import EntraEmulator

/// Forms that no library would send, thrown together by chance, the same ones in each run.
@Suite struct HostileRequestTests {
    private static let client = "22222222-bbbb-4000-8000-000000000007"
    private static let api = "api://22222222-bbbb-4000-8000-000000000005"

    private static let values: [String: [String]] = [
        "client_id": [client, client, Scene.client, "22222222-bbbb-4000-8000-000000000008", "x"],
        "scope": [
            "openid offline_access", "\(api)/Tasks.Read", "\(api)/.default openid", "\(api)/", "//",
            "/.default", "https://vault.azure.net//.default", "\(Scene.client)/.default", "\u{0}",
            "\u{301}/\u{301}", "User.Read \(api)/Tasks.Read",
        ],
        "grant_type": [
            "authorization_code", "refresh_token", "client_credentials", "password",
            "urn:ietf:params:oauth:grant-type:device_code",
        ],
        "client_secret": ["emulated~secret.is-no-secret_at-all", "x"],
        "account": [Scene.alice, Scene.eric, "5ec04d00-0000-4000-8000-000000000012", "x"],
        "redirect_uri": ["http://localhost", "http://localhost:8080/auth/callback", "x"],
        "response_type": ["code", "id_token token", "code id_token", "x"],
        "response_mode": ["query", "fragment", "form_post", "x"],
        "prompt": ["none", "login", "consent", "select_account"],
        "max_age": ["0", "-1", "9223372036854775807", "-9223372036854775808", "x"],
        "password": ["x", "wrong"], "user_name": ["alice@example.com", "\u{1F469}\u{200D}"],
        "consent": ["accept"], "confirmed": ["1"], "approved": ["1"], "cancel": ["1"],
        "client_assertion": ["a.b.c", "."], "code_challenge": ["x"], "nonce": ["n"],
    ]

    private static let paths = [
        "oauth2/v2.0/devicecode", "oauth2/v2.0/token", "oauth2/v2.0/token", "oauth2/v2.0/authorize",
        "oauth2/v2.0/logout", "adminconsent", "kerberos", "saml2",
    ].flatMap { path in
        [Scene.id, Scene.id, "common", "consumers", "x"].map { "/\($0)/\(path)" }
    }

    @Test func `no form is too odd to be answered`() throws {
        let scene = try Scene()
        var chance = Chance(state: 1)
        // What was given out is sent back, in the right place and in others.
        var given = [
            "device_code": ["x"], "user_code": ["x"], "refresh_token": ["x"], "code": ["x"],
        ]
        var statuses: [Int: Int] = [:]
        for _ in 0..<500 {
            let names = (Array(Self.values.keys) + given.keys).sorted()
            var items = (0..<Int.random(in: 1...8, using: &chance)).map { _ in
                let name = names.randomElement(using: &chance) ?? ""
                let choices = Self.values[name] ?? given[name]?.suffix(9) ?? []
                return (name, choices.randomElement(using: &chance) ?? "")
            }
            // Half of them begin as a sound request does.
            if Bool.random(using: &chance) {
                items += [("client_id", Self.client), ("scope", "openid offline_access")]
            }
            var path = Self.paths.randomElement(using: &chance) ?? ""
            if Int.random(in: 0..<4, using: &chance) == 0 {
                path = "/device?user_code=\(given["user_code"]?.last ?? "")"
            }
            let method = [HTTPRequest.Method.post, .post, .post, .get].randomElement(using: &chance)
            let answer = scene.send(method ?? .post, path, QueryItems.encode(items))
            statuses[answer.http.status.code, default: 0] += 1
            #expect(answer.http.status.code < 500, "\(path) \(items)")
            guard answer.http.headerFields[.contentType]?.contains("json") == true else { continue }
            let json = try JSON(parsing: answer.body)
            for name in given.keys { given[name]? += json[name]?.string.map { [$0] } ?? [] }
        }
        // The answers are not all the same refusal.
        #expect(statuses.count >= 4 && (statuses[200] ?? 0) > 50)
        #expect((given["device_code"]?.count ?? 0) > 2 && (given["user_code"]?.count ?? 0) > 2)
    }
}
