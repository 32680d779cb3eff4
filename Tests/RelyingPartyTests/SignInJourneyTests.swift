import Access
import HTTPTypes
import Testing

@testable import RelyingParty

@Suite struct SignInJourneyTests {
    @Test func `a deep link leads through Entra and back to itself, query included`() throws {
        let world = try World()
        let target = "/hr/leave/?year=2026&a=b%26c"
        let begun = try #require(world.get(target).response)
        #expect(begun.http.status == .seeOther)
        let url = try #require(begun.http.headerFields[.location])
        #expect(url.hasPrefix("http://localhost:8081/11111111-aaaa-4000-8000-000000000001/oauth2"))
        #expect(url.contains("code_challenge_method=S256"))
        let query = try #require(world.pick(Person.alice, at: url))
        let finished = world.send(.callback, query: query)
        #expect(finished.http.headerFields[.location] == "http://localhost:8080" + target)
        guard case .page = world.get(target) else {
            Issue.record("alice does not get the page she wanted")
            return
        }
    }

    @Test func `a group decides, and the one who is not in it is told politely`() throws {
        let world = try World()
        world.signIn(Person.bob)
        let response = try #require(world.get("/hr/").response)
        #expect(response.http.status == .forbidden)
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(page.contains("You are signed in as Bob Brown"))
        #expect(page.contains("5f2c91aa"))
        guard case .page = world.get("/other/") else {
            Issue.record("bob does not get a page for everybody")
            return
        }
    }

    @Test func `a security group's id admits as a role does`() throws {
        let world = try World()
        world.signIn(Person.carol)
        #expect(world.check("/board/") == .noContent)
        #expect(world.check("/hr/") == .forbidden)
    }

    @Test func `a name with letters beyond ASCII arrives whole`() throws {
        let world = try World()
        world.signIn(Person.soren)
        let me = world.send(.me, fields: [.accept: "application/json"])
        #expect(String(decoding: me.body, as: UTF8.self).contains("Søren Ødegård"))
    }

    @Test func `a fetch is told to sign in and gets no redirect and no cookie`() throws {
        let world = try World()
        for fields: HTTPFields in [
            [.secFetchMode: "cors", .accept: "text/html"], [.accept: "application/json"],
            [.accept: "text/html", .xRequestedWith: "XMLHttpRequest"],
        ] {
            let response = try #require(world.get("/hr/", fields: fields).response)
            #expect(response.http.status == .unauthorized)
            #expect(response.http.headerFields[.contentType]?.hasPrefix("application/json") == true)
            #expect(response.http.headerFields[.setCookie] == nil)
        }
    }

    @Test func `tabs that sign in at the same time all arrive`() throws {
        let world = try World()
        let first = try #require(world.get("/a/").response?.http.headerFields[.location])
        let second = try #require(world.get("/b/?x=1").response?.http.headerFields[.location])
        let secondQuery = try #require(world.pick(Person.alice, at: second))
        let firstQuery = try #require(world.pick(Person.alice, at: first))
        let b = world.send(.callback, query: secondQuery)
        let a = world.send(.callback, query: firstQuery)
        #expect(b.http.headerFields[.location] == "http://localhost:8080/b/?x=1")
        #expect(a.http.headerFields[.location] == "http://localhost:8080/a/")
    }

    @Test func `a tab whose cookie another tab has replaced begins again by itself, once`() throws {
        let world = try World()
        let first = try #require(world.get("/a/").response?.http.headerFields[.location])
        let query = try #require(world.pick(Person.alice, at: first))
        // Both tabs asked before either had its cookie.
        world.state.withLock { $0.siteCookies = [:] }
        _ = world.get("/b/")
        let retry = world.send(.callback, query: query)
        let url = try #require(retry.http.headerFields[.location])
        #expect(url.contains("/oauth2/v2.0/authorize"))
        // Entra knows the browser by now and does not ask.
        let again = world.send(.callback, query: try #require(world.pick(nil, at: url)))
        #expect(again.http.headerFields[.location] == "http://localhost:8080/a/")
    }

    @Test func `a browser without cookies is told so instead of going in circles`() throws {
        let world = try World()
        var url = try #require(world.get("/a/").response?.http.headerFields[.location])
        var last: Response?
        for _ in 0..<2 {
            world.state.withLock { $0.siteCookies = [:] }
            last = world.send(.callback, query: try #require(world.pick(Person.alice, at: url)))
            url = last?.http.headerFields[.location] ?? ""
        }
        #expect(last?.http.status == .badRequest)
        let page = String(decoding: last?.body ?? [], as: UTF8.self)
        #expect(page.contains("Your browser blocks"))
    }

    @Test func `a session that does not stick ends in a page, not in a loop`() throws {
        let world = try World()
        for _ in 0..<3 {
            world.signIn(Person.alice)
            world.state.withLock { $0.siteCookies["session"] = nil }
        }
        let stopped = try #require(world.get("/a/").response)
        #expect(stopped.http.status == .badRequest)
        #expect(String(decoding: stopped.body, as: UTF8.self).contains("keeps starting over"))
        #expect(stopped.events.contains { $0.text.contains("does not send the last") })
        world.advance(seconds: 121)
        #expect(world.get("/a/").response?.http.status == .seeOther)
    }

    @Test func `three reasons to sign in again within two minutes are no loop`() throws {
        let world = try World()
        world.signIn(Person.alice)
        for _ in 0..<3 {
            world.advance(seconds: 25)
            world.state.withLock { $0.revoked["everybody"] = $0.now }
            world.advance(seconds: 1)
            world.signIn(Person.alice)
            #expect(world.check("/") == .noContent)
        }
        // A cause that no sign-in mends.
        world.state.withLock { $0.revoked["everybody"] = $0.now }
        let stopped = try #require(world.get("/a/").response)
        #expect(String(decoding: stopped.body, as: UTF8.self).contains("keeps starting over"))
        #expect(stopped.events.contains { $0.text.contains("keeps the session") })
        #expect(!String(decoding: stopped.body, as: UTF8.self).contains("Allow cookies"))
    }

    @Test func `the session cookie of alice has at most 512 characters`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let value = try #require(world.state.withLock { $0.siteCookies["session"] })
        #expect(value.utf8.count <= 512)
    }

    @Test func `https makes a __Host- cookie that is Secure, HttpOnly and Lax`() throws {
        let world = try World(baseURL: "https://docs.example.com")
        let response = world.send(.signIn, wanted: "/")
        let cookie = try #require(response.http.headerFields[.setCookie])
        #expect(cookie.hasPrefix("__Host-browser="))
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure"))
    }

    @Test
    func `whichever call to Entra does not get through, nobody gets in and the page says why`()
        throws
    {
        // The sign-in asks for metadata, keys and a token; the loop ends where all of it passes.
        for passing in 0..<10 {
            let world = try World()
            world.state.withLock { $0.sendsLeft = passing }
            let begun = world.send(.signIn, wanted: "/hr/")
            var last = begun
            if let url = begun.http.headerFields[.location] {
                last = world.send(.callback, query: try #require(world.pick(Person.alice, at: url)))
            }
            if last.http.headerFields[.location] == "http://localhost:8080/hr/" {
                #expect(passing == 3)
                return
            }
            #expect(last.http.status == .serviceUnavailable)
            #expect(String(decoding: last.body, as: UTF8.self).contains("5f2c91aa"))
            #expect(last.events.contains { $0.level == .error })
            #expect(world.check("/hr/") == .unauthorized)
        }
        Issue.record("the sign-in never succeeds")
    }

    @Test func `no event ever holds a code, a token, a cookie or the secret`() throws {
        let world = try World()
        let begun = world.send(.signIn, wanted: "/hr/")
        let url = try #require(begun.http.headerFields[.location])
        let query = try #require(world.pick(Person.alice, at: url))
        let finished = world.send(.callback, query: query)
        let code = try #require(query.split(separator: "&").first?.dropFirst("code=".count))
        let cookie = try #require(world.state.withLock { $0.siteCookies["session"] })
        for event in begun.events + finished.events {
            for secret in [String(code), cookie, "emulated~secret"] {
                #expect(!event.text.contains(secret.prefix(20)))
            }
        }
    }

    /// When inodes run out, ended sessions cannot be written down.
    @Test func `on a full disk a cookie that has run out keeps nobody outside`() throws {
        let world = try World("session_lifetime_seconds = 7200\nrevalidate_after_seconds = 0")
        world.signIn(Person.alice)
        let cookie = try #require(world.state.withLock { $0.siteCookies["session"] })
        world.state.withLock { $0.isRevocationListWritable = false }
        // One that lives might be somebody's copy; it goes on, and no other takes its place.
        let answer = world.signIn(Person.bob)
        #expect(answer.http.status == .internalServerError)
        #expect(answer.http.headerFields[.setCookie] == nil)
        #expect(world.check("/hr/", cookie: "session=\(cookie)") == .noContent)
        world.advance(seconds: 7200 + Sessions.clockSkew)
        #expect(world.check("/") == .unauthorized)
        world.signIn(Person.alice)
        #expect(world.check("/hr/") == .noContent)
    }
}
