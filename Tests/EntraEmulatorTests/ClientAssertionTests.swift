import JOSE
import Jansson
import OpenSSL
import Testing

@testable import EntraEmulator

@Suite struct ClientAssertionTests {
    private static let client = "22222222-bbbb-4000-8000-000000000002"
    private static let audience = "http://localhost:8081/tenant/oauth2/v2.0/token"
    private static let now = 1_800_000_000
    private static let key = try? RSAPrivateKey()
    private static let otherKey = try? RSAPrivateKey()
    private static let certificate = try? key.map { try selfSigned($0) }
    private static let otherCertificate = try? otherKey.map { try selfSigned($0) }

    private static func selfSigned(_ key: RSAPrivateKey) throws -> Certificate {
        try Certificate.selfSigned(by: key, commonName: "site", days: 30, from: now - 86_400)
    }

    /// An assertion, right unless it is changed.
    private struct Assertion {
        var claims: JSON.Members = [
            "aud": .string(audience), "iss": .string(client), "sub": .string(client),
            "jti": "a-b-c", "iat": .integer(now), "nbf": .integer(now),
            "exp": .integer(now + 600),
        ]
        var header: JSON.Members = ["typ": "JWT"]
        var algorithm = SignatureAlgorithm.ps256
        var key = ClientAssertionTests.key
        var clock = now
        var isUnsigned = false
        var registered = [otherCertificate, certificate]

        init() throws {
            let der = try #require(certificate).der
            header["x5t#S256"] = .string(Base64URL.encode(Digest.sha256(der)))
        }

        /// Names the certificate by its SHA-1 alone.
        mutating func nameBySHA1(padding: String) throws {
            let der = try #require(certificate).der
            header["x5t#S256"] = nil
            header["x5t"] = .string(Base64URL.encode(Digest.sha1(der)) + padding)
        }

        mutating func addPadding() {
            header["x5t#S256"] = header["x5t#S256"]?.string.map { .string($0 + "=") }
        }

        /// The number of the refusal, or `nil` if there is none.
        func refusal() throws -> Int? {
            var header = header
            if header["alg"] == nil { header["alg"] = .string(algorithm.rawValue) }
            var text = try JSONWebSignature.sign(
                .object(claims),
                header: header,
                algorithm: algorithm,
                with: #require(key)
            )
            if isUnsigned { text = String(text[...(text.lastIndex(of: ".") ?? text.startIndex)]) }
            do throws(ClientAssertion.Rejection) {
                let assertion = try ClientAssertion(parsing: text)
                try assertion.verify(
                    certificates: registered.compactMap(\.self),
                    clientID: client,
                    audiences: ["\(audience)/other", audience],
                    now: clock
                )
                #expect(!assertion.isFederated)
                return nil
            } catch {
                #expect(error.error == "invalid_client" && error.status == .unauthorized)
                return error.number
            }
        }
    }

    private static let refused: [(String, Int, @Sendable (inout Assertion) throws -> Void)] = [
        ("no algorithm", 50_027, { $0.header["alg"] = "none" }),
        ("no signature", 50_027, { $0.isUnsigned = true }),
        ("a secret's algorithm", 50_027, { $0.header["alg"] = "HS256" }),
        ("another algorithm's signature", 700_027, { $0.header["alg"] = "RS256" }),
        ("another key", 700_027, { $0.key = otherKey }),
        ("a certificate that is not registered", 700_027, { $0.registered = [otherCertificate] }),
        ("no thumbprint", 700_027, { $0.header["x5t#S256"] = nil }),
        ("an empty list", 700_027, { $0.registered = [] }),
        (
            "two thumbprints that disagree", 700_027,
            {
                let der = try #require(otherCertificate).der
                $0.header["x5t"] = .string(Base64URL.encode(Digest.sha1(der)))
            }
        ),
        (
            "a certificate that has run out", 700_027,
            {
                $0.clock = now + 30 * 86_400
                $0.claims["exp"] = .integer($0.clock + 600)
            }
        ),
        ("a certificate to come", 700_027, { $0.clock = now - 86_401 }),
        ("run out", 700_024, { $0.clock = now + 900 }),
        ("to come", 700_024, { $0.clock = now - 301 }),
        ("no end", 700_024, { $0.claims["exp"] = nil }),
        ("an end that is no number", 700_024, { $0.claims["exp"] = "1800000600" }),
        ("an end beyond all numbers", 700_024, { $0.claims["exp"] = .number(1e300) }),
        ("the earliest end", 700_024, { $0.claims["exp"] = .integer(.min) }),
        ("the latest start", 700_024, { $0.claims["nbf"] = .integer(.max) }),
        ("another issuer", 700_021, { $0.claims["iss"] = "33333333" }),
        ("no issuer", 700_021, { $0.claims["iss"] = nil }),
        ("another subject", 700_022, { $0.claims["sub"] = .string(client.uppercased()) }),
        ("no subject", 700_022, { $0.claims["sub"] = nil }),
        ("another audience", 700_023, { $0.claims["aud"] = .string(audience.uppercased()) }),
        ("half an audience", 700_023, { $0.claims["aud"] = .string(String(audience.dropLast())) }),
        ("no audience", 700_023, { $0.claims["aud"] = nil }),
        ("no audience in a list", 700_023, { $0.claims["aud"] = [] }),
    ]

    @Test(arguments: refused.indices)
    func `what is wrong has its number`(index: Int) throws {
        let (name, number, change) = Self.refused[index]
        var assertion = try Assertion()
        try change(&assertion)
        #expect(try assertion.refusal() == number, "\(name)")
    }

    private static let accepted: [(String, @Sendable (inout Assertion) throws -> Void)] = [
        ("as the documentation has it", { _ in }),
        ("RS256", { $0.algorithm = .rs256 }),
        ("SHA-1 as MSAL for AD FS", { try $0.nameBySHA1(padding: "") }),
        ("SHA-1 with padding", { try $0.nameBySHA1(padding: "=") }),
        ("SHA-256 with padding", { $0.addPadding() }),
        ("a list of audiences", { $0.claims["aud"] = ["a", .string(audience)] }),
        ("a lifetime of years", { $0.claims["exp"] = .integer(.max) }),
        ("no start", { $0.claims["nbf"] = nil }),
        // MSAL for Python signs fractions of seconds.
        ("half a second", { $0.claims["exp"] = .number(Double(now) + 600.5) }),
        ("a clock that is late", { $0.clock = now - 300 }),
        ("a clock that is early", { $0.clock = now + 899 }),
    ]

    @Test(arguments: accepted.indices)
    func `what Entra takes is taken`(index: Int) throws {
        let (name, change) = Self.accepted[index]
        var assertion = try Assertion()
        try change(&assertion)
        #expect(try assertion.refusal() == nil, "\(name)")
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c", "a.b.c.d", "e30.e30.e30", "é.é.é"])
    func `what is no JWT is refused`(text: String) {
        #expect { try ClientAssertion(parsing: text) } throws: { error in
            (error as? ClientAssertion.Rejection)?.number == 50_027
        }
    }

    @Test func `one other character anywhere and it is refused`() throws {
        let certificate = try #require(Self.certificate)
        var assertion = try Assertion()
        assertion.header["alg"] = "PS256"
        let text = try JSONWebSignature.sign(
            .object(assertion.claims),
            header: assertion.header,
            algorithm: .ps256,
            with: #require(Self.key)
        )
        let characters = Array(text.utf8)
        for index in stride(from: 0, to: characters.count, by: 5) where characters[index] != 46 {
            var changed = characters
            changed[index] = changed[index] == 65 ? 66 : 65
            #expect(throws: ClientAssertion.Rejection.self) {
                try ClientAssertion(parsing: String(decoding: changed, as: UTF8.self)).verify(
                    certificates: [certificate],
                    clientID: Self.client,
                    audiences: [Self.audience],
                    now: Self.now
                )
            }
        }
    }
}
