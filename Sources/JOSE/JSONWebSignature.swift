import Jansson
import OpenSSL

/// A signed message in compact form (RFC 7515, section 3.1) before its verification.
///
/// The payload is private: only ``verified(by:)`` returns one.
public struct JSONWebSignature: Sendable {
    /// The header, of which `kid` matters most.
    public let unverifiedHeader: UnverifiedHeader

    private let payload: [UInt8]
    private let signature: [UInt8]
    private let signingInput: [UInt8]

    /// Parses a message, or returns `nil` if the text is not one or names another algorithm; Entra
    /// signs with RS256.
    ///
    /// The key must support the header's algorithm as well before the message is verified.
    ///
    /// - Parameter types: what `typ` may be, in lower case; it may be missing.
    public init?(
        compact text: String,
        accepting algorithms: Set<SignatureAlgorithm> = [.rs256],
        types: Set<String> = ["jwt"]
    ) {
        guard text.utf8.count <= 256 << 10 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let headerBytes = Base64URL.decode(parts[0]),
            let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty,
            let json = try? JSON(parsing: headerBytes),
            let header = UnverifiedHeader(json, accepting: algorithms, types: types)
        else { return nil }
        unverifiedHeader = header
        self.payload = payload
        self.signature = signature
        signingInput = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
    }

    /// The `alg` of a message that ``init(compact:)`` refuses because it is not accepted, for the
    /// operator's log; `nil` if the text is not a token, or has another mistake.
    public static func unverifiedAlgorithm(
        of text: String,
        accepting algorithms: Set<SignatureAlgorithm> = [.rs256]
    ) -> String? {
        guard text.utf8.count <= 256 << 10 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, let header = Base64URL.decode(parts[0]),
            let members = (try? JSON(parsing: header))?.members,
            let name = try? members.text("alg"), !name.isEmpty, name.utf8.count <= 32,
            SignatureAlgorithm(named: name).map(algorithms.contains) != true,
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "'") })
        else { return nil }
        return name
    }

    /// The payload, if `key` made the signature.
    public func verified(by key: JSONWebKey) -> VerifiedPayload? {
        let algorithm = unverifiedHeader.algorithm
        guard key.verifies(signature, of: signingInput, algorithm: algorithm) else { return nil }
        return VerifiedPayload(bytes: payload, key: key)
    }

    /// Signs a payload.
    ///
    /// The header is written unchanged, and the caller puts `alg` there: the emulator and the tests
    /// must be able to lie.
    public static func sign(
        _ payload: JSON,
        header: JSON.Members,
        algorithm: SignatureAlgorithm = .rs256,
        with key: RSAPrivateKey
    ) throws(OpenSSLError) -> String {
        let head = Base64URL.encode(Array(JSON.object(header).text.utf8))
        let body = Base64URL.encode(Array(payload.text.utf8))
        let signature = try key.signature(
            of: Array("\(head).\(body)".utf8),
            scheme: algorithm.scheme
        )
        return "\(head).\(body).\(Base64URL.encode(signature))"
    }
}

/// A payload whose signature was verified.
///
/// Only ``JSONWebSignature/verified(by:)`` creates one.
public struct VerifiedPayload: Sendable {
    public let bytes: [UInt8]
    /// The key that made the signature.
    public let key: JSONWebKey

    fileprivate init(bytes: [UInt8], key: JSONWebKey) {
        self.bytes = bytes
        self.key = key
    }
}
