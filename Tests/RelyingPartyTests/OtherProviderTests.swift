import Access
import HTTPTypes
import JOSE
import Jansson
import Synchronization
import Testing

@testable import RelyingParty

/// What providers other than Entra do differently, each within its rights.
@Suite struct OtherProviderTests {
    private static func userInfo(_ json: JSON) -> [UInt8] { Array(json.text.utf8) }

    /// OpenID Connect Discovery 1.0, section 4.1; Auth0's issuers are so.
    @Test(arguments: [
        "https://id.example.com", "https://id.example.com/", "https://id.example.com/a/",
    ])
    func `an issuer may end in a slash, and then iss does too`(issuer: String) throws {
        let provider = try OtherProvider(issuer: issuer)
        provider.signIn()
        #expect(provider.check("/") == 204)
        let other = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer + "/"
        provider.state.withLock { $0.claims["iss"] = .string(other) }
        #expect(provider.signIn().http.status != .seeOther)
    }

    @Test(arguments: [
        "https://id.example.com//", "https://id.example.com/b", "https://evil.example/",
    ])
    func `an issuer that lies elsewhere does not fit`(issuer: String) throws {
        let provider = try OtherProvider()
        provider.state.withLock { $0.document["issuer"] = .string(issuer) }
        #expect(provider.send(.signIn, wanted: "/").http.status == .badGateway)
    }

    @Test func `claims that Microsoft invented mean nothing elsewhere`() throws {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.claims = [
                "ver": 1, "tid": 7, "oid": [1], "login_hint": false, "hasgroups": true,
                "roles": ["a": 1], "name": ["first": "Kim"], "preferred_username": "kim",
            ]
        }
        provider.signIn()
        #expect(provider.check("/") == 204)
        #expect(provider.me?["name"]?.string == "kim")
    }

    @Test(
        arguments: [
            (["name": "Kim Lee", "email": "k@x"], "Kim Lee"),
            (["preferred_username": "kim"], "kim"),
            (["email": "k@x", "name": ""], "k@x"), (["email": 3], ""),
        ] as [(JSON.Members, String)]
    )
    func `a name is taken from where there is one`(claims: JSON.Members, name: String) throws {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.claims = claims
            $0.claims["groups"] = []
        }
        provider.signIn()
        #expect(provider.me?["name"]?.string == name)
        // Where the ID token has one, nobody else is asked.
        let isAsked = provider.state.withLock { $0.paths.contains("/me") }
        #expect(isAsked == name.isEmpty)
    }

    @Test func `UserInfo is asked for what the ID token lacks`() throws {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.userInfo = Self.userInfo(["sub": "Kim", "name": "Kim Lee", "groups": ["staff"]])
        }
        provider.signIn(wanting: "/staff/")
        #expect(provider.check("/staff/") == 204)
        #expect(provider.me?["name"]?.string == "Kim Lee")
        #expect(provider.state.withLock(\.bearer) == "Bearer the-access-token")
    }

    @Test func `what is signed counts more than what UserInfo says`() throws {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.claims["groups"] = ["guests"]
            $0.userInfo = Self.userInfo(["sub": "Kim", "name": "Kim Lee", "groups": ["staff"]])
        }
        provider.signIn(wanting: "/staff/")
        #expect(provider.check("/staff/") == 403)
        #expect(provider.me?["name"]?.string == "Kim Lee")
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 200
        var type = "application/json"
        var body: String?
    }

    static let unusable = [
        Answer(testDescription: "nobody answers", body: nil),
        Answer(testDescription: "an error", status: 500, body: "{}"),
        Answer(
            testDescription: "not allowed",
            status: 403,
            body: #"{"sub":"Kim","groups":["staff"]}"#
        ),
        Answer(testDescription: "signed", type: "application/jwt;charset=utf-8", body: "a.b.c"),
        Answer(testDescription: "not JSON", body: "<html>"),
        Answer(testDescription: "a list", body: #"["Kim"]"#),
        Answer(testDescription: "without a subject", body: #"{"groups":["staff"]}"#),
        Answer(testDescription: "a subject twice", body: #"{"sub":"Kim","sub":"Kim"}"#),
        Answer(testDescription: "somebody else", body: #"{"sub":"kim","groups":["staff"]}"#),
        Answer(
            testDescription: "somebody else in other letters",
            body: #"{"sub":"Ki\u006d\u0301","groups":["staff"]}"#
        ),
    ]

    @Test(arguments: unusable)
    func `an answer that cannot be used lets nobody in where groups are needed`(answer: Answer)
        throws
    {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.userInfoStatus = answer.status
            $0.userInfoType = answer.type
            $0.userInfo = answer.body.map { Array($0.utf8) }
        }
        let response = provider.signIn(wanting: "/staff/")
        #expect(response.http.status != .seeOther && response.http.status.code >= 400)
        #expect(response.events.contains { $0.text.contains("UserInfo: ") })
        #expect(provider.check("/") == 401)
    }

    @Test(arguments: unusable)
    func `it is no matter where only the name is missing`(answer: Answer) throws {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.claims["groups"] = "staff"
            $0.userInfoStatus = answer.status
            $0.userInfoType = answer.type
            $0.userInfo = answer.body.map { Array($0.utf8) }
        }
        let response = provider.signIn(wanting: "/staff/")
        #expect(provider.check("/staff/") == 204)
        #expect(provider.me?["name"]?.string == "")
        #expect(response.events.contains { $0.level == .warning && $0.text.contains("UserInfo: ") })
    }

    @Test func `readers go on while UserInfo cannot be asked, and end where it names another`()
        throws
    {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.userInfo = Self.userInfo(["sub": "Kim", "groups": ["staff"]])
        }
        provider.signIn(wanting: "/staff/")
        provider.state.withLock {
            $0.now += 3600
            $0.userInfo = nil
        }
        let begun = provider.send(.signIn, wanted: "/staff/")
        let answer = provider.send(.callback, query: try #require(provider.approve(begun)))
        #expect(answer.http.headerFields[.location] == "https://docs.example.com/staff/")
        #expect(provider.check("/staff/") == 204)
        provider.state.withLock {
            $0.now += 301
            $0.userInfo = Self.userInfo(["sub": "Lou", "groups": ["staff"]])
        }
        let again = provider.send(.signIn, wanted: "/staff/")
        provider.send(.callback, query: try #require(provider.approve(again)))
        #expect(provider.check("/staff/") == 401)
    }

    @Test(
        arguments: [
            ([:], ["sub": "Kim"], true), ([:], ["sub": "Kim", "groups": []], false),
            (["groups": []], ["sub": "Kim"], false),
        ] as [(JSON.Members, JSON, Bool)]
    )
    func `a claim that is nowhere is told once a sign-in`(
        claims: JSON.Members,
        userInfo: JSON,
        isTold: Bool
    ) throws {
        let provider = try OtherProvider("groups_claim = \"groups\"")
        provider.state.withLock {
            $0.claims = claims
            $0.userInfo = Self.userInfo(userInfo)
        }
        let events = provider.signIn().events.filter { $0.level == .warning }
        #expect(provider.check("/") == 204)
        let text =
            "claim 'groups' is neither in the ID token nor in UserInfo's answer; check 'scope'"
        #expect(events.map(\.text) == (isTold ? [text] : []))
    }

    @Test func `the log has the provider's words from the token endpoint, and no browser's`()
        throws
    {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.tokenError = "invalid_client"
            $0.tokenErrorDescription =
                "the 'secret'\nhas \u{202E}expired" + String(repeating: "x", count: 300)
        }
        let event = try #require(provider.signIn().events.first { $0.level == .error })
        let words = "'invalid_client', 'the \"secret\"has expired"
        #expect(event.text.contains(words) && event.text.hasSuffix("xxx'"), "\(event.text)")
        #expect(event.text.utf8.count < 300)
        let begun = provider.send(.signIn, wanted: "/")
        let invented = "error=invalid_client&error_description=call-0900"
        let query = try #require(provider.approve(begun, invented))
        let events = provider.send(.callback, query: query).events
        #expect(events.contains { $0.text.contains("invalid_client") })
        #expect(!events.contains { $0.text.contains("0900") })
    }

    /// Swift takes `é` as one character and as two for the same, other programs do not.
    @Test func `asking again about a name in other letters ends the session`() throws {
        let provider = try OtherProvider()
        provider.state.withLock {
            $0.claims = ["sub": "Jos\u{E9}", "name": "J", "groups": ["staff"]]
        }
        provider.signIn(wanting: "/staff/")
        provider.state.withLock {
            $0.now += 3600
            $0.claims["sub"] = "Jose\u{301}"
        }
        let before = provider.cookie
        let begun = provider.send(.signIn, wanted: "/staff/")
        let answer = provider.send(.callback, query: try #require(provider.approve(begun)))
        #expect(answer.http.headerFields[.location] != "https://docs.example.com/staff/")
        #expect(provider.cookie != before && provider.check("/staff/") == 401)
    }

    struct Claim: Sendable, CustomTestStringConvertible {
        let name: String
        let claims: JSON.Members
        let isMember: Bool
        var testDescription: String { "\(name) in \(JSON.object(claims).text)" }
    }

    @Test(arguments: [
        Claim(name: "groups", claims: ["groups": ["a", "staff"]], isMember: true),
        Claim(name: "groups", claims: ["groups": "staff"], isMember: true),
        Claim(name: "groups", claims: ["groups": ["Staff", "staff ", "/staff"]], isMember: false),
        Claim(name: "roles", claims: ["groups": ["staff"], "roles": []], isMember: false),
        Claim(name: "a.b", claims: ["a": ["b": ["staff"]]], isMember: true),
        Claim(name: "a.b", claims: ["a.b": ["staff"], "a": ["b": []]], isMember: true),
        Claim(
            name: "https://x.example/g",
            claims: ["https://x.example/g": ["staff"]],
            isMember: true
        ),
    ])
    func `groups come from the claim that is named`(claim: Claim) throws {
        let provider = try OtherProvider("groups_claim = \"\(claim.name)\"")
        provider.state.withLock { $0.claims = claim.claims }
        provider.signIn(wanting: "/staff/")
        #expect(provider.check("/staff/") == (claim.isMember ? 204 : 403))
    }

    @Test(
        arguments: [
            ["groups": ["staff", 1]], ["groups": [["name": "staff"]]], ["groups": 7],
            ["groups": ["staff": true]],
        ] as [JSON.Members]
    )
    func `a claim of another shape is a refusal that names it`(claims: JSON.Members) throws {
        let provider = try OtherProvider()
        provider.state.withLock { $0.claims = claims }
        let response = provider.signIn(wanting: "/staff/")
        #expect(provider.check("/") == 401)
        #expect(response.events.contains { $0.text.contains("'groups'") })
        // Where no group is defined by it, it is nobody's business.
        let open = try OtherProvider(group: GroupDefinition(name: "staff", users: ["Kim"]))
        open.state.withLock { $0.claims = claims }
        open.signIn(wanting: "/staff/")
        #expect(open.check("/staff/") == 204)
    }

    @Test(arguments: [("Kim", 204), ("kim", 403), ("Lou", 403)])
    func `people are known by their sub, letter for letter`(user: String, status: Int) throws {
        let provider = try OtherProvider(group: GroupDefinition(name: "staff", users: [user]))
        provider.state.withLock { $0.claims["name"] = "Lou" }
        provider.signIn(wanting: "/staff/")
        #expect(provider.check("/staff/") == status)
    }

    @Test func `sessions of one claim do not open under another`() throws {
        let first = try OtherProvider()
        first.state.withLock { $0.claims["groups"] = ["staff"] }
        first.signIn()
        let second = try OtherProvider("groups_claim = \"roles\"")
        second.state.withLock { state in state.cookies = first.state.withLock(\.cookies) }
        #expect(first.check("/staff/") == 204)
        #expect(second.check("/") == 401)
    }

    @Test(arguments: [("HS256", "HS256"), ("none", "none"), ("ES256", "ES256"), ("x'\n", "RS256")])
    func `the log names the algorithm of a token that is not signed with RS256`(
        algorithm: String,
        told: String
    ) throws {
        let provider = try OtherProvider()
        provider.state.withLock { $0.header["alg"] = .string(algorithm) }
        let response = provider.signIn()
        #expect(provider.check("/") == 401)
        #expect(response.events.contains { $0.text.contains(told) && $0.text.contains("RS256") })
    }

    /// Glewlwyd says `invalid_request` (OpenID Connect Core 1.0, section 3.1.2.1 allows any).
    @Test(arguments: ["invalid_request", "unauthorized_client", "something_new", "access_denied"])
    func `any error of asking again leads to a usual sign-in, once`(error: String) throws {
        let provider = try OtherProvider()
        provider.state.withLock { $0.claims = ["groups": ["staff"], "name": "Kim"] }
        provider.signIn(wanting: "/staff/")
        provider.state.withLock { $0.now += 3600 }
        let begun = provider.send(.signIn, wanted: "/staff/")
        #expect(begun.http.headerFields[.location]?.contains("prompt=none") == true)
        let query = try #require(provider.approve(begun, "error=\(error)"))
        let usual = provider.send(.callback, query: query)
        let url = try #require(usual.http.headerFields[.location])
        #expect(url.contains("/authorize?") && !url.contains("prompt="))
        provider.send(.callback, query: try #require(provider.approve(usual)))
        #expect(provider.check("/staff/") == 204)
        // The same answer to that one is a page.
        provider.state.withLock { $0.now += 3600 }
        let next = provider.send(.signIn, wanted: "/staff/")
        let refused = provider.send(
            .callback,
            query: try #require(provider.approve(next, "error=\(error)"))
        )
        let last = provider.send(
            .callback,
            query: try #require(provider.approve(refused, "error=\(error)"))
        )
        #expect(last.http.headerFields[.location] == nil)
    }
}
