import HTTPTypes
import Jansson
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// Authorization requests that the provider gets from this site (RFC 9126).
@Suite struct PushedRequestTests {
    private static let endpoint = "\(OtherProvider.origin)/par"

    private static func provider(
        _ settings: String = "",
        isRequired: Bool = true
    ) throws -> OtherProvider {
        let provider = try OtherProvider(settings)
        provider.state.withLock {
            $0.document["pushed_authorization_request_endpoint"] = .string(endpoint)
            $0.document["require_pushed_authorization_requests"] = .bool(isRequired)
            $0.claims = ["name": "Kim", "groups": ["staff"]]
        }
        return provider
    }

    private static func pushes(_ provider: OtherProvider) -> Int {
        provider.state.withLock { $0.paths.count { $0 == "/par" } }
    }

    @Test(arguments: ["client_secret_post", "client_secret_basic"])
    func `the browser carries the URI of the request, and nothing else`(method: String) throws {
        let provider = try Self.provider("client_auth_method = \"\(method)\"")
        let begun = provider.send(.signIn, wanted: "/staff/")
        let address = "\(OtherProvider.origin)/authorize"
        let query = "client_id=handbook&request_uri=urn%3Aexample%3Aone"
        #expect(begun.http.status == .seeOther)
        #expect(begun.http.headerFields[.location] == "\(address)?\(query)")
        let form = try #require(Form(provider.state.withLock(\.pushed)))
        for name in ["state", "nonce", "code_challenge", "redirect_uri", "scope"] {
            #expect(form[name] != nil, "\(name)")
        }
        #expect(form["client_id"] == "handbook" && form["response_type"] == "code")
        #expect(form["request_uri"] == nil)
        // It is proved as at the token endpoint.
        let isBasic = method == "client_secret_basic"
        #expect((form["client_secret"] == nil) == isBasic)
        let proof = provider.state.withLock(\.pushedAuthorization)
        #expect(proof?.hasPrefix("Basic ") ?? false == isBasic)
        provider.send(.callback, query: try #require(provider.approve(begun)))
        #expect(provider.check("/staff/") == 204)
    }

    @Test(
        arguments: [
            // A secret, which the browser never carries anyway.
            ("client_secret = \"s3cret-of-the-tests\"", "", false, false),
            ("client_secret = \"s3cret-of-the-tests\"", "", true, true),
            ("client_secret = \"s3cret-of-the-tests\"", "true", false, true),
            ("client_secret = \"s3cret-of-the-tests\"", "false", true, true),
            ("federated_token_file = \"/token\"", "", false, true),
            ("federated_token_file = \"/token\"", "false", false, false),
            ("federated_token_file = \"/token\"", "false", true, true),
        ]
    )
    func `the credential decides, then the configuration, and the provider has the last word`(
        credential: String,
        setting: String,
        isRequired: Bool,
        isPushed: Bool
    ) throws {
        let toml = """
            [auth]
            redirect_uri = "https://docs.example.com/auth/callback"
            cookie_secret = "\(OtherProvider.cookieSecret)"
            client_id = "handbook"
            oidc_authority = "https://id.example.com"
            \(credential)
            \(setting.isEmpty ? "" : "pushed_authorization_requests = \(setting)")
            """
        let parsed = AuthConfiguration.parse(Array(toml.utf8), path: "", environment: [:])
        let configuration = try #require(parsed.configuration, "\(parsed.diagnostics)")
        var metadata = try TokenFactory.metadata()
        metadata.requiresPushedRequests = isRequired
        metadata.pushedRequestEndpoint = WebURL(Self.endpoint)
        #expect(metadata.isPushed(configuration) == isPushed)
        metadata.pushedRequestEndpoint = nil
        #expect(metadata.isPushed(configuration) == (isRequired || setting == "true"))
    }

    @Test func `a provider that offers none begins no sign-in that wants one`() throws {
        for (settings, isRequired) in [("pushed_authorization_requests = true", false), ("", true)]
        {
            let provider = try OtherProvider(settings)
            provider.state.withLock {
                $0.document["require_pushed_authorization_requests"] = .bool(isRequired)
            }
            let response = provider.send(.signIn, wanted: "/")
            #expect(response.http.status.code >= 500)
            #expect(response.http.headerFields[.location] == nil)
            let told = response.events.map(\.text).joined()
            #expect(told.contains("'pushed_authorization_request_endpoint'"), "\(told)")
        }
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        let status: Int?
        let body: JSON
        var testDescription: String { "\(status ?? 0) \(body.text.prefix(80))" }

        init(_ status: Int?, _ body: JSON) {
            self.status = status
            self.body = body
        }
    }

    private static let uri: JSON = "urn:example:one"
    private static let longURI = JSON.string("urn:" + String(repeating: "x", count: 509))

    /// RFC 9126, sections 2.2 and 2.3.
    @Test(arguments: [
        Answer(nil, [:]), Answer(200, ["request_uri": uri, "expires_in": 60]),
        Answer(302, ["request_uri": uri, "expires_in": 60]), Answer(500, [:]), Answer(429, [:]),
        Answer(201, []), Answer(201, [:]), Answer(201, ["request_uri": uri]),
        Answer(201, ["request_uri": uri, "expires_in": 0]),
        Answer(201, ["request_uri": uri, "expires_in": -1]),
        Answer(201, ["request_uri": uri, "expires_in": "60"]),
        Answer(201, ["request_uri": uri, "expires_in": .null]),
        Answer(201, ["request_uri": uri, "expires_in": .integer(1 << 40)]),
        Answer(201, ["expires_in": 60]), Answer(201, ["request_uri": "", "expires_in": 60]),
        Answer(201, ["request_uri": 7, "expires_in": 60]),
        Answer(201, ["request_uri": ["urn:a"], "expires_in": 60]),
        Answer(201, ["request_uri": "urn:a b", "expires_in": 60]),
        Answer(201, ["request_uri": "urn:\r\nSet-Cookie:a", "expires_in": 60]),
        Answer(201, ["request_uri": "urn:\u{E9}", "expires_in": 60]),
        Answer(201, ["request_uri": "one", "expires_in": 60]),
        Answer(201, ["request_uri": longURI, "expires_in": 60]),
        Answer(201, ["request_uri": uri, "expires_in": 60, "error": "invalid_request"]),
        Answer(400, ["error": "invalid_request"]), Answer(401, ["error": "invalid_client"]),
        Answer(400, ["error": "invalid_grant"]), Answer(403, ["error": ["a"]]),
    ])
    func `without a good answer no browser is sent to the provider`(answer: Answer) throws {
        let provider = try Self.provider()
        provider.state.withLock {
            $0.pushStatus = answer.status
            $0.pushAnswer = answer.body
        }
        let response = provider.send(.signIn, wanted: "/")
        #expect(response.http.status.code >= 400)
        #expect(response.http.headerFields[.location] == nil)
        #expect(response.page?.showsReference == true)
        let errors = response.events.filter { $0.level == .error }.map(\.text)
        #expect(errors.count == 1 && errors[0].hasPrefix("pushed authorization request"))
        #expect(provider.check("/") == 401)
    }

    @Test func `a URI that is no word of an address is written as one`() throws {
        let provider = try Self.provider()
        provider.state.withLock {
            $0.pushAnswer = ["request_uri": "urn:a?b&state=c#d", "expires_in": 60]
        }
        let url = provider.send(.signIn, wanted: "/").http.headerFields[.location]
        #expect(url?.hasSuffix("request_uri=urn%3Aa%3Fb%26state%3Dc%23d") == true)
    }

    /// The threads of the sockets answer checks, too.
    @Test func `the provider is asked by a thread that may wait, or by none`() throws {
        let provider = try Self.provider()
        _ = provider.relyingParty.refreshProvider()
        let request = provider.request(.signIn, wanted: "/staff/")
        guard case .wait(let waiting) = provider.relyingParty.outcome(of: request) else {
            Issue.record("the answer did not wait")
            return
        }
        #expect(waiting.queue == .signIn && Self.pushes(provider) == 0)
        let refused = provider.relyingParty.refuse(waiting, request)
        #expect(refused.http.status == .serviceUnavailable && Self.pushes(provider) == 0)
        #expect(refused.http.headerFields[.location] == nil)
        provider.state.withLock { $0.now += Waiting.patience + 1 }
        let late = provider.relyingParty.finish(waiting, request)
        #expect(late.http.status == .serviceUnavailable && Self.pushes(provider) == 0)
        provider.state.withLock { $0.now -= 1 }
        let done = provider.relyingParty.finish(waiting, request)
        #expect(done.http.status == .seeOther && Self.pushes(provider) == 1)
    }

    @Test func `a callback that begins again pushes, too`() throws {
        let provider = try Self.provider()
        let begun = provider.send(.signIn, wanted: "/staff/")
        let query = try #require(provider.approve(begun))
        provider.state.withLock { $0.cookies = [:] }
        let again = provider.send(.callback, query: query)
        #expect(again.http.headerFields[.location]?.contains("request_uri=") == true)
        #expect(Self.pushes(provider) == 2)
        provider.send(.callback, query: try #require(provider.approve(again)))
        #expect(provider.check("/staff/") == 204)
    }

    @Test(arguments: [nil, 500, 400, 201] as [Int?])
    func `readers go on while requests cannot be pushed, for as long as without an answer`(
        status: Int?
    ) throws {
        let provider = try Self.provider()
        provider.signIn(wanting: "/staff/")
        #expect(provider.check("/staff/") == 204)
        provider.state.withLock {
            $0.now += 3601
            $0.pushStatus = status
            $0.pushAnswer = status == 400 ? ["error": "invalid_request"] : [:]
            // The session outlives the browser's own cookie.
            $0.cookies = $0.cookies.filter { $0.key.hasSuffix("session") }
        }
        #expect(provider.check("/staff/") == 401)
        let postponed = provider.send(.signIn, wanted: "/staff/")
        let page = "https://docs.example.com/staff/"
        #expect(postponed.http.headerFields[.location] == page, "\(postponed.events)")
        #expect(postponed.events.contains { $0.text.contains("pushed authorization request") })
        #expect(provider.check("/staff/") == 204)
        provider.state.withLock { $0.now += 3601 }
        let over = provider.send(.signIn, wanted: "/staff/")
        #expect(over.http.headerFields[.location] != page)
        #expect(provider.check("/staff/") == 401)
    }

    @Test func `an endpoint that is silent is asked now and then`() throws {
        let provider = try Self.provider()
        provider.state.withLock { $0.pushStatus = nil }
        for _ in 0..<20 { provider.send(.signIn, wanted: "/") }
        #expect(Self.pushes(provider) == CircuitBreaker.failures)
        provider.state.withLock {
            $0.now += CircuitBreaker.interval
            $0.pushStatus = 201
        }
        #expect(provider.send(.signIn, wanted: "/").http.status == .seeOther)
    }

    @Test(arguments: [
        (201, "'\(endpoint)' takes authorization requests of this client", ""),
        (401, "", "error: '\(endpoint)' answered 401 'invalid_client'"),
    ])
    func `the check of the configuration pushes a request`(
        status: Int,
        line: String,
        told: String
    ) throws {
        let provider = try Self.provider()
        provider.state.withLock {
            $0.pushStatus = status
            if status == 401 { $0.pushAnswer = ["error": "invalid_client"] }
        }
        let check = LiveCheck(provider.relyingParty.configuration, provider.environment).run()
        let text = check.diagnostics.map { $0.text(program: "siteauth") }.joined()
        #expect(check.lines.contains(line) == !line.isEmpty, "\(check.lines)")
        #expect(told.isEmpty ? !text.contains("/par") : text.contains(told), "\(text)")
        let asked = provider.state.withLock(\.paths).filter { $0.hasPrefix("/authorize?") }
        #expect(asked.allSatisfy { $0.contains("request_uri=") == (status == 201) })
    }
}
