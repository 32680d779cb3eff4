import JOSE
import Jansson
import OpenSSL

/// A key that signs tokens, with an id in Entra's format.
public struct SigningKey: Sendable {
    private let key: RSAPrivateKey
    private let certificate: [UInt8]

    /// `kid`: base64url of the SHA-1 of the certificate.
    let keyID: String

    /// Creates a new key with a self-signed certificate.
    public init(commonName: String) throws(OpenSSLError) {
        key = try RSAPrivateKey()
        certificate = try Certificate.selfSigned(by: key, commonName: commonName, days: 5 * 365).der
        keyID = Base64URL.encode(Digest.sha1(certificate))
    }

    /// The key as a JSON Web Key, without `alg` as at Entra.
    ///
    /// - Parameters:
    ///   - issuer: Microsoft's member for the issuer whose tokens the key may sign.
    ///   - cloud: `cloud_instance_name`, Microsoft's too.
    func webKey(issuer: String?, cloud: String?) -> JSON {
        var members: JSON.Members = [
            "kty": "RSA",
            "use": "sig",
            "kid": .string(keyID),
            "x5t": .string(keyID),
            "n": .string(Base64URL.encode(key.modulus)),
            "e": .string(Base64URL.encode(key.exponent)),
            "x5c": [.string(Base64URL.encodeStandard(certificate))],
        ]
        members["cloud_instance_name"] = cloud.map(JSON.string)
        members["issuer"] = issuer.map(JSON.string)
        return .object(members)
    }

    /// Signs claims as the v2.0 endpoint does: with `kid`, without `x5t`.
    func sign(_ claims: JSON) throws(OpenSSLError) -> String {
        try sign(Array(claims.text.utf8))
    }

    /// Signs claims given as bytes, which need not be valid JSON.
    ///
    /// - Parameter isVersion1: whether the header is that of the v1.0 endpoint, with an `x5t`.
    func sign(_ claims: [UInt8], isVersion1: Bool = false) throws(OpenSSLError) -> String {
        var header: JSON.Members = ["typ": "JWT", "alg": "RS256"]
        if isVersion1 { header["x5t"] = .string(keyID) }
        header["kid"] = .string(keyID)
        let text = Array(JSON.object(header).text.utf8)
        let input = "\(Base64URL.encode(text)).\(Base64URL.encode(claims))"
        return
            "\(input).\(Base64URL.encode(try key.signature(of: Array(input.utf8), scheme: .pkcs1)))"
    }
}
