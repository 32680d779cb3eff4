import JOSE
import Jansson
import OpenSSL
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

extension IDTokenRejection {
    fileprivate static let notAToken = algorithm(nil, expected: [.rs256])

    fileprivate static func algorithm(_ name: String) -> IDTokenRejection {
        .algorithm(name, expected: [.rs256])
    }
}

@Suite struct IDTokenValidationTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let mutate: @Sendable (inout TokenFactory) -> Void
        let expected: IDTokenRejection

        init(
            _ name: String,
            _ expected: IDTokenRejection,
            _ mutate: @escaping @Sendable (inout TokenFactory) -> Void
        ) {
            testDescription = name
            self.expected = expected
            self.mutate = mutate
        }
    }

    static let now = TokenFactory.now
    static let other = "33333333-cccc-4000-8000-000000000003"

    /// Hostile inputs HJ-01 to HJ-12.
    ///
    /// A new rule is a new line.
    static let rejections: [Case] = [
        Case("alg none", .algorithm("none")) { $0.header["alg"] = "none" },
        Case("alg nOnE", .algorithm("nOnE")) { $0.header["alg"] = "nOnE" },
        Case("alg HS256", .algorithm("HS256")) { $0.header["alg"] = "HS256" },
        Case("alg a number", .notAToken) { $0.header["alg"] = 256 },
        Case("alg a list", .notAToken) { $0.header["alg"] = ["RS256"] },
        Case("alg missing", .notAToken) { $0.header["alg"] = nil },
        Case("crit", .notAToken) { $0.header["crit"] = ["exp"] },
        Case("typ of an access token", .notAToken) { $0.header["typ"] = "at+jwt" },
        Case("kid missing", .shape("'kid'")) { $0.header["kid"] = nil },
        Case("kid a path", .unknownKey("../../dev/null")) { $0.header["kid"] = "../../dev/null" },
        Case("kid a number", .notAToken) { $0.header["kid"] = 1 },
        Case("iss of another tenant", issuer("https://login.microsoftonline.com/\(other)/v2.0")) {
            $0.claims["iss"] = .string("https://login.microsoftonline.com/\(other)/v2.0")
        },
        Case("iss of v1", issuer("https://sts.windows.net/\(TokenFactory.tenant)/")) {
            $0.claims["iss"] = .string("https://sts.windows.net/\(TokenFactory.tenant)/")
        },
        Case("iss with a slash", issuer(TokenFactory.issuer + "/")) {
            $0.claims["iss"] = .string(TokenFactory.issuer + "/")
        },
        Case("iss a list", .shape("'iss'")) { $0.claims["iss"] = [.string(TokenFactory.issuer)] },
        Case("ver 1.0", .version("1.0")) { $0.claims["ver"] = "1.0" },
        Case("aud missing", .shape("'aud'")) { $0.claims["aud"] = nil },
        Case("aud another", .audience(other, expected: TokenFactory.client)) {
            $0.claims["aud"] = .string(other)
        },
        Case("aud two", .shape("'aud'")) {
            $0.claims["aud"] = [.string(TokenFactory.client), .string(other)]
        },
        Case("aud a number", .shape("'aud'")) { $0.claims["aud"] = 1 },
        Case("aud an empty list", .shape("'aud'")) { $0.claims["aud"] = [] },
        Case("exp missing", .shape("'exp'")) { $0.claims["exp"] = nil },
        Case("exp past", .expired(now - 300)) { $0.claims["exp"] = .integer(now - 300) },
        Case("exp a string", .shape("'exp'")) { $0.claims["exp"] = .string("\(now + 60)") },
        Case("exp a fraction", .shape("'exp'")) { $0.claims["exp"] = .number(Double(now) + 60.5) },
        Case("exp 1e300", .shape("'exp'")) { $0.claims["exp"] = .number(1e300) },
        Case("exp the largest number", .shape("'exp'")) { $0.claims["exp"] = .integer(.max) },
        Case("exp negative", .shape("'exp'")) { $0.claims["exp"] = -1 },
        Case("exp a truth", .shape("'exp'")) { $0.claims["exp"] = true },
        Case("nbf to come", .notYetValid(now + 301)) { $0.claims["nbf"] = .integer(now + 301) },
        Case("iat missing", .shape("'iat'")) { $0.claims["iat"] = nil },
        Case("iat to come", .issuedInFuture(now + 301)) { $0.claims["iat"] = .integer(now + 301) },
        Case("nonce missing", .shape("'nonce'")) { $0.claims["nonce"] = nil },
        Case("nonce empty", .shape("'nonce'")) { $0.claims["nonce"] = "" },
        Case("nonce of another", .nonce) { $0.claims["nonce"] = "another" },
        Case("sub missing", .shape("'sub'")) { $0.claims["sub"] = nil },
        Case("sub empty", .shape("'sub'")) { $0.claims["sub"] = "" },
        Case("sub too long", .shape("'sub'")) {
            $0.claims["sub"] = .string(String(repeating: "x", count: 256))
        },
        Case("oid missing", .noTenantOrObjectID) { $0.claims["oid"] = nil },
        Case("oid no GUID", .noTenantOrObjectID) { $0.claims["oid"] = "alice" },
        Case("tid missing", keyIssuer) { $0.claims["tid"] = nil },
        Case("tid another", keyIssuer) { $0.claims["tid"] = .string(other) },
        Case("tid twice", .claimTwice) {
            $0.claims["TID"] = .string(other)
        },
        Case("roles a string", .shape("'roles'")) { $0.claims["roles"] = "HR" },
        Case("roles a number", .shape("'roles'")) { $0.claims["roles"] = [1] },
        Case("groups an object", .shape("'groups'")) { $0.claims["groups"] = [:] },
        Case("name a list", .shape("'name'")) { $0.claims["name"] = ["Alice"] },
    ]

    private static func issuer(_ issuer: String) -> IDTokenRejection {
        .issuer(issuer, expected: TokenFactory.issuer)
    }

    /// The key's issuer, with the token's own tenant put in, is not the token's issuer.
    private static let keyIssuer = IDTokenRejection.keyIssuer(
        "https://login.microsoftonline.com/{tenantid}/v2.0",
        expected: TokenFactory.issuer
    )

    @Test func `a tenant that is missing or another is refused, whatever the key says`() throws {
        let key = try TokenFactory.webKey(issuer: nil)
        var factory = TokenFactory()
        factory.claims["tid"] = .string(Self.other)
        #expect(throws: IDTokenRejection.otherTenant(Self.other, issuer: TokenFactory.issuer)) {
            try factory.verify(keys: [key])
        }
        factory.claims["tid"] = nil
        #expect(throws: IDTokenRejection.noTenantOrObjectID) { try factory.verify(keys: [key]) }
    }

    @Test(arguments: rejections)
    func `a token that breaks one rule is refused for that rule`(example: Case) throws {
        var factory = TokenFactory()
        example.mutate(&factory)
        #expect(throws: example.expected) { try factory.verify() }
    }

    @Test func `a token that breaks no rule says who it is`() throws {
        let identity = try TokenFactory().verify()
        #expect(identity.tenantID == TokenFactory.tenant)
        #expect(identity.objectID == "a11ce000-0000-4000-8000-00000000000a")
        #expect(identity.token.roles == ["HR"])
    }

    @Test func `clocks may differ by five minutes and not by a second more`() throws {
        var factory = TokenFactory()
        factory.claims["exp"] = .integer(Self.now - 299)
        factory.claims["nbf"] = .integer(Self.now + 300)
        factory.claims["iat"] = .integer(Self.now + 300)
        _ = try factory.verify()
    }

    @Test func `no other spelling of a signed token passes`() throws {
        let token = try TokenFactory().token()
        let parts = token.split(separator: ".").map(String.init)
        let other = try TokenFactory().token().split(separator: ".").map(String.init)
        for text in [
            "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", token + ".",
            token + "." + parts[2],
            token + "=", " " + token, token + "\n", parts[0] + "." + parts[1] + "." + "AAAA",
            #"{"payload":"\#(parts[1])","signature":"\#(parts[2])"}"#, "", "..", "...",
            "\(parts[0]).\(other[1].dropLast())A.\(parts[2])",
        ] {
            #expect(throws: IDTokenRejection.self) { try TokenFactory().verify(text) }
        }
    }

    @Test func `a new key may have the id of the old one, or none`() throws {
        let old = try TokenFactory.webKey(of: TokenFactory.otherKey)
        let new = try TokenFactory.webKey()
        let factory = TokenFactory()
        #expect(throws: Never.self) { try factory.verify(keys: [old], newKeys: [new]) }
        #expect(throws: IDTokenRejection.signature) { try factory.verify(keys: [old]) }
        #expect(throws: IDTokenRejection.signature) {
            try factory.verify(keys: [old], newKeys: [old])
        }
        #expect(throws: Never.self) { try factory.verify(keys: [old, new], newKeys: []) }
    }

    @Test func `a key that comes with the token is not looked at`() throws {
        guard let other = TokenFactory.otherKey else { throw TokenFactory.NoKey() }
        var header = TokenFactory().header
        header["jwk"] = try TokenFactory.webKey()
        header["jku"] = "https://evil.example/keys"
        let certificate = try Certificate.selfSigned(by: other, commonName: "other", days: 1)
        header["x5c"] = [.string(Base64URL.encodeStandard(certificate.der))]
        let token = try JSONWebSignature.sign(
            .object(TokenFactory().claims),
            header: header,
            with: other
        )
        #expect(throws: IDTokenRejection.signature) { try TokenFactory().verify(token) }
    }

    @Test func `a token that its own key signed by PS256 is none`() throws {
        guard let key = TokenFactory.key else { throw TokenFactory.NoKey() }
        var header = TokenFactory().header
        header["alg"] = "PS256"
        let token = try JSONWebSignature.sign(
            .object(TokenFactory().claims),
            header: header,
            algorithm: .ps256,
            with: key
        )
        #expect(throws: IDTokenRejection.algorithm("PS256")) {
            try TokenFactory().verify(token)
        }
    }

    @Test func `a key of another cloud or another issuer signs nothing`() throws {
        let cloud = IDTokenRejection.cloud("microsoftonline.us", expected: "microsoftonline.com")
        #expect(throws: cloud) {
            try TokenFactory().verify(keys: [TokenFactory.webKey(cloud: "microsoftonline.us")])
        }
        let consumers =
            "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
        #expect(throws: IDTokenRejection.keyIssuer(consumers, expected: TokenFactory.issuer)) {
            try TokenFactory().verify(keys: [TokenFactory.webKey(issuer: consumers)])
        }
        // Microsoft writes the placeholder in two ways; a key may also name none.
        let mixed = "https://login.microsoftonline.com/{tenantId}/v2.0"
        _ = try TokenFactory().verify(keys: [TokenFactory.webKey(issuer: mixed)])
        _ = try TokenFactory().verify(keys: [TokenFactory.webKey(issuer: nil, cloud: nil)])
    }

    @Test func `where several tenants come in, the list of tenants decides`() throws {
        let factory = TokenFactory()
        let rejected = IDTokenRejection.tenant(TokenFactory.tenant)
        _ = try factory.verify(isForSeveral: true, allowedTenants: .these([TokenFactory.tenant]))
        _ = try factory.verify(isForSeveral: true, allowedTenants: .any)
        for allowed: AllowedTenants in [.these([Self.other]), .these([]), .unspecified] {
            #expect(throws: rejected) {
                try factory.verify(isForSeveral: true, allowedTenants: allowed)
            }
        }
        // A list that was given holds everywhere.
        #expect(throws: rejected) { try factory.verify(allowedTenants: .these([Self.other])) }
    }

    @Test func `an e-mail address is no identity`() throws {
        var factory = TokenFactory()
        factory.claims["email"] = "ceo@example.com"
        factory.claims["preferred_username"] = "ceo@example.com"
        let identity = try factory.verify()
        #expect(identity.objectID == "a11ce000-0000-4000-8000-00000000000a")
    }

    @Test func `a name cannot turn the line around or begin a new one`() throws {
        var factory = TokenFactory()
        factory.claims["name"] = "Alice\r\nSet-Cookie: x\u{202E}\u{0007}\u{2028}👩‍💻"
        #expect(try factory.verify().token.name == "AliceSet-Cookie: x👩‍💻")
        factory.claims["name"] = .string(String(repeating: "名", count: 500))
        #expect(try factory.verify().token.name.count == 128)
    }

    @Test func `too many groups are unknown groups where groups are asked for, and never none`()
        throws
    {
        var factory = TokenFactory()
        factory.claims["_claim_names"] = ["groups": "src1"]
        let overage = try factory.verify()
        let byGroup = World.policy.groups
        #expect(GroupMembership(overage, in: byGroup, rolesCount: true) == .unknown)
        let byRole = byGroup.filter { $0.groups.isEmpty }
        #expect(GroupMembership(overage, in: byRole, rolesCount: true) == .member(of: ["hr"]))
        factory.claims["_claim_names"] = nil
        factory.claims["hasgroups"] = true
        #expect(GroupMembership(try factory.verify(), in: byGroup, rolesCount: true) == .unknown)
    }
}
