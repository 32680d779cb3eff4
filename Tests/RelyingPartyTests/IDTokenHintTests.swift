import HTTPTypes
import Synchronization
import Testing

@testable import RelyingParty

@Suite struct IDTokenHintTests {
    private static let name = "__Secure-id-token-hint"

    private static func hint(_ response: Response) -> String? {
        response.http.headerFields[.location].flatMap { url in
            url.split(separator: "?").last.flatMap { Form(String($0)) }?["id_token_hint"]
        }
    }

    @Test func `the ID token goes back to the provider that wants it, and nowhere else`() throws {
        let provider = try OtherProvider("id_token_hint = true")
        let admitted = provider.signIn()
        let lines = admitted.http.headerFields[values: .setCookie]
        let line = try #require(lines.first { $0.hasPrefix(Self.name) })
        #expect(line.contains("; Path=/auth/; HttpOnly; SameSite=Strict; Secure"))
        let answer = provider.send(.signOut, .post)
        let token = try #require(Self.hint(answer))
        #expect(token.split(separator: ".").count == 3 && token.hasPrefix("eyJ"))
        // Sealed: nothing of the token can be read in the cookie.
        for part in token.split(separator: ".") { #expect(!line.contains(part)) }
        #expect(provider.state.withLock { $0.cookies[Self.name] } == nil)
    }

    @Test func `without the setting no token is kept`() throws {
        let provider = try OtherProvider()
        let admitted = provider.signIn()
        #expect(!admitted.http.headerFields[values: .setCookie].contains { $0.contains("hint") })
        #expect(Self.hint(provider.send(.signOut, .post)) == nil)
    }

    @Test func `the session's own cookie stays as small as without it`() throws {
        let lengths = try ["", "id_token_hint = true"].map { settings in
            let provider = try OtherProvider(settings)
            provider.signIn()
            return provider.state.withLock { $0.cookies["__Host-session"]?.utf8.count }
        }
        #expect(lengths[0] == lengths[1] && lengths[0] ?? 600 <= 512)
    }

    @Test func `a hint of another session is not used`() throws {
        let provider = try OtherProvider("id_token_hint = true")
        provider.signIn()
        let old = provider.state.withLock { $0.cookies[Self.name] }
        provider.signIn()
        provider.state.withLock { $0.cookies[Self.name] = old }
        #expect(Self.hint(provider.send(.signOut, .post)) == nil)
    }

    @Test func `a token that does not fit is left out, and the log says so`() throws {
        let provider = try OtherProvider("id_token_hint = true")
        provider.state.withLock {
            $0.claims["picture"] = .string(String(repeating: "x", count: 3500))
        }
        let admitted = provider.signIn()
        #expect(provider.check("/") == 204)
        #expect(admitted.events.contains { $0.text.contains("does not fit into a cookie") })
        #expect(Self.hint(provider.send(.signOut, .post)) == nil)
    }

    @Test func `Entra never gets one`() throws {
        // On this machine nobody can tell by the address that it is Entra.
        let world = try World("id_token_hint = true")
        world.signIn(Person.alice)
        #expect(world.state.withLock { $0.siteCookies["id-token-hint"] } == nil)
        let fields: HTTPFields = [.secFetchSite: "same-origin"]
        #expect(Self.hint(world.send(.signOut, .post, fields: fields)) == nil)
    }
}
