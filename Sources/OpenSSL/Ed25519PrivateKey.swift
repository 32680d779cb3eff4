import COpenSSL

/// A key that signs with Ed25519 (RFC 8032).
///
/// The C object is only read after its creation, and OpenSSL allows readers on several threads
/// (openssl-threads(7)), hence `@unchecked Sendable`.
@safe public final class Ed25519PrivateKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// The public key as RFC 8032 writes it: 32 bytes.
    public let publicKey: [UInt8]

    /// - Parameter seed: 32 secret bytes; the same seed makes the same key.
    public init(seed: [UInt8]) {
        precondition(seed.count == 32, "an Ed25519 key is made from 32 bytes")
        guard let key = unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, 32) else {
            preconditionFailure("Ed25519 is not available")
        }
        unsafe self.key = unsafe key
        var bytes = [UInt8](repeating: 0, count: 32)
        var length = 32
        let found = unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &length) == 1
        precondition(found && length == 32, "an Ed25519 key has a public half")
        publicKey = bytes
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The signature over `message`: 64 bytes, always the same for the same message.
    public func signature(of message: [UInt8]) -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var length = 64
        let done =
            unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1
            && EVP_DigestSign(context, &signature, &length, message, message.count) == 1
        precondition(done && length == 64, "Ed25519 is not available")
        return signature
    }
}
