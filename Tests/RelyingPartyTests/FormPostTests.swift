import HTTPTypes
import Testing

@testable import RelyingParty

/// Answers that the provider lets the browser post (OAuth 2.0 Form Post Response Mode).
@Suite struct FormPostTests {
    private static let type = "application/x-www-form-urlencoded"
    private static let callback = "https://docs.example.com/auth/callback"

    private static func provider(_ mode: String = "form_post") throws -> OtherProvider {
        let provider = try OtherProvider("response_mode = \"\(mode)\"")
        provider.state.withLock { $0.claims = ["name": "Kim", "groups": ["staff"]] }
        return provider
    }

    /// What a browser sends with a form of another site: no cookie of this one.
    private static func post(
        _ provider: OtherProvider,
        _ body: String,
        type: String? = FormPostTests.type,
        query: String = ""
    ) -> Response {
        var request = provider.request(.callback, .post, query: query)
        request.headerFields = [
            .secFetchMode: "navigate", .secFetchSite: "cross-site", .accept: "text/html",
        ]
        request.headerFields[.contentType] = type
        request.body = Array(body.utf8)
        return provider.relyingParty.respond(to: request)
    }

    /// The query of the address to which the form was carried.
    private static func carried(_ response: Response) throws -> String {
        let url = try #require(response.http.headerFields[.location])
        #expect(url.hasPrefix("\(callback)?answer="))
        return String(url.dropFirst(callback.count + 1))
    }

    @Test(arguments: [type, "\(type); charset=UTF-8", "Application/X-WWW-Form-Urlencoded"])
    func `a form signs a reader in whose browser follows with its cookies`(type: String) throws {
        let provider = try Self.provider()
        let begun = provider.send(.signIn, wanted: "/staff/")
        let url = try #require(begun.http.headerFields[.location])
        #expect(url.contains("response_mode=form_post"))
        let form = try #require(provider.approve(begun, "code=the-code"))
        let answer = Self.post(provider, form, type: type)
        #expect(answer.http.status == .seeOther)
        #expect(answer.http.headerFields[.setCookie] == nil)
        #expect(answer.http.headerFields[.cacheControl] == "no-store")
        let query = try Self.carried(answer)
        #expect(!query.contains("the-code") && !query.contains("state"))
        #expect(provider.check("/staff/") == 401)
        let done = provider.send(.callback, query: query)
        #expect(done.http.headerFields[.location] == "https://docs.example.com/staff/")
        #expect(provider.check("/staff/") == 204)
    }

    @Test func `asking again and signing in again find the session that there was`() throws {
        let provider = try Self.provider()
        for seconds in [0, 3601] {
            provider.state.withLock { $0.now += seconds }
            let begun = provider.send(.signIn, wanted: "/staff/")
            let form = try #require(provider.approve(begun))
            let query = try Self.carried(Self.post(provider, form))
            let done = provider.send(.callback, query: query)
            let text = seconds == 0 ? "signed in 'Kim'" : "revalidated 'Kim'"
            #expect(done.events.contains { $0.text.hasPrefix(text) }, "\(done.events)")
        }
    }

    @Test func `a form of another browser signs nobody in`() throws {
        let provider = try Self.provider()
        let attacker = try Self.provider()
        let begun = attacker.send(.signIn, wanted: "/staff/")
        let form = try #require(attacker.approve(begun))
        let query = try Self.carried(Self.post(provider, form))
        provider.send(.signIn, wanted: "/")
        let answer = provider.send(.callback, query: query)
        #expect(answer.http.headerFields[.location]?.contains("/authorize?") == true)
        #expect(provider.check("/") == 401)
        #expect(provider.state.withLock { !$0.paths.contains("/token") })
    }

    @Test func `a form counts once`() throws {
        let provider = try Self.provider()
        let begun = provider.send(.signIn, wanted: "/staff/")
        let form = try #require(provider.approve(begun))
        let first = try Self.carried(Self.post(provider, form))
        let second = try Self.carried(Self.post(provider, form))
        #expect(first != second)
        provider.send(.callback, query: first)
        for query in [first, second] { provider.send(.callback, query: query) }
        #expect(provider.state.withLock { $0.paths.count { $0 == "/token" } } == 1)
    }

    @Test func `an error as a form is told on a page`() throws {
        let provider = try Self.provider()
        let begun = provider.send(.signIn, wanted: "/staff/")
        let form = try #require(provider.approve(begun, "error=access_denied"))
        let query = try Self.carried(Self.post(provider, form))
        let page = provider.send(.callback, query: query)
        #expect(page.http.status == .forbidden)
        #expect(page.events.contains { $0.text.contains("access_denied") })
    }

    @Test func `what is no form of an answer is refused, and nothing is sealed`() throws {
        let provider = try Self.provider()
        let begun = provider.send(.signIn, wanted: "/staff/")
        let good = try #require(provider.approve(begun))
        let long = good + "&x=" + String(repeating: "a", count: 5500)
        let bodies = [
            "", "a=b", "code=c", "state=s", good + "&code=d", good + "&st%61te=e", good + "&x=%00",
            good + "&x=%FF", good + "&x=%", long,
        ]
        for body in bodies {
            let answer = Self.post(provider, body)
            #expect(answer.http.status == .badRequest, "\(body.prefix(80))")
            #expect(answer.http.headerFields[.location] == nil)
        }
        let types = [
            nil, "", "text/plain", "application/json", "multipart/form-data; boundary=a",
            "\(Self.type)x", "text/plain; \(Self.type)",
        ]
        for type in types {
            #expect(Self.post(provider, good, type: type).http.status == .badRequest)
        }
        #expect(Self.post(provider, good, query: good).http.status == .badRequest)
        #expect(Self.post(provider, good).http.status == .seeOther)
    }

    /// An answer in the address is none that was asked for.
    @Test func `in an address counts only what this site has sealed as an answer`() throws {
        let provider = try Self.provider()
        let begun = provider.send(.signIn, wanted: "/staff/")
        let form = try #require(provider.approve(begun))
        let query = try Self.carried(Self.post(provider, form))
        let state = try #require(Form(form)?["state"])
        let queries = [
            form, "answer=" + state, query + "&" + query, String(query.dropLast()), query + "A",
            "answer=", "error=access_denied&state=\(state)",
            "answer=" + (provider.state.withLock { $0.cookies["__Host-browser"] } ?? ""),
        ]
        for query in queries {
            let answer = provider.send(.callback, query: query)
            #expect(answer.http.status == .badRequest, "\(query.prefix(60))")
        }
        #expect(provider.state.withLock { !$0.paths.contains("/token") })
        #expect(provider.send(.callback).http.headerFields[.location] != nil)
        provider.send(.callback, query: query)
        #expect(provider.check("/staff/") == 204)
    }

    @Test func `without the setting a form is refused, and so is a sealed one`() throws {
        let provider = try Self.provider()
        let begun = provider.send(.signIn, wanted: "/staff/")
        let form = try #require(provider.approve(begun))
        let query = try Self.carried(Self.post(provider, form))
        let other = try Self.provider("query")
        #expect(Self.post(other, form).http.status == .badRequest)
        #expect(other.send(.callback, query: query).http.headerFields[.location] != nil)
        #expect(other.check("/") == 401)
        #expect(throws: OtherProvider.Misconfigured.self) { try Self.provider("fragment") }
    }
}
