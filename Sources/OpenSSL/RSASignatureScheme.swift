import COpenSSL

/// The signature schemes of RSA keys, both with SHA-256.
public enum RSASignatureScheme: Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2).
    case pkcs1
    /// RSASSA-PSS with MGF1-SHA-256 and a salt of 32 bytes (RFC 8017, section 8.1; RFC 7518,
    /// section 3.5).
    case pss

    /// Configures the context that `EVP_DigestSignInit` or `EVP_DigestVerifyInit` created, or
    /// returns `false`.
    func configure(_ context: OpaquePointer?) -> Bool {
        switch self {
        case .pkcs1:
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        case .pss:
            // A verifier without a salt length accepts any, and RFC 7518 allows one.
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, 32) == 1
        }
    }
}
