import JOSE
import Jansson
import OpenSSL

/// The key that signs ID tokens, named as Entra names its keys.
public struct SigningKey: Sendable {
    private let key: RSAPrivateKey
    private let certificate: Certificate

    /// `kid`: base64url of the SHA-1 of the certificate.
    let keyID: String

    /// Makes a fresh key with a self-signed certificate.
    public init() throws(OpenSSLError) {
        key = try RSAPrivateKey()
        certificate = try Certificate.selfSigned(
            by: key,
            commonName: "accounts.accesscontrol.windows.net",
            days: 5 * 365
        )
        keyID = Base64URL.encode(Digest.sha1(certificate.der))
    }

    /// The key as the key set has it.
    ///
    /// There is no `alg`, and Microsoft's own `issuer` is.
    func webKey(issuer: String) -> JSON {
        [
            "kty": "RSA",
            "use": "sig",
            "kid": .string(keyID),
            "x5t": .string(keyID),
            "n": .string(Base64URL.encode(key.modulus)),
            "e": .string(Base64URL.encode(key.exponent)),
            "x5c": [.string(Base64URL.encodeStandard(certificate.der))],
            "cloud_instance_name": "microsoftonline.com",
            "issuer": .string(issuer),
        ]
    }

    /// A token with the header of the v2.0 endpoint: `kid`, and no `x5t`.
    func sign(_ claims: JSON) throws(OpenSSLError) -> String {
        try JSONWebSignature.sign(
            claims,
            header: ["typ": "JWT", "alg": "RS256", "kid": .string(keyID)],
            with: key
        )
    }
}
