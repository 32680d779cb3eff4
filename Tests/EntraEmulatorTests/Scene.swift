import HTTPTypes
import JOSE
import Jansson
import OpenSSL
import Synchronization
import Testing

@testable import EntraEmulator

/// An emulator with the built-in tenants, a clock of its own and a browser's cookie.
final class Scene: Sendable {
    static let id = "11111111-aaaa-4000-8000-000000000001"
    static let client = "22222222-bbbb-4000-8000-000000000002"
    static let alice = "a11ce000-0000-4000-8000-00000000000a"
    static let bob = "b0b00000-0000-4000-8000-00000000000b"
    static let eric = "e41c0000-0000-4000-8000-00000000000e"
    static let verifier = "a-verifier-of-forty-three-characters-at-least"

    /// Made once: they take longer than the tests.
    private static let keys: SigningKeys? = {
        guard let directory = Directory.parse(Array(Directory.builtIn.utf8), path: "").directory
        else { return nil }
        return try? SigningKeys(for: directory)
    }()

    struct NoScene: Error {}

    let now = Mutex(1_800_000_000)
    let cookie = Mutex<String?>(nil)
    let emulator: Emulator

    init(_ toml: String = Directory.builtIn) throws {
        guard let directory = Directory.parse(Array(toml.utf8), path: "tenants.toml").directory
        else {
            throw NoScene()
        }
        let clock = Mutex<Scene?>(nil)
        guard let keys = Self.keys, let base = Origin("http://localhost:8081") else {
            throw NoScene()
        }
        emulator = Emulator(
            directory,
            base: base,
            keys: keys,
            now: { clock.withLock { $0?.now.withLock { $0 } ?? 0 } },
            random: { RandomBytes.next($0) }
        )
        clock.withLock { $0 = self }
    }

    /// Asks with an access token; with a body, by POST.
    func ask(
        _ token: String,
        _ path: String,
        _ body: JSON? = nil
    ) throws -> (status: Int, json: JSON) {
        let fields: HTTPFields = [.authorization: "Bearer \(token)"]
        let answer = send(body == nil ? .get : .post, path, body?.text ?? "", fields)
        return (answer.http.status.code, try JSON(parsing: answer.body))
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        _ fields: HTTPFields = [:]
    ) -> EmulatorResponse {
        var fields = fields
        if let cookie = cookie.withLock({ $0 }) { fields[.cookie] = cookie }
        let request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "localhost:8081",
            path: path,
            headerFields: fields
        )
        let response = emulator.respond(to: EmulatorRequest(request, body: Array(body.utf8)))
        if let cookie = response.http.headerFields[.setCookie] {
            self.cookie.withLock { $0 = String(cookie.prefix { $0 != ";" }) }
        }
        return response
    }

    /// The URL of an authorization request, some parameters changed; `nil` leaves one out.
    static func authorize(_ changes: [String: String?] = [:], tenant: String = Scene.id) -> String {
        var items: [String: String?] = [
            "client_id": client, "response_type": "code", "scope": "openid profile email",
            "redirect_uri": "http://localhost:8080/auth/callback", "state": "s", "nonce": "n",
            "code_challenge": "EGHA1oGwfCkTOpFl1Vsn4veFSVESRiTz-nEgRwqWX7E",
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { items[name] = value }
        let query = QueryItems.encode(
            items.sorted { $0.key < $1.key }.compactMap { name, value in
                value.map { (name, $0) }
            }
        )
        return "/\(tenant)/oauth2/v2.0/authorize?\(query)"
    }

    /// Signs in and returns what the redirect carries.
    func signIn(
        _ user: String = alice,
        _ changes: [String: String?] = [:],
        tenant: String = Scene.id
    ) -> QueryItems {
        let response = send(.post, Self.authorize(changes, tenant: tenant), "account=\(user)")
        let location = response.http.headerFields[.location] ?? ""
        return QueryItems(location.drop { $0 != "?" }.dropFirst())
    }

    func redeem(_ changes: [String: String?], tenant: String = Scene.id) -> (
        status: Int, json: JSON
    ) {
        var items: [String: String?] = [
            "grant_type": "authorization_code", "client_id": Self.client,
            "client_secret": "emulated~secret.is-no-secret_at-all",
            "redirect_uri": "http://localhost:8080/auth/callback", "code_verifier": Self.verifier,
        ]
        for (name, value) in changes { items[name] = value }
        let body = QueryItems.encode(items.compactMap { name, value in value.map { (name, $0) } })
        let response = send(.post, "/\(tenant)/oauth2/v2.0/token", body)
        return (response.http.status.code, (try? JSON(parsing: response.body)) ?? .null)
    }

    /// The ID token of somebody who signs in and whose code is redeemed.
    func idToken(
        _ user: String = alice,
        _ changes: [String: String?] = [:],
        tenant: String = Scene.id
    ) throws -> String {
        let code = signIn(user, changes, tenant: tenant)["code"]
        let client = changes["client_id"] ?? Self.client
        let answer = redeem(["code": code, "client_id": client], tenant: tenant)
        return try #require(answer.json["id_token"]?.string)
    }

    /// The claims of a token, its signature checked with the keys of a tenant.
    func claims(_ token: String, tenant: String = Scene.id) throws -> JSON {
        try #require(soundClaims(token, tenant: tenant))
    }

    /// The same, or `nil` for a token that is not sound.
    func soundClaims(_ token: String, tenant: String = Scene.id) -> JSON? {
        let keys = send(.get, "/\(tenant)/discovery/v2.0/keys").body
        guard let set = JSONWebKeySet(parsing: keys),
            let signature = JSONWebSignature(compact: token),
            let key = set.keys(named: signature.unverifiedHeader.keyID ?? "").first,
            let payload = signature.verified(by: key)
        else { return nil }
        return try? JSON(parsing: payload.bytes)
    }

    /// The body of a page.
    func page(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") -> String {
        String(decoding: send(method, path, body).body, as: UTF8.self)
    }

    /// Sends an order to the administration, as JSON.
    func order(_ path: String, _ json: JSON) throws -> (status: Int, json: JSON) {
        let origin = try #require(Origin("http://localhost:8082"))
        var request = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "localhost:8082",
            path: path
        )
        request.headerFields[.contentType] = "application/json"
        let answer = Administration(emulator, at: origin).respond(
            to: EmulatorRequest(request, body: Array(json.text.utf8))
        )
        return (answer.http.status.code, (try? JSON(parsing: answer.body)) ?? .null)
    }
}
