import HTTPTypes
import Testing

@testable import EntraEmulator

@Suite struct LogoutTests {
    private static let back = "http://localhost:8080/auth/signed-out"

    private static func url(_ items: [(String, String)]) -> String {
        "/\(Tenant.id)/oauth2/v2.0/logout?" + QueryItems.encode(items)
    }

    @Test func `with a hint the account is signed out without a question, and back it goes`() throws
    {
        let tenant = try Tenant()
        _ = tenant.signIn()
        let alice = try #require(tenant.emulator.directory.user(Tenant.alice))
        let url = Self.url([
            ("post_logout_redirect_uri", Self.back), ("state", "x"),
            ("logout_hint", IDTokenClaims.loginHint(alice)),
        ])
        let response = tenant.send(.get, url)
        #expect(response.http.headerFields[.location] == Self.back + "?state=x")
        // Nobody is signed in any more: the next sign-in asks.
        #expect(tenant.send(.get, Tenant.authorize()).http.status == .ok)
    }

    @Test func `without a hint it asks even about one account`() throws {
        let tenant = try Tenant()
        _ = tenant.signIn()
        let url = Self.url([("post_logout_redirect_uri", Self.back)])
        let page = tenant.send(.get, url)
        #expect(page.http.status == .ok)
        #expect(String(decoding: page.body, as: UTF8.self).contains("sign out of"))
        let response = tenant.send(.post, url, "account=\(Tenant.alice)")
        #expect(response.http.headerFields[.location] == Self.back)
    }

    @Test(arguments: ["https://evil.example/", "http://localhost:8080/elsewhere", ""])
    func `an address that is not registered is not gone to`(uri: String) throws {
        let response = try Tenant().send(.get, Self.url([("post_logout_redirect_uri", uri)]))
        #expect(response.http.headerFields[.location] == nil)
        #expect(String(decoding: response.body, as: UTF8.self).contains("You signed out"))
    }
}
