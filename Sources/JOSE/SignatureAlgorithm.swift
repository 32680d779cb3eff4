import OpenSSL

/// The supported signature algorithms, named as in a header (RFC 7518, section 3.1).
///
/// `none` and the HMAC algorithms are not cases, so no header can choose them.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3).
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256 (RFC 7518, section 3.5), which Entra takes in client assertions.
    case ps256 = "PS256"

    var scheme: RSASignatureScheme {
        switch self {
        case .rs256: .pkcs1
        case .ps256: .pss
        }
    }
}
