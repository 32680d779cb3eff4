import Jansson
import OpenSSL
import Testing

@testable import JOSE

@Suite struct SignatureAlgorithmTests {
    static let both: Set<SignatureAlgorithm> = [.rs256, .ps256]
    private static let key = try? RSAPrivateKey()

    private static func certificate() throws -> Certificate {
        try Certificate.selfSigned(by: #require(key), commonName: "test", days: 1)
    }

    private static func token(
        _ header: JSON.Members = [:],
        _ algorithm: SignatureAlgorithm
    ) throws -> String {
        var header = header
        if header["alg"] == nil { header["alg"] = .string(algorithm.rawValue) }
        return try JSONWebSignature.sign(
            ["a": 1],
            header: header,
            algorithm: algorithm,
            with: #require(key)
        )
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .ps256])
    func `what is signed is verified, and the header tells how`(
        algorithm: SignatureAlgorithm
    ) throws {
        let token = try Self.token(["kid": "k", "x5t": "a", "x5t#S256": "b="], algorithm)
        let signature = try #require(JSONWebSignature(compact: token, accepting: Self.both))
        let header = signature.unverifiedHeader
        #expect(header.algorithm == algorithm && header.keyID == "k")
        #expect(header.certificateThumbprint == "a" && header.certificateThumbprintSHA256 == "b=")
        let payload = signature.verified(by: JSONWebKey(try Self.certificate(), for: Self.both))
        #expect(payload?.bytes == Array("{\"a\":1}".utf8))
    }

    @Test func `without a word about it, RS256 is the only one`() throws {
        #expect(try JSONWebSignature(compact: Self.token([:], .rs256)) != nil)
        #expect(try JSONWebSignature(compact: Self.token([:], .ps256)) == nil)
        #expect(
            try JSONWebSignature(compact: Self.token([:], .rs256), accepting: [.ps256]) == nil
        )
    }

    @Test func `a key verifies its own algorithms, whatever was accepted`() throws {
        let token = try Self.token([:], .ps256)
        let signature = try #require(JSONWebSignature(compact: token, accepting: Self.both))
        #expect(signature.verified(by: JSONWebKey(try Self.certificate(), for: [.rs256])) == nil)
        let key = try #require(Self.key)
        var json: JSON.Members = [
            "kty": "RSA", "n": .string(Base64URL.encode(key.modulus)),
            "e": .string(Base64URL.encode(key.exponent)),
        ]
        // A key that names no algorithm verifies those of its kind.
        for (name, isRight) in [(nil, true), ("PS256", true), ("RS256", false)] as [(String?, Bool)]
        {
            json["alg"] = name.map(JSON.string)
            let payload = signature.verified(by: try #require(JSONWebKey(.object(json))))
            #expect((payload != nil) == isRight, "\(name ?? "")")
        }
        for name in ["ES256", "Ed25519", "EdDSA", "none", "HS256", "RS512"] {
            json["alg"] = .string(name)
            #expect(JSONWebKey(.object(json)) == nil)
        }
    }

    /// RFC 8725, section 2.1: a header that lies about the algorithm.
    @Test(arguments: [("RS256", SignatureAlgorithm.ps256), ("PS256", .rs256)])
    func `a signature of the other algorithm is none`(
        name: String,
        actual: SignatureAlgorithm
    ) throws {
        let token = try Self.token(["alg": .string(name)], actual)
        let signature = try #require(JSONWebSignature(compact: token, accepting: Self.both))
        #expect(signature.unverifiedHeader.algorithm != actual)
        #expect(signature.verified(by: JSONWebKey(try Self.certificate(), for: Self.both)) == nil)
    }

    @Test(
        arguments: [
            ["alg": "none"], ["alg": "HS256"], ["alg": "ps256"], ["alg": "PS384"], ["alg": 5],
            ["crit": []], ["typ": "at+jwt"], ["kid": ""], ["kid": 7], ["x5t": 7], ["x5t": ""],
            ["x5t#S256": true], ["x5t#S256": .string(String(repeating: "a", count: 257))],
        ] as [JSON.Members]
    )
    func `a header that asks for anything else is refused`(header: JSON.Members) throws {
        let token = try Self.token(header, .ps256)
        #expect(JSONWebSignature(compact: token, accepting: Self.both) == nil)
    }
}
