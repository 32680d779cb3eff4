import Jansson
import OpenSSL

/// A signed message in compact form (RFC 7515, section 3.1), not verified yet.
///
/// Its payload cannot be read: only ``verified(by:)`` hands one out.
public struct JSONWebSignature: Sendable {
    /// The one algorithm there is here: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3).
    ///
    /// `none` and the HMAC algorithms cannot even be named, so no header can choose them.
    public static let algorithm = "RS256"

    /// `kid` of the header.
    public let keyID: String?

    private let payload: [UInt8]
    private let signature: [UInt8]
    private let signingInput: [UInt8]

    /// Takes a message apart, or returns `nil` if it is not one, or names another algorithm.
    ///
    /// Keys that the header brings along or points at (`jwk`, `jku`, `x5u`, `x5c`) are not looked
    /// at; `crit` is refused (RFC 7515, section 4.1.11), for we understand no extension.
    public init?(compact text: String) {
        guard text.utf8.count <= 256 << 10 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let headerBytes = Base64URL.decode(parts[0]),
            let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty,
            let header = try? JSON(parsing: headerBytes),
            header["alg"]?.string == Self.algorithm,
            header["crit"] == nil,
            header["typ"] == nil || header["typ"]?.string == "JWT"
        else { return nil }
        if let name = header["kid"] {
            guard let name = name.string, !name.isEmpty, name.utf8.count <= 256 else { return nil }
            keyID = name
        } else {
            keyID = nil
        }
        self.payload = payload
        self.signature = signature
        signingInput = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
    }

    /// The payload, if `key` made the signature.
    public func verified(by key: JSONWebKey) -> VerifiedPayload? {
        guard key.verifies(signature, of: signingInput) else { return nil }
        return VerifiedPayload(bytes: payload, key: key)
    }

    /// Signs a payload.
    public static func sign(
        _ payload: JSON,
        header: JSON.Members,
        with key: RSAPrivateKey
    ) throws(OpenSSLError) -> String {
        let head = Base64URL.encode(Array(JSON.object(header).text.utf8))
        let body = Base64URL.encode(Array(payload.text.utf8))
        let signature = try key.signature(
            of: Array("\(head).\(body)".utf8),
            scheme: .pkcs1
        )
        return "\(head).\(body).\(Base64URL.encode(signature))"
    }
}

/// What a key that we trust has signed.
///
/// Only ``JSONWebSignature/verified(by:)`` makes one.
public struct VerifiedPayload: Sendable {
    public let bytes: [UInt8]
    /// The key that made the signature.
    public let key: JSONWebKey

    fileprivate init(bytes: [UInt8], key: JSONWebKey) {
        self.bytes = bytes
        self.key = key
    }
}
