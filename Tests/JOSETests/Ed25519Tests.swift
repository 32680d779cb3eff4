import JOSE
import Jansson
import OpenSSL
import Testing

/// RFC 8037, appendix A: one key, its name, and a message that it signs.
@Suite struct Ed25519Tests {
    private func key() throws -> Ed25519PrivateKey {
        let seed = Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")
        return Ed25519PrivateKey(seed: try #require(seed))
    }

    @Test func `others read the public half under the name that they would give it`() throws {
        let json = JSONWebKey.json(of: try key())
        #expect(json["kty"]?.string == "OKP" && json["crv"]?.string == "Ed25519")
        #expect(json["x"]?.string == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        #expect(json["kid"]?.string == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        // The private half is called 'd'.
        #expect(json["d"] == nil)
    }

    @Test func `a claim set is signed over its encoded form`() throws {
        let token = JSONWebSignature.sign(
            ["sub": "a"],
            header: ["alg": "EdDSA"],
            with: try key()
        )
        let parts = token.split(separator: ".")
        #expect(parts[0] == "eyJhbGciOiJFZERTQSJ9")
        #expect(parts[1] == Base64URL.encode(Array(#"{"sub":"a"}"#.utf8))[...])
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        #expect(Base64URL.decode(parts[2]) == (try key()).signature(of: signed))
    }
}
