import HTTPTypes
import Jansson
import OpenSSL
import Synchronization

@testable import EntraEmulator

/// An emulator with the built-in tenant, a clock of its own and a browser's cookie.
final class Tenant: Sendable {
    static let id = "11111111-aaaa-4000-8000-000000000001"
    static let client = "22222222-bbbb-4000-8000-000000000002"
    static let alice = "a11ce000-0000-4000-8000-00000000000a"
    static let bob = "b0b00000-0000-4000-8000-00000000000b"
    static let eric = "e41c0000-0000-4000-8000-00000000000e"
    static let verifier = "a-verifier-of-forty-three-characters-at-least"

    /// Made once: it takes longer than the tests.
    static let key = try? SigningKey()

    struct NoTenant: Error {}

    let now = Mutex(1_800_000_000)
    let cookie = Mutex<String?>(nil)
    let emulator: Emulator

    init(_ toml: String = DefaultTenant.toml) throws {
        guard let directory = Directory.parse(Array(toml.utf8), path: "tenant.toml").directory
        else {
            throw NoTenant()
        }
        let clock = Mutex<Tenant?>(nil)
        guard let key = Self.key,
            let emulator = Emulator(
                directory,
                base: "http://localhost:8081",
                key: key,
                now: { clock.withLock { $0?.now.withLock { $0 } ?? 0 } },
                random: { RandomBytes.next($0) }
            )
        else { throw NoTenant() }
        self.emulator = emulator
        clock.withLock { $0 = self }
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
    static func authorize(_ changes: [String: String?] = [:], tenant: String = Tenant.id) -> String
    {
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
    func signIn(_ user: String = alice, _ changes: [String: String?] = [:]) -> QueryItems {
        let response = send(.post, Self.authorize(changes), "account=\(user)")
        let location = response.http.headerFields[.location] ?? ""
        return QueryItems(location.drop { $0 != "?" }.dropFirst())
    }

    func redeem(_ changes: [String: String?], tenant: String = Tenant.id) -> (
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
}
