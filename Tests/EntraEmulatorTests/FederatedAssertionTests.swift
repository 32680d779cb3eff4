import JOSE
import Jansson
import OpenSSL
import Testing

@testable import EntraEmulator

@Suite struct FederatedAssertionTests {
    private static let now = 1_800_000_000
    private static let issuer = "https://issuer.example/v2.0"
    private static let subject = "system:serviceaccount:web:Site"
    private static let audience = "api://AzureADTokenExchange"
    private static let key = try? RSAPrivateKey()
    private static let otherKey = try? RSAPrivateKey()

    private static func credential(
        issuer: String = issuer,
        subject: String = subject,
        key: RSAPrivateKey? = key
    ) throws -> ClientAssertion.FederatedCredential {
        let key = try #require(key)
        let json: JSON = [
            "keys": [
                [
                    "kty": "RSA", "kid": "k1", "n": .string(Base64URL.encode(key.modulus)),
                    "e": .string(Base64URL.encode(key.exponent)),
                ]
            ]
        ]
        return .init(
            issuer: issuer,
            subject: subject,
            audiences: [audience],
            keys: try #require(JSONWebKeySet(parsing: Array(json.text.utf8)))
        )
    }

    /// The number of the refusal, or `nil` if there is none.
    private static func refusal(
        _ changes: JSON.Members = [:],
        header: JSON.Members = ["kid": "k1"],
        algorithm: SignatureAlgorithm = .rs256,
        key: RSAPrivateKey? = key,
        credentials: [ClientAssertion.FederatedCredential]? = nil
    ) throws -> Int? {
        var claims: JSON.Members = [
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience),
            "exp": .integer(now + 3600),
        ]
        for name in changes.names { claims[name] = changes[name] }
        var header = header
        header["alg"] = .string(algorithm.rawValue)
        let text = try JSONWebSignature.sign(
            .object(claims),
            header: header,
            algorithm: algorithm,
            with: #require(key)
        )
        let registered = try credentials ?? [credential(subject: "another"), credential()]
        do throws(ClientAssertion.Rejection) {
            let assertion = try ClientAssertion(parsing: text)
            #expect(assertion.isFederated)
            try assertion.verify(federated: registered, now: now)
            return nil
        } catch {
            #expect(error.error == "invalid_client" && error.status == .unauthorized)
            return error.number
        }
    }

    @Test func `a credential's issuer, subject and audience are believed`() throws {
        #expect(try Self.refusal() == nil)
        #expect(try Self.refusal(header: [:]) == nil)
        #expect(try Self.refusal(["aud": [.string(Self.audience)]]) == nil)
    }

    @Test(
        arguments: [
            (["iss": "https://other.example"], 700_211),
            (["iss": "https://issuer.example/v2.0/"], 700_211),
            (["iss": "https://Issuer.example/v2.0"], 700_211),
            (["sub": "system:serviceaccount:web:site"], 700_213), (["sub": 1], 700_213),
            (["aud": "api://azureadtokenexchange"], 700_212), (["aud": .null], 700_212),
            (["exp": 1_799_999_700], 700_024), (["nbf": 1_800_000_301], 700_024),
        ] as [(JSON.Members, Int)]
    )
    func `what differs has its number, if only in case`(changes: JSON.Members, number: Int) throws {
        #expect(try Self.refusal(changes) == number)
    }

    @Test func `only the keys of that issuer prove it`() throws {
        #expect(try Self.refusal(key: Self.otherKey) == 700_027)
        #expect(try Self.refusal(header: ["kid": "k2"]) == 700_027)
        #expect(try Self.refusal(algorithm: .ps256) == 700_027)
        #expect(try Self.refusal(["exp": 0], key: Self.otherKey) == 700_027)
        let other = try Self.credential(issuer: "https://other.example", key: Self.otherKey)
        #expect(
            try Self.refusal(key: Self.otherKey, credentials: [other, Self.credential()])
                == 700_027
        )
    }

    @Test func `without a credential nothing is believed`() throws {
        #expect(try Self.refusal(credentials: []) == 70_021)
    }
}
