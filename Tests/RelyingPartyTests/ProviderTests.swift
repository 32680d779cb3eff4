import HTTPTypes
import JOSE
import Jansson
import Synchronization
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

@Suite struct ProviderTests {
    /// A provider whose answers and clock are set by the test.
    final class Fake: Sendable {
        struct State {
            var now = TokenFactory.now
            var keyName = "k1"
            var isReachable = true
            var requests = 0
            var document: String?
        }

        let state = Mutex(State())

        /// - Parameter isLookedAfter: whether a thread of its own fetches; here there is none, so
        ///   whoever waits for it waits for nothing.
        func provider(isLookedAfter: Bool = false) throws -> Provider {
            let base = "https://login.microsoftonline.com/\(TokenFactory.tenant)"
            guard let url = WebURL(base + "/v2.0/.well-known/openid-configuration") else {
                throw World.Unreachable()
            }
            var environment = Environment(
                now: { self.state.withLock(\.now) },
                random: { [UInt8](repeating: 0, count: $0) },
                send: { request, _ in try self.answer(request) }
            )
            if isLookedAfter { environment.wakeMaintenance = {} }
            return Provider(metadataURL: url, environment: environment)
        }

        static let document: JSON.Members = [
            "issuer": .string(TokenFactory.issuer),
            "authorization_endpoint": "https://login.microsoftonline.com/a",
            "token_endpoint": "https://login.microsoftonline.com/t",
            "jwks_uri": "https://login.microsoftonline.com/k",
        ]

        private func answer(_ request: HTTPRequest) throws -> (HTTPResponse, [UInt8]) {
            let (isReachable, name, document) = state.withLock { state in
                state.requests += 1
                return (state.isReachable, state.keyName, state.document)
            }
            guard isReachable else { throw World.Unreachable() }
            if request.path == "/k" {
                let set = JSON.object(["keys": [try TokenFactory.webKey(name)]])
                return (HTTPResponse(status: .ok), Array(set.text.utf8))
            }
            let text = document ?? JSON.object(Self.document).text
            return (HTTPResponse(status: .ok), Array(text.utf8))
        }
    }

    @Test
    func `a key that rolls over within a sign-in is found, and asked for once in five minutes`()
        throws
    {
        let fake = Fake()
        let provider = try fake.provider()
        #expect(try provider.keys(named: "k1").count == 1)
        fake.state.withLock { $0.keyName = "k2" }
        #expect(try provider.keys(named: "k2").count == 1)
        let before = fake.state.withLock(\.requests)
        for index in 0..<10_000 { #expect(try provider.keys(named: "made-up-\(index)").isEmpty) }
        #expect(fake.state.withLock(\.requests) == before)
        fake.state.withLock {
            $0.now += 300
            $0.keyName = "k3"
        }
        #expect(try provider.keys(named: "k3").count == 1)
    }

    @Test func `a key that changes and keeps its id, or has none, is asked for as seldom`() throws {
        let fake = Fake()
        let provider = try fake.provider()
        #expect(try provider.keys(named: nil).count == 1)
        let before = fake.state.withLock(\.requests)
        #expect(try provider.newKeys(named: nil).count == 1)
        #expect(fake.state.withLock(\.requests) == before + 2)
        for name in [nil, "k1", "k2"] { #expect(try provider.newKeys(named: name).isEmpty) }
        #expect(try provider.keys(named: "k2").isEmpty)
        #expect(fake.state.withLock(\.requests) == before + 2)
        fake.state.withLock { $0.now += 300 }
        #expect(try provider.newKeys(named: "k1").count == 1)
    }

    @Test func `the limit holds while the provider cannot be reached`() throws {
        let fake = Fake()
        let provider = try fake.provider()
        _ = try provider.current()
        fake.state.withLock { $0.isReachable = false }
        let before = fake.state.withLock(\.requests)
        #expect(throws: ProviderError.self) { try provider.keys(named: "x") }
        for _ in 0..<100 { #expect(try provider.keys(named: "x").isEmpty) }
        #expect(fake.state.withLock(\.requests) == before + 1)
    }

    @Test func `the last good set holds for a day, and not longer`() throws {
        let fake = Fake()
        let provider = try fake.provider()
        _ = try provider.current()
        fake.state.withLock {
            $0.isReachable = false
            $0.now += 24 * 3600 - 1
        }
        guard case .failed = provider.refresh() else {
            Issue.record("it did not fail")
            return
        }
        #expect(try provider.keys(named: "k1").count == 1)
        fake.state.withLock { $0.now += 1 }
        #expect(throws: ProviderError.self) { try provider.current() }
        fake.state.withLock { $0.isReachable = true }
        // The last attempt was a moment ago.
        #expect(throws: ProviderError.self) { try provider.current() }
        fake.state.withLock { $0.now += 5 }
        _ = try provider.current()
    }

    @Test func `what is younger than an hour is not fetched again`() throws {
        let fake = Fake()
        let provider = try fake.provider()
        #expect(provider.refresh() == .fetched)
        let before = fake.state.withLock(\.requests)
        fake.state.withLock { $0.now += 3599 }
        #expect(provider.refresh() == .nothingToDo)
        #expect(fake.state.withLock(\.requests) == before)
        fake.state.withLock { $0.now += 1 }
        #expect(provider.refresh() == .fetched)
        #expect(fake.state.withLock(\.requests) == before + 2)
    }

    /// Hostile inputs HO-09.
    @Test(arguments: [
        ("issuer", "https://evil.example/\(TokenFactory.tenant)/v2.0"),
        ("issuer", "https://login.microsoftonline.us/\(TokenFactory.tenant)/v2.0"),
        ("issuer", "http://login.microsoftonline.com/\(TokenFactory.tenant)/v2.0"), ("issuer", ""),
        ("token_endpoint", "http://login.microsoftonline.com/t"),
        ("jwks_uri", "file:///etc/passwd"),
        ("jwks_uri", "https://127.0.0.1/k"), ("jwks_uri", "http://localhost/k"),
        ("authorization_endpoint", "javascript:alert(1)"),
        ("token_endpoint", "https://user:pw@login.microsoftonline.com/t"),
    ])
    func `a discovery document that points astray is refused`(name: String, value: String) throws {
        let fake = Fake()
        var document = Fake.document
        document[name] = .string(value)
        let text = JSON.object(document).text
        fake.state.withLock { $0.document = text }
        let provider = try fake.provider()
        #expect(throws: ProviderError.self) { try provider.current() }
    }

    @Test(arguments: [
        "", "[]", "{", "null", #"{"issuer":"a","issuer":"b"}"#,
        String(repeating: "[", count: 100_000),
    ])
    func `what is no JSON object is no discovery document`(text: String) throws {
        let fake = Fake()
        fake.state.withLock { $0.document = text }
        let provider = try fake.provider()
        #expect(throws: ProviderError.self) { try provider.current() }
    }

    @Test func `an external tenant speaks for itself from the host of its id`() throws {
        let tenant = TokenFactory.tenant
        for (url, isRight) in [
            ("https://larkspur.ciamlogin.com/larkspur.onmicrosoft.com", true),
            ("https://login.example.com/\(tenant)", true),
            ("https://login.example.com/other", false),
            ("https://login.microsoftonline.com/\(tenant)", true),
        ] {
            var document = Fake.document
            let host =
                isRight && url.contains("microsoftonline")
                ? "login.microsoftonline.com" : "\(tenant).ciamlogin.com"
            document["issuer"] = .string("https://\(host)/\(tenant)/v2.0")
            let metadataURL = try #require(WebURL(url + "/v2.0/.well-known/openid-configuration"))
            let parsed = ProviderMetadata.parse(
                Array(JSON.object(document).text.utf8),
                from: metadataURL
            )
            #expect(((try? parsed.get()) != nil) == isRight)
        }
    }
}

extension Provider {
    private static func header(named keyID: String?) -> UnverifiedHeader? {
        var header: JSON.Members = ["alg": "RS256"]
        header["kid"] = keyID.map(JSON.string)
        let head = Base64URL.encode(Array(JSON.object(header).text.utf8))
        return JSONWebSignature(compact: "\(head).e30.AA")?.unverifiedHeader
    }

    func keys(named keyID: String?) throws(ProviderError) -> [JSONWebKey] {
        try Self.header(named: keyID).map { header throws(ProviderError) in
            try keys(for: header)
        } ?? []
    }

    func newKeys(named keyID: String?) throws(ProviderError) -> [JSONWebKey] {
        try Self.header(named: keyID).map { header throws(ProviderError) in
            try newKeys(for: header)
        } ?? []
    }
}
