import Access
import HTTPTypes
import JOSE
import Jansson
import OpenSSL
import Testing

@testable import RelyingParty

/// Rows of hostile inputs that have no suite of their own; each names its row.
@Suite struct HostileRowsTests {
    private static func begin(_ world: World) throws -> String {
        let url = try #require(world.send(.signIn, wanted: "/hr/").http.headerFields[.location])
        return try #require(world.pick(Person.alice, at: url))
    }

    /// HO-02: an answer that says both is an error, and its code is shown to nobody.
    @Test func `a code that comes with an error is not redeemed`() throws {
        let world = try World()
        let query = try Self.begin(world)
        let sends = world.state.withLock(\.sends)
        let response = world.send(.callback, query: query + "&error=access_denied")
        #expect(response.http.status == .forbidden)
        #expect(world.state.withLock(\.sends) == sends)
        #expect(world.state.withLock { $0.siteCookies["session"] } == nil)
    }

    /// HC-05: every purpose against every other.
    @Test func `what is sealed for one purpose opens for no other`() throws {
        let keys = KeyRing(
            secrets: [World.cookieSecret],
            instance: "test",
            random: Environment.systemRandom
        )
        for purpose in KeyRing.Purpose.allCases {
            let sealed = keys.seal([1, 2, 3], for: purpose)
            for other in KeyRing.Purpose.allCases {
                #expect((keys.open(sealed, for: other) != nil) == (purpose == other))
            }
        }
    }

    /// The keys of two purposes differ, so that what is sealed for one does not open for another
    /// anyway; here the key is the right one, and the associated data alone is not.
    @Test func `a seal names its key and its purpose`() throws {
        let secret = World.cookieSecret
        let keys = KeyRing(secrets: [secret], instance: "test", random: Environment.systemRandom)
        func derive(_ info: String, _ count: Int) -> [UInt8] {
            let info = "siteauth 2 \(info) test"
            return KeyDerivation.key(from: Array(secret.utf8), info: info, count: count)
        }
        let id = derive("key id", 4)
        for purpose in KeyRing.Purpose.allCases {
            let cipher = AuthenticatedCipher(key: derive("seal \(purpose.rawValue)", 32))
            let sealed = try #require(Base64URL.decode(keys.seal([1, 2, 3], for: purpose)))
            #expect(sealed.prefix(4) == id[...])
            let text = Array(sealed.dropFirst(4))
            for other in KeyRing.Purpose.allCases {
                let associated = id + Array(other.rawValue.utf8)
                #expect((cipher.open(text, associated: associated) != nil) == (purpose == other))
            }
            #expect(cipher.open(text, associated: []) == nil)
            #expect(cipher.open(text, associated: id) == nil)

            // And what opens is held against them.
            let nonce = RandomBytes.next(AuthenticatedCipher.nonceLength)
            let unnamed = try cipher.seal([1], associated: id, nonce: nonce)
            #expect(keys.open(Base64URL.encode(id + unnamed), for: purpose) == nil)
        }
    }

    /// HC-04: a nonce that comes twice would give the key away.
    @Test func `no nonce comes twice`() {
        let keys = KeyRing(
            secrets: [World.cookieSecret],
            instance: "test",
            random: Environment.systemRandom
        )
        var seen: Set<String> = []
        for _ in 0..<20_000 { seen.insert(keys.seal([], for: .session)) }
        #expect(seen.count == 20_000)
    }

    /// HC-11: of two cookies that both open, one was planted: it does not finish its owner's sign-in here.
    @Test func `two browser cookies are none`() throws {
        let world = try World()
        let query = try Self.begin(world)
        let mine = try #require(world.state.withLock { $0.siteCookies["browser"] })
        let attacker = try World()
        let planted = try Self.begin(attacker)
        let theirs = try #require(attacker.state.withLock { $0.siteCookies["browser"] })
        for (party, query) in [(world, query), (attacker, planted)] {
            for cookies in [[theirs, mine], [mine, theirs]] {
                var fields = World.navigation
                fields[.cookie] = cookies.map { "browser=\($0)" }.joined(separator: "; ")
                let response = party.send(.callback, query: query, fields: fields)
                let set = response.http.headerFields[fields: .setCookie].map(\.value)
                #expect(!set.contains { $0.hasPrefix("session=") })
            }
        }
    }

    /// HC-13: nothing in the answer tells how a cookie is wrong.
    @Test func `every wrong cookie gets the same answer`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let good = try #require(world.state.withLock { $0.siteCookies["session"] })
        let other = try World(cookieSecret: "\"\(World.otherCookieSecret)\"")
        other.signIn(Person.alice)
        let foreign = try #require(other.state.withLock { $0.siteCookies["session"] })
        world.advance(seconds: 11 * 3600)
        let answers = [good, foreign, String(good.dropLast()), String(good.dropLast(40)), "", "A"]
            .map { cookie in
                world.relyingParty.check(
                    path: "/hr/",
                    release: World.release,
                    cookie: "session=\(cookie)",
                    fetch: FetchMetadata(World.navigation)
                )
            }
        for answer in answers {
            #expect(answer.http == answers[0].http && answer.body == answers[0].body)
            #expect(answer.http.status == .unauthorized)
        }
    }

    /// HO-09: two keys of one name, as during a roll-over that went wrong.
    @Test func `of two keys with one name the right one counts`() throws {
        let wrong = try #require(TokenFactory.otherKey)
        let impostor: JSON = [
            "kty": "RSA", "use": "sig", "kid": "k1",
            "n": .string(Base64URL.encode(wrong.modulus)),
            "e": .string(Base64URL.encode(wrong.exponent)),
        ]
        let json: JSON = ["keys": [impostor, try TokenFactory.webKey()]]
        let keys = try #require(JSONWebKeySet(parsing: Array(json.text.utf8)))
        let validation = IDTokenValidation(
            metadata: try TokenFactory.metadata(),
            clientID: TokenFactory.client,
            allowedTenants: .unspecified,
            now: TokenFactory.now,
            nonce: "the-nonce"
        )
        let token = try TokenFactory().token()
        let identity = try validation.verify(
            token,
            keys: { keys.candidates(for: $0) },
            newKeys: { _ in [] }
        )
        #expect(identity.objectID == Person.alice)
    }

    /// HJ-10 and HJ-12: claims of odd shapes.
    @Test func `an audience of us alone may be a list`() throws {
        var factory = TokenFactory()
        factory.claims["aud"] = [.string(TokenFactory.client)]
        #expect(try factory.verify().objectID == Person.alice)
    }

    @Test(arguments: ["HR,Admin", "HR\r\n", "", " HR", "hr", "HR\0", "HＲ"])
    func `a role that is not exactly one is none`(role: String) throws {
        var factory = TokenFactory()
        factory.claims["roles"] = [.string(role)]
        let groups = [GroupDefinition(name: "hr", roles: ["HR"])]
        guard let identity = try? factory.verify() else { return }
        #expect(GroupMembership(identity, in: groups, rolesCount: true) == .member(of: []))
    }

    @Test func `ten thousand roles are roles`() throws {
        var factory = TokenFactory()
        factory.claims["roles"] = .array((0..<10_000).map { .string("r\($0)") } + ["HR"])
        let groups = [GroupDefinition(name: "hr", roles: ["HR"])]
        guard let identity = try? factory.verify() else { return }
        #expect(GroupMembership(identity, in: groups, rolesCount: true) == .member(of: ["hr"]))
    }

    /// HJ-03: the published key, in every form somebody may have it, is no secret of ours.
    @Test func `no form of the public key signs by HMAC`() throws {
        let web = try TokenFactory.webKey()
        let key = try #require(TokenFactory.key)
        let certificate = try Certificate.selfSigned(by: key, commonName: "x", days: 1)
        let pem = "-----BEGIN CERTIFICATE-----\n\(Base64URL.encodeStandard(certificate.der))\n"
        let secrets: [[UInt8]] = [
            [], certificate.der, key.modulus, Array(pem.utf8), Array((web["n"]?.string ?? "").utf8),
            Array(web.text.utf8), Array("-----END CERTIFICATE-----".utf8),
        ]
        let claims = JSON.object(TokenFactory().claims)
        for algorithm in ["HS256", "HS384", "HS512", "hs256", "none", "None", ""] {
            let header: JSON = ["typ": "JWT", "alg": .string(algorithm), "kid": "k1"]
            let input =
                "\(Base64URL.encode(Array(header.text.utf8))).\(Base64URL.encode(Array(claims.text.utf8)))"
            for secret in secrets {
                let code = Digest.hmac(Array(input.utf8), key: secret)
                #expect(JSONWebSignature(compact: "\(input).\(Base64URL.encode(code))") == nil)
            }
        }
    }
}
