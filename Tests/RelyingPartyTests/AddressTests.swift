import HTTPTypes
import Testing

@testable import RelyingParty

/// A reader is never thrown to the home page because the address was odd.
@Suite struct AddressTests {
    /// Addresses that nginx serves or hands to an application, and no sign-in can carry.
    private static let odd = [
        "/wiki/?q=" + String(repeating: "a", count: 7000), "/wiki/caf%E9", "/wiki/%25252525x",
        "/a/../hr/", "/wiki/a%5Cb", "/wiki/%2e%2e/hr/",
    ]

    private static func text(_ response: Response?) -> String {
        response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
    }

    @Test(arguments: odd)
    func `at an odd address the check is put off within the grace, and then the browser keeps it`(
        address: String
    ) throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        #expect(world.check("/wiki/") == .unauthorized)
        let sends = world.state.withLock(\.sends)
        let answer = world.send(.signIn, wanted: address)
        #expect(answer.http.headerFields[.location] == "http://localhost:8080" + address)
        #expect(world.check("/wiki/") == .noContent && world.state.withLock(\.sends) == sends)
        #expect(answer.events.contains { $0.subject.user == Person.alice })
        // A few minutes later any other page asks the provider.
        world.advance(seconds: Sessions.postponement)
        let url = world.get("/hr/").response?.http.headerFields[.location]
        #expect(url?.contains("prompt=none") == true)
        // At the end of the grace, nobody is let in.
        world.advance(seconds: 3600 - Sessions.postponement)
        let last = world.send(.signIn, wanted: address)
        #expect(last.http.status == .unauthorized && last.http.headerFields[.location] == nil)
        #expect(Self.text(last).contains("reload this tab"))
        #expect(world.check("/wiki/") == .unauthorized)
    }

    @Test(arguments: odd + ["//evil.com/", "/\\evil.com", ""])
    func `a stranger at an odd address signs in from a new tab`(address: String) throws {
        for settings in ["", "sign_in = \"page\""] {
            let world = try World(settings)
            let answer = world.send(.signIn, wanted: address)
            #expect(answer.http.status == .unauthorized)
            #expect(answer.http.headerFields[.location] == nil)
            #expect(Self.text(answer).contains("return=/auth/account\" target=\"_blank\""))
            #expect(!Self.text(answer).contains("evil"))
        }
    }

    @Test func `the new tab asks the provider even if there is a session`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let query = "again=always&return=/auth/account"
        let url = world.send(.signIn, query: query).http.headerFields[.location] ?? ""
        #expect(url.hasPrefix("http://localhost:8081/"))
    }

    /// Otherwise a browser that stores no cookie would go round in a circle.
    @Test func `a browser that loses the cookie is not sent round`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3600)
        let old = try #require(world.state.withLock { $0.siteCookies["session"] })
        let statuses = (0..<5).map { _ in
            world.state.withLock { $0.siteCookies["session"] = old }
            return world.send(.signIn, wanted: Self.odd[0]).http.status
        }
        #expect(statuses.last == .unauthorized)
    }

    @Test func `whoever may not open an odd address may use another account`() throws {
        let world = try World()
        world.signIn(Person.bob)
        let answer = world.send(.forbidden, wanted: Self.odd[0])
        #expect(Self.text(answer).contains("account=other&amp;return=%2Fauth%2Faccount"))
        #expect(answer.events.map(\.subject.path) == ["/wiki/"])
    }
}
