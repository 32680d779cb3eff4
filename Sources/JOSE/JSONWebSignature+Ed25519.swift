import Jansson
import OpenSSL

extension JSONWebSignature {
    /// Signs a payload with Ed25519 (RFC 8037, section 3.1).
    ///
    /// - Parameter header: the header, including `alg`: `EdDSA`, or `Ed25519` (RFC 9864).
    public static func sign(
        _ payload: JSON,
        header: JSON.Members,
        with key: Ed25519PrivateKey
    ) -> String {
        let head = Base64URL.encode(Array(JSON.object(header).text.utf8))
        let body = Base64URL.encode(Array(payload.text.utf8))
        let signature = key.signature(of: Array("\(head).\(body)".utf8))
        return "\(head).\(body).\(Base64URL.encode(signature))"
    }
}

extension JSONWebKey {
    /// The public half of a key as a JSON Web Key (RFC 8037, section 2).
    public static func json(of key: Ed25519PrivateKey, algorithm: String = "EdDSA") -> JSON {
        [
            "kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(key.publicKey)),
            "use": "sig", "alg": .string(algorithm), "kid": .string(thumbprint(of: key)),
        ]
    }

    /// The key's thumbprint (RFC 7638; RFC 8037, appendix A.3), used as its id.
    public static func thumbprint(of key: Ed25519PrivateKey) -> String {
        // The digest demands the members in the order of their names, without spaces.
        let x = Base64URL.encode(key.publicKey)
        let members = #"{"crv":"Ed25519","kty":"OKP","x":"\#(x)"}"#
        return Base64URL.encode(Digest.sha256(Array(members.utf8)))
    }
}
