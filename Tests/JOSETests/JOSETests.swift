import Jansson
import OpenSSL
import Testing

@testable import JOSE

@Suite struct Base64URLTests {
    /// RFC 4648, section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ])
    func `bytes and their text`(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    @Test(arguments: [
        "Z", "Zg=", "Zg==", "Zh", "Zm9", "Zm9v+", "Zm9/", "Zm 8", "Zm8\n", "Zm9vY", "é",
    ])
    func `another spelling of the same bytes is none`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `every byte comes back`() {
        for length in 0..<70 {
            let bytes = RandomBytes.next(length)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        #expect(Base64URL.encodeStandard([0xFB, 0xFF]) == "+/8=")
    }
}

@Suite struct JSONWebSignatureTests {
    /// RFC 7515, appendix A.2.
    static let modulus =
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
    static let token =
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"

    /// RFC 7515, appendix A.3.
    static let elliptic: JSON = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
    static let ellipticToken =
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    @Test func `the examples of the RFCs hold with their own algorithms`() throws {
        let key = try #require(JSONWebKey(Self.elliptic))
        let signature = try #require(
            JSONWebSignature(compact: Self.ellipticToken, accepting: [.es256])
        )
        #expect(signature.verified(by: key) != nil)
        #expect(JSONWebSignature(compact: Self.ellipticToken) == nil)
        let token = String(Self.ellipticToken.dropLast(4) + "AAAA")
        #expect(JSONWebSignature(compact: token, accepting: [.es256])?.verified(by: key) == nil)
        // RFC 8037, appendix A.4.
        let edwards = try #require(
            JSONWebKey([
                "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            ])
        )
        let text =
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        let message = try #require(JSONWebSignature(compact: text, accepting: [.ed25519]))
        #expect(message.unverifiedHeader.algorithm == .ed25519)
        #expect(message.verified(by: edwards) != nil && message.verified(by: key) == nil)
    }

    private static func key(_ changes: JSON.Members = [:]) -> JSONWebKey? {
        var members: JSON.Members = ["kty": "RSA", "n": .string(modulus), "e": "AQAB"]
        for name in changes.names { members[name] = changes[name] }
        return JSONWebKey(.object(members))
    }

    @Test func `the example of the RFC holds`() throws {
        let signature = try #require(JSONWebSignature(compact: Self.token))
        let key = try #require(Self.key())
        let payload = try #require(signature.verified(by: key))
        #expect(String(decoding: payload.bytes, as: UTF8.self).contains("\"iss\":\"joe\""))
    }

    @Test func `one other character anywhere and it does not`() throws {
        let key = try #require(Self.key())
        let characters = Array(Self.token.utf8)
        for index in stride(from: 0, to: characters.count, by: 7) where characters[index] != 46 {
            var changed = characters
            changed[index] = changed[index] == 65 ? 66 : 65
            let text = String(decoding: changed, as: UTF8.self)
            #expect(JSONWebSignature(compact: text)?.verified(by: key) == nil)
        }
    }

    /// Hostile inputs HO-09: keys that are none, or not for this.
    @Test(
        arguments: [
            ["kty": "EC"], ["use": "enc"], ["alg": "RS512"], ["n": "AQAB"], ["n": ""], ["e": ""],
            ["n": "not base64!"], ["n": 5], ["kty": "oct", "k": "c2VjcmV0"],
            ["key_ops": ["sign"]], ["key_ops": []], ["key_ops": "verify"],
            ["key_ops": ["verify", 1]],
            ["use": .null], ["use": ["sig"]], ["use": ""], ["alg": .null], ["alg": ["RS256"]],
            ["kid": 7], ["kid": .null], ["kid": ""], ["issuer": 7], ["issuer": .null],
            ["issuer": ""],
            ["cloud_instance_name": ["a"]], ["cloud_instance_name": .null],
            ["d": "AQAB"], ["d": .null], ["p": "AQAB"], ["oth": []], ["k": "c2VjcmV0"],
        ] as [JSON.Members]
    )
    func `what is no RSA key for signatures is left out`(changes: JSON.Members) {
        #expect(Self.key(changes) == nil)
    }

    /// With an exponent of 1, the padded digest of a message is its signature.
    @Test(arguments: [
        "AA", "AQ", "AAAB", "Ag", "BA", "AQAA", "AQABAQABAQAB",
    ])
    func `a key by which anybody can sign, or nobody, is none`(exponent: String) {
        #expect(Self.key(["e": .string(exponent)]) == nil)
    }

    @Test(arguments: ["Aw", "AQAB", "AAEAAQ"])
    func `an odd exponent from 3 is one, with zeros before it as well`(exponent: String) {
        #expect(Self.key(["e": .string(exponent)]) != nil)
    }

    @Test func `a modulus is odd and has 2048 to 8192 bits`() throws {
        func modulus(_ count: Int, first: UInt8 = 0x80, last: UInt8 = 1) -> JSON {
            let middle = [UInt8](repeating: 0x55, count: count - 2)
            return .string(Base64URL.encode([first] + middle + [last]))
        }
        #expect(Self.key(["n": modulus(256)]) != nil)
        #expect(Self.key(["n": modulus(1024)]) != nil)
        #expect(Self.key(["n": modulus(256, first: 0x7F)]) == nil)
        #expect(Self.key(["n": modulus(257, first: 0, last: 1)]) == nil)
        #expect(Self.key(["n": modulus(256, last: 2)]) == nil)
        #expect(Self.key(["n": modulus(1025)]) == nil)
        #expect(Self.key(["n": modulus(2048)]) == nil)
    }

    @Test func `operations of a key may be told`() {
        #expect(Self.key(["key_ops": ["verify"], "use": "sig", "alg": "RS256"]) != nil)
        #expect(Self.key(["key_ops": ["encrypt", "verify"]]) != nil)
    }

    @Test func `a set of keys has at most a thousand, and at least one that we can use`() {
        func set(_ keys: [JSON]) -> JSONWebKeySet? {
            JSONWebKeySet(parsing: Array(JSON.object(["keys": .array(keys)]).text.utf8))
        }
        let good: JSON = ["kty": "RSA", "n": .string(Self.modulus), "e": "AQAB", "kid": "a"]
        #expect(set([good, ["kty": "EC"]])?.keys(named: "a").count == 1)
        #expect(set([good])?.keys(named: "").isEmpty == true)
        #expect(set([["kty": "EC"]]) == nil)
        #expect(set([]) == nil)
        #expect(set(Array(repeating: ["kty": "EC"], count: 1001) + [good]) == nil)
    }

    /// OpenID Connect Core 1.0, section 10.1.
    @Test func `a token that names no key is of the only key for signing, and of none of several`()
    {
        func only(_ keys: [JSON], _ text: String = Self.token) -> JSONWebKey? {
            let set = JSONWebKeySet(parsing: Array(JSON.object(["keys": .array(keys)]).text.utf8))
            let header = JSONWebSignature(compact: text, accepting: [.rs256, .es256])?
                .unverifiedHeader
            return header.flatMap { set?.candidates(for: $0).first }
        }
        let good: JSON = ["kty": "RSA", "n": .string(Self.modulus), "e": "AQAB"]
        let others: [JSON] = [
            ["kty": "EC"], ["kty": "OKP"], ["kty": "AKP", "alg": "ML-DSA-999"],
            ["kty": "RSA", "n": .string(Self.modulus), "e": "AQAB", "use": "enc"],
        ]
        #expect(only([good]) != nil && only(others + [good]) != nil)
        #expect(only([good, good]) == nil)
        // Keys for other algorithms are beside the matter.
        let other = Self.elliptic
        #expect(only([good, other]) != nil && only([other]) == nil)
        let token = Self.ellipticToken
        #expect(only([good, other], token) != nil && only([other, other], token) == nil)
    }
}
