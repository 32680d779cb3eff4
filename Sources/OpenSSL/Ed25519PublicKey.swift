import COpenSSL

/// A key that verifies signatures of Ed25519 (RFC 8032).
///
/// The C object is only read after its creation, and OpenSSL allows readers on several threads
/// (openssl-threads(7)), hence `@unchecked Sendable`.
@safe public final class Ed25519PublicKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Reads the first public key of a text: SubjectPublicKeyInfo in PEM.
    public init(pem text: [UInt8]) throws(KeyRejection) {
        let key = try unsafe PEM.read(text, absent: .noPublicKey, with: unsafe PEM_read_bio_PUBKEY)
        unsafe self.key = unsafe key
        guard unsafe EVP_PKEY_is_a(key, "ED25519") == 1 else { throw .notEd25519 }
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Whether `signature` is one of this key over `message`.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        let isValid =
            unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        ERR_clear_error()
        return isValid
    }
}
