import OpenSSL

/// The supported signature algorithms, named as in a header (RFC 7518, section 3.1).
///
/// `none` and the HMAC algorithms are not cases, so no header can choose them.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3).
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256 (RFC 7518, section 3.5), which Entra takes in client assertions.
    case ps256 = "PS256"
    /// ECDSA with P-256 and SHA-256 (RFC 7518, section 3.4).
    case es256 = "ES256"
    /// Ed25519 (RFC 9864, section 2.2).
    case ed25519 = "Ed25519"

    /// The algorithm that a header or key names.
    ///
    /// `EdDSA` is the older name for signatures of Ed25519 and Ed448 (RFC 8037, section 3.1); keys
    /// for Ed448 are not supported.
    public init?(named name: String) {
        self.init(rawValue: name == "EdDSA" ? SignatureAlgorithm.ed25519.rawValue : name)
    }

    var scheme: SignatureScheme {
        switch self {
        case .rs256: .pkcs1
        case .ps256: .pss
        case .es256: .ecdsa
        case .ed25519: .ed25519
        }
    }
}

extension Set<SignatureAlgorithm> {
    /// The names for a message: `'RS256' or 'ES256'`.
    public var names: String {
        SignatureAlgorithm.allCases.filter(contains).map { "'\($0.rawValue)'" }
            .joined(separator: " or ")
    }
}
