import HTTPTypes
import Testing

@testable import RelyingParty

@Suite struct SignOutTests {
    private static let sameOrigin: HTTPFields = [.secFetchSite: "same-origin"]

    @Test func `signing out ends the session here, then at Entra, and kills copies of the cookie`()
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        let copy = try #require(world.state.withLock { $0.siteCookies["session"] })
        let response = world.send(.signOut, .post, fields: Self.sameOrigin)
        #expect(response.http.status == .seeOther)
        let url = try #require(response.http.headerFields[.location])
        #expect(url.hasPrefix("http://localhost:8081/"))
        #expect(url.contains("/oauth2/v2.0/logout?"))
        #expect(url.contains("logout_hint=O.Ci"))
        #expect(
            url.contains(
                "post_logout_redirect_uri=http%3A%2F%2Flocalhost%3A8080%2Fauth%2Fsigned-out"
            )
        )
        #expect(!url.contains("id_token"))
        #expect(response.http.headerFields[.clearSiteData] == "\"cache\"")
        #expect(world.state.withLock { $0.siteCookies["session"] } == nil)
        #expect(world.state.withLock { $0.siteCookies["browser"] } == nil)
        let replay = "session=\(copy)"
        #expect(world.check("/hr/", cookie: replay) == .unauthorized)
    }

    @Test(
        arguments: [
            [HTTPField.Name.secFetchSite: "cross-site"], [.secFetchSite: "same-site"],
            [.secFetchSite: "none"], [.origin: "https://evil.example"], [.origin: "null"], [:],
        ] as [HTTPFields]
    )
    func `a form of another site signs nobody out`(fields: HTTPFields) throws {
        let world = try World()
        world.signIn(Person.alice)
        let response = world.send(.signOut, .post, fields: fields)
        #expect(response.http.status == .ok)
        #expect(String(decoding: response.body, as: UTF8.self).contains("Sign out?"))
        #expect(world.check("/hr/") == .noContent)
        // The browser leaves our cookie at home then; the answer must not delete it.
        var without = fields
        without[.cookie] = "other=1"
        let answer = world.send(.signOut, .post, fields: without)
        #expect(answer.http.headerFields[.setCookie] == nil)
        #expect(answer.http.headerFields[.clearSiteData] == nil)
    }

    @Test func `signing out ends every session that the browser brings, idle ones too`() throws {
        let world = try World("session_idle_seconds = 600")
        world.signIn(Person.alice)
        let first = try #require(world.state.withLock { $0.siteCookies["session"] })
        world.signIn(Person.alice)
        let second = try #require(world.state.withLock { $0.siteCookies["session"] })
        world.advance(seconds: 700)
        let fields: HTTPFields = [
            .cookie: "session=\(first); session=\(second)", .secFetchSite: "same-origin",
        ]
        #expect(world.send(.signOut, .post, fields: fields).http.status == .seeOther)
        #expect(world.state.withLock(\.revoked).count == 2)
    }

    @Test func `whoever signs in as somebody else ends the session that was there`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let alice = try #require(world.state.withLock { $0.siteCookies["session"] })
        world.signIn(Person.bob)
        let replay = "session=\(alice)"
        #expect(world.check("/hr/", cookie: replay) == .unauthorized)
    }

    @Test func `whoever signs in anew ends their own session that was there`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let first = try #require(world.state.withLock { $0.siteCookies["session"] })
        world.advance(seconds: 1)
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .noContent)
        #expect(world.check("/hr/", cookie: "session=\(first)") == .unauthorized)
    }

    /// A neighbouring host can plant as many cookies of our name as it likes, on plain http.
    @Test func `planted cookies do not hide the session that is to end`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let session = try #require(world.state.withLock { $0.siteCookies["session"] })
        let planted = (0..<9).map { "session=planted\($0)" } + ["session=\(session)"]
        let fields: HTTPFields = [
            .cookie: planted.joined(separator: "; "), .secFetchSite: "same-origin",
        ]
        #expect(world.send(.signOut, .post, fields: fields).http.status == .seeOther)
        #expect(world.check("/hr/", cookie: "session=\(session)") == .unauthorized)
    }

    @Test func `GET never signs out; it shows a button, whose token is for this session alone`()
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        let page = String(decoding: world.send(.signOut).body, as: UTF8.self)
        #expect(world.check("/hr/") == .noContent)
        let start = try #require(page.firstRange(of: "name=\"token\" value=\"")?.upperBound)
        let token = page[start...].prefix { $0 != "\"" }

        world.signIn(Person.bob)
        let foreign = world.send(.signOut, .post, fields: [:], body: "token=\(token)")
        #expect(foreign.http.status == .ok)
        #expect(world.check("/other/") == .noContent)
        let session = try #require(world.state.withLock { $0.siteCookies["session"] })
        let wrong = world.send(.signOut, .post, fields: [:], body: "token=\(session)")
        #expect(wrong.http.status == .ok)

        let own = String(decoding: world.send(.signOut).body, as: UTF8.self)
        let ownStart = try #require(own.firstRange(of: "name=\"token\" value=\"")?.upperBound)
        let ownToken = own[ownStart...].prefix { $0 != "\"" }
        let done = world.send(.signOut, .post, fields: [:], body: "token=\(ownToken)")
        #expect(done.http.status == .seeOther)
        #expect(world.check("/other/") == .unauthorized)
    }

    @Test(arguments: [(24 * 3600 - 1, HTTPResponse.Status.seeOther), (24 * 3600, .ok), (-1, .ok)])
    func `the button of a page works for a day`(age: Int, status: HTTPResponse.Status) throws {
        let world = try World()
        world.signIn(Person.alice)
        let page = String(decoding: world.send(.signOut).body, as: UTF8.self)
        let start = try #require(page.firstRange(of: "name=\"token\" value=\"")?.upperBound)
        let token = page[start...].prefix { $0 != "\"" }
        world.advance(seconds: age)
        let answer = world.send(.signOut, .post, fields: [:], body: "token=\(token)")
        #expect(answer.http.status == status)
    }

    @Test func `signing out does not wait for a provider that was never reached`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let cookies = world.state.withLock(\.siteCookies)
        // The same secrets, another process.
        let restarted = try World()
        restarted.state.withLock {
            $0.siteCookies = cookies
            $0.sendsLeft = 0
        }
        let response = restarted.send(.signOut, .post, fields: Self.sameOrigin)
        #expect(response.http.headerFields[.location] == "http://localhost:8080/auth/signed-out")
    }

    @Test func `a list that cannot be written is told to reader and operator`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let list = world.relyingParty
        world.state.withLock { $0.isRevocationListReadable = true }
        // Read once for the session, refused when it is written.
        let storage = Storage(
            policy: { _ in World.policy },
            frame: { _ in nil },
            revocations: { $0.map { _ in nil } },
            revoke: { _ in false }
        )
        let environment = Environment(
            now: { world.state.withLock(\.now) },
            random: { [UInt8](repeating: 0, count: $0) },
            send: { _, _ in throw World.Unreachable() }
        )
        let party = RelyingParty(list.configuration, environment, storage)
        let cookie = try #require(world.state.withLock { $0.siteCookies["session"] })
        let response = party.respond(
            to: Request(
                route: .signOut,
                method: .post,
                headerFields: [.cookie: "session=\(cookie)", .secFetchSite: "same-origin"],
                reference: "1"
            )
        )
        #expect(response.http.status == .internalServerError)
        #expect(response.events.contains { $0.level == .error })
    }

    @Test func `the signed-out page says so to everybody and clears what the browser kept`() throws
    {
        let response = try World().send(.signedOut)
        #expect(response.http.status == .ok)
        #expect(response.http.headerFields[.clearSiteData] == "\"cache\"")
        #expect(String(decoding: response.body, as: UTF8.self).contains("You are signed out"))
    }
}
