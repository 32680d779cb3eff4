import COpenSSL

/// The signature schemes, all but Ed25519 with SHA-256.
public enum SignatureScheme: Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2).
    case pkcs1
    /// RSASSA-PSS with MGF1-SHA-256 and a salt of 32 bytes (RFC 8017, section 8.1; RFC 7518,
    /// section 3.5).
    case pss
    /// ECDSA with P-256; the signature is both numbers with 32 bytes each (RFC 7518, section 3.4).
    case ecdsa
    /// Ed25519 (RFC 8032).
    case ed25519

    /// The digest of the message; Ed25519 has its own.
    var digest: OpaquePointer? { self == .ed25519 ? nil : unsafe EVP_sha256() }

    /// Configures the context that `EVP_DigestSignInit` or `EVP_DigestVerifyInit` created for a
    /// key, or returns `false`.
    func configure(_ context: OpaquePointer?, for key: OpaquePointer) -> Bool {
        switch self {
        case .pkcs1:
            // Fails for a key of another kind, as the next case does.
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        case .pss:
            // A verifier without a salt length accepts any, and RFC 7518 allows one.
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, 32) == 1
        case .ecdsa: return unsafe EVP_PKEY_is_a(key, "EC") == 1
        case .ed25519: return unsafe EVP_PKEY_is_a(key, "ED25519") == 1
        }
    }

    /// A signature as OpenSSL reads it, or `nil` if its length is wrong.
    func encoded(_ signature: [UInt8]) -> [UInt8]? {
        guard self == .ecdsa else { return signature }
        guard signature.count == 64 else { return nil }
        // DER (RFC 3279, section 2.2.3): a sequence of two numbers in as few bytes as possible, whose
        // first bit is their sign.
        let numbers = [signature[..<32], signature[32...]].flatMap { number -> [UInt8] in
            var bytes = Array(number.drop { $0 == 0 })
            if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
            return [0x02, UInt8(bytes.count)] + bytes
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }
}
