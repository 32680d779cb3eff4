import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import RelyingParty

/// A provider that is not Entra says from server to server whose session has ended.
@Suite struct BackChannelSignOutTests {
    private static let event = "http://schemas.openid.net/event/backchannel-logout"
    private static let now = TokenFactory.now + 1

    /// Kim is signed in, and a second has passed.
    private static func provider(
        _ settings: String = "",
        _ algorithm: SignatureAlgorithm = .rs256
    ) throws -> OtherProvider {
        let provider = try OtherProvider(settings)
        provider.state.withLock {
            $0.claims["sid"] = "the-session"
            $0.algorithm = algorithm
            $0.header["alg"] = .string(algorithm.rawValue)
        }
        provider.signIn()
        #expect(provider.check("/") == 204)
        provider.state.withLock { $0.now += 1 }
        return provider
    }

    private static func token(
        _ changes: JSON.Members = [:],
        _ header: JSON.Members = ["alg": "RS256", "kid": "k1", "typ": "logout+jwt"],
        signed algorithm: SignatureAlgorithm = .rs256
    ) throws -> String {
        var claims: JSON.Members = [
            "iss": .string(OtherProvider.origin), "aud": "handbook", "jti": "one",
            "iat": .integer(now), "exp": .integer(now + 120), "sid": "the-session",
            "sub": .string(OtherProvider.subject), "events": .object([event: [:]]),
        ]
        for name in changes.names {
            claims[name] = changes[name] == .null ? nil : changes[name]
        }
        return try TokenFactory.token(.object(claims), header, signed: algorithm)
    }

    @discardableResult
    private static func tell(
        _ provider: OtherProvider,
        _ token: String,
        _ method: HTTPRequest.Method = .post
    ) -> Response {
        provider.relyingParty.respond(
            to: Request(
                route: .backChannelSignOut,
                method: method,
                body: Array("logout_token=\(token)".utf8),
                release: "r",
                reference: "5f2c91aa"
            )
        )
    }

    /// The claims of a sound token, which ends the session.
    private static let sound: [JSON.Members] = [
        [:], ["sub": .null], ["sid": .null], ["aud": ["handbook"]], ["x_of_tomorrow": 1],
        // Nobody has recorded it, so all sessions of the account end.
        ["sid": "another-session"],
        ["iat": .integer(now - 299)], ["iat": .integer(now + 299)],
    ]

    @Test(arguments: sound.indices)
    func `a logout token of the provider ends the session`(index: Int) throws {
        let provider = try Self.provider()
        let answer = Self.tell(provider, try Self.token(Self.sound[index]))
        #expect(answer.http.status == .ok && answer.body.isEmpty)
        #expect(answer.http.headerFields[.cacheControl] == "no-store")
        #expect(answer.http.headerFields[.setCookie] == nil)
        #expect(provider.check("/") == 401)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a logout token ends a session with an algorithm that is allowed`(
        algorithm: SignatureAlgorithm
    ) throws {
        let name = algorithm.rawValue
        let provider = try Self.provider("id_token_algorithms = [\"\(name)\"]", algorithm)
        for other in SignatureAlgorithm.allCases where other != algorithm {
            for header in [name, other.rawValue] {
                let token = try Self.token(
                    [:],
                    ["alg": .string(header), "kid": "k1"],
                    signed: other
                )
                #expect(Self.tell(provider, token).http.status == .badRequest)
            }
        }
        #expect(provider.check("/") == 204)
        let token = try Self.token([:], ["alg": .string(name), "kid": "k1"], signed: algorithm)
        #expect(Self.tell(provider, token).http.status == .ok)
        #expect(provider.check("/") == 401)
    }

    /// The provider has changed its algorithm, and nobody has allowed the new one.
    @Test(arguments: [SignatureAlgorithm.ps256, .es256, .ed25519])
    func `a genuine logout token of another algorithm ends nothing`(
        algorithm: SignatureAlgorithm
    ) throws {
        let provider = try Self.provider()
        provider.state.withLock { $0.algorithm = algorithm }
        let header: JSON.Members = ["alg": .string(algorithm.rawValue), "kid": "k1"]
        let token = try Self.token([:], header, signed: algorithm)
        #expect(Self.tell(provider, token).http.status == .badRequest)
        #expect(provider.check("/") == 204)
    }

    /// Claims that break one rule each.
    private static let unsound: [JSON.Members] = [
        ["iss": "https://evil.example"], ["iss": .null], ["iss": 1],
        ["aud": "another"], ["aud": ["handbook", "another"]], ["aud": .null], ["aud": []],
        ["iat": .integer(now - 301)], ["iat": .integer(now + 301)], ["iat": .null],
        ["iat": "soon"], ["exp": .integer(now - 300)], ["exp": .null], ["jti": .null],
        ["jti": ["one"]], ["nonce": "n"], ["nonce": ""], ["events": .null], ["events": [:]],
        ["events": .object([event: true])], ["events": .object(["http://x/logout": [:]])],
        ["events": .array([.string(event)])], ["sid": .null, "sub": .null], ["sid": 7],
        ["sid": "a\nb"], ["sub": 7], ["ISS": .string(OtherProvider.origin)],
    ]

    @Test(arguments: unsound.indices)
    func `a logout token that breaks a rule ends nothing`(index: Int) throws {
        let provider = try Self.provider()
        let answer = Self.tell(provider, try Self.token(Self.unsound[index]))
        #expect(answer.http.status == .badRequest, "\(Self.unsound[index])")
        #expect(answer.http.headerFields[.cacheControl] == "no-store")
        #expect(provider.check("/") == 204)
    }

    @Test(
        arguments: [
            ["alg": "RS256", "kid": "k2"], ["alg": "none"], ["alg": "HS256", "kid": "k1"],
            ["alg": "RS512", "kid": "k1"], ["alg": "RS256", "kid": "k1", "typ": "at+jwt"],
        ] as [JSON.Members]
    )
    func `what no key of the provider has signed with RS256 ends nothing`(header: JSON.Members)
        throws
    {
        let provider = try Self.provider()
        #expect(Self.tell(provider, try Self.token([:], header)).http.status == .badRequest)
        #expect(provider.check("/") == 204)
    }

    @Test func `it is told once a minute, and what is no POST with a token is refused`() throws {
        let provider = try Self.provider()
        #expect(Self.tell(provider, "").http.status == .badRequest)
        #expect(Self.tell(provider, "a.b.c").events.isEmpty)
        #expect(Self.tell(provider, try Self.token(), .get).http.status == .methodNotAllowed)
        #expect(provider.check("/") == 204)
        provider.state.withLock { $0.now += 60 }
        #expect(Self.tell(provider, "a.b.c").events.count == 1)
    }

    @Test func `an ID token is no logout token, and a logout token signs nobody in`() throws {
        let provider = try Self.provider()
        let begun = provider.send(.signIn, query: "again=always&return=/")
        provider.state.withLock { state in
            state.claims["events"] = .object([Self.event: [:]])
            state.header["typ"] = "logout+jwt"
        }
        let query = try #require(provider.approve(begun))
        #expect(provider.send(.callback, query: query).http.status != .seeOther)
    }

    @Test func `a token that comes again ends no session that began after it`() throws {
        let provider = try Self.provider()
        let token = try Self.token(["sid": .null])
        Self.tell(provider, token)
        #expect(provider.check("/") == 401)
        provider.state.withLock { $0.now += 1 }
        provider.signIn()
        #expect(Self.tell(provider, token).http.status == .ok)
        #expect(provider.check("/") == 204)
    }

    @Test func `Entra sends none, so none counts there`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let answer = world.send(
            .backChannelSignOut,
            .post,
            body: "logout_token=\(try Self.token())"
        )
        #expect(answer.http.status == .badRequest && world.check("/") == .noContent)
    }
}
