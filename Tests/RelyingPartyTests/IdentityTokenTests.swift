import Access
import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import RelyingParty

@Suite struct IdentityTokenTests {
    private static let other = World.otherCookieSecret
    private static let secret = World.cookieSecret

    private static func ask(
        _ world: World,
        _ path: String = "/wiki/x",
        audience: String? = "/wiki/",
        cookie: String? = nil
    ) -> HTTPFields {
        let kept = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
        return world.relyingParty.identity(
            path: path,
            release: World.release,
            cookie: cookie ?? kept.sorted().joined(separator: "; "),
            fetch: FetchMetadata(World.navigation),
            audience: audience
        ).http.headerFields
    }

    private static func part(_ number: Int, of token: String) throws -> JSON {
        let parts = token.split(separator: ".")
        return try JSON(parsing: #require(Base64URL.decode(parts[number])))
    }

    private static func keyIDs(_ world: World) throws -> [String] {
        let set = try JSON(parsing: world.send(.keys).body)
        return try #require(set["keys"]?.array).compactMap { $0["kid"]?.string }
    }

    @Test func `says who reads, to whom, and for how long`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let fields = Self.ask(world)
        let claims = try Self.part(1, of: #require(fields[.authToken]))
        #expect(claims["iss"]?.string == "http://localhost:8080")
        #expect(claims["aud"]?.string == "http://localhost:8080/wiki/")
        #expect(claims["sub"]?.string == fields[.authUser])
        #expect(claims["name"]?.string == "Alice Adams")
        #expect(claims["groups"]?.strings == ["hr"])
        let now = world.state.withLock(\.now)
        #expect(claims["iat"]?.integer == now && claims["exp"]?.integer == now + 120)
    }

    /// RFC 9864 has another name for the same algorithm.
    @Test func `the algorithm has the name that secrets.toml says`() throws {
        for (line, name) in [("", "EdDSA"), ("Ed25519", "Ed25519"), ("EdDSA", "EdDSA")] {
            let setting = line.isEmpty ? "" : "identity_token_algorithm = \"\(line)\""
            let world = try World(setting)
            world.signIn(Person.alice)
            let token = try #require(Self.ask(world)[.authToken])
            let set = try JSON(parsing: world.send(.keys).body)
            #expect(try Self.part(0, of: token)["alg"]?.string == name)
            #expect(set["keys"]?.array?.first?["alg"]?.string == name)
            let key = try #require(set["keys"]?.array?.first.flatMap { JSONWebKey($0) })
            let signed = JSONWebSignature(compact: token, accepting: [.ed25519])
            #expect(signed?.verified(by: key) != nil)
        }
    }

    @Test func `nobody gets one who is refused, a stranger, or did not ask`() throws {
        let world = try World()
        #expect(Self.ask(world)[.authToken] == nil)
        #expect(Self.ask(world, "/public/x")[.authToken] == nil)
        world.signIn(Person.bob)
        #expect(Self.ask(world, "/hr/x")[.authToken] == nil)
        #expect(Self.ask(world, audience: nil)[.authToken] == nil)
        #expect(Self.ask(world, "/public/x", audience: "/public/")[.authToken] != nil)
    }

    /// A location's variable outlives an internal redirect to another application.
    @Test(arguments: [
        ("/wiki/", "/wiki/x", true), ("/wiki/", "/wiki/", true), ("/wiki", "/wiki", true),
        ("/wiki", "/wiki/x", true), ("/", "/wiki/x", true), ("/wiki/", "/wiki", false),
        ("/wiki", "/wikix", false), ("/wiki/", "/other/x", false), ("/wiki/x/", "/wiki/", false),
        ("wiki", "/wiki/", false), ("/WIKI/", "/wiki/x", false),
        ("/caf\u{E9}/", "/cafe\u{301}/", false),
    ])
    func `a token is for an application in its own place alone`(
        audience: String,
        path: String,
        isSigned: Bool
    ) throws {
        let world = try World()
        world.signIn(Person.alice)
        let fields = Self.ask(world, path, audience: audience)
        #expect(fields[.authUser] != "")
        #expect((fields[.authToken] != nil) == isSigned)
    }

    @Test func `all secrets have a published key, and the first one signs`() throws {
        let old = try World()
        let both = try World(cookieSecret: "[\"\(Self.other)\", \"\(Self.secret)\"]")
        let oldIDs = try Self.keyIDs(old)
        let bothIDs = try Self.keyIDs(both)
        #expect(oldIDs.count == 1 && bothIDs.count == 2 && bothIDs[1] == oldIDs[0])
        both.signIn(Person.alice)
        let header = try Self.part(0, of: #require(Self.ask(both)[.authToken]))
        #expect(header["kid"]?.string == bothIDs[0] && header["alg"]?.string == "EdDSA")
    }

    @Test func `the key set holds no private part, and is read only`() throws {
        let world = try World()
        let answer = world.send(.keys)
        #expect(answer.http.status == .ok)
        let set = try JSON(parsing: answer.body)
        for key in try #require(set["keys"]?.array) {
            #expect(Set(key.members?.names ?? []) == ["kty", "crv", "x", "use", "alg", "kid"])
        }
        #expect(world.send(.keys, .post).http.status == .notFound)
    }

    /// Medium 8: on a public path nobody compared the definitions.
    @Test func `groups under other definitions are handed to no application`() throws {
        let world = try World()
        world.signIn(Person.alice)
        #expect(Self.ask(world, "/public/")[.authGroups] == "hr")
        let policy = AccessPolicy(
            groups: [GroupDefinition(name: "hr", roles: ["Payroll"])],
            rules: [.init(path: "/", audience: .public)]
        )
        world.state.withLock { $0.policy = policy ?? $0.policy }
        let fields = Self.ask(world, "/public/")
        #expect(fields[.authGroups] == "" && fields[.authUser] == "" && fields[.authToken] == nil)
    }

    /// Low: the list of ended sessions was read twice, and between the two a session could end.
    @Test func `a session is judged once`() throws {
        let world = try World()
        world.signIn(Person.alice)
        let reads = world.state.withLock { $0.revocationReads }
        #expect(Self.ask(world)[.authUser] != "")
        #expect(world.state.withLock { $0.revocationReads } == reads + 1)
    }

    /// Medium 9: 'session' is what Flask and Starlette call theirs.
    @Test(arguments: [
        (
            "https://docs.example.com", "session=flask; browser=x; a=b",
            "session=flask; browser=x; a=b"
        ),
        ("https://docs.example.com", "__Host-session=x; __Host-browser=y; a=b", "a=b"),
        ("http://localhost:8080", "session=x; browser=y; __Host-session=z", "__Host-session=z"),
    ])
    func `cookies are ours by the names in use`(origin: String, cookies: String, rest: String)
        throws
    {
        let world = try World(baseURL: origin)
        #expect(Self.ask(world, "/public/", cookie: cookies)[.authCookie] == rest)
    }
}
