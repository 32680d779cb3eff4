import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce in front and a 128-bit tag behind.
public struct AuthenticatedCipher: Sendable {
    public static let nonceLength = 12
    public static let tagLength = 16

    private let key: [UInt8]

    public init(key: [UInt8]) {
        precondition(key.count == 32, "an AES-256 key has 32 bytes")
        self.key = key
    }

    /// Nonce, ciphertext and tag; `associated` is protected without being part of it.
    public func seal(
        _ plaintext: [UInt8],
        associated: [UInt8],
        nonce: [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        precondition(nonce.count == Self.nonceLength, "a GCM nonce has 12 bytes")
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: Self.tagLength)
        var length: Int32 = 0
        let done =
            unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
            && EVP_EncryptUpdate(context, nil, &length, associated, Int32(associated.count)) == 1
            && EVP_EncryptUpdate(context, &sealed, &length, plaintext, Int32(plaintext.count)) == 1
            && EVP_EncryptFinal_ex(context, nil, &length) == 1
            && EVP_CIPHER_CTX_ctrl(
                context,
                EVP_CTRL_AEAD_GET_TAG,
                Int32(Self.tagLength),
                &tag
            ) == 1
        guard done else { throw OpenSSLError("AES-256-GCM encryption") }
        return nonce + sealed + tag
    }

    /// The plaintext, or `nil` if any bit differs from what was sealed.
    ///
    /// All kinds of damage have the same answer: to distinguish them would tell an attacker which
    /// of them to work on.
    public func open(_ sealed: [UInt8], associated: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.nonceLength + Self.tagLength else { return nil }
        let nonce = Array(sealed[..<Self.nonceLength])
        let ciphertext = Array(sealed[Self.nonceLength..<(sealed.count - Self.tagLength)])
        var tag = Array(sealed[(sealed.count - Self.tagLength)...])
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        // One spare byte, so that OpenSSL never gets the address of an empty array.
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count + 1)
        var length: Int32 = 0
        let genuine =
            unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
            && EVP_DecryptUpdate(context, nil, &length, associated, Int32(associated.count)) == 1
            && EVP_DecryptUpdate(
                context,
                &plaintext,
                &length,
                ciphertext,
                Int32(ciphertext.count)
            ) == 1
            && EVP_CIPHER_CTX_ctrl(
                context,
                EVP_CTRL_AEAD_SET_TAG,
                Int32(Self.tagLength),
                &tag
            ) == 1
            && EVP_DecryptFinal_ex(context, nil, &length) == 1
        guard genuine else {
            ERR_clear_error()
            return nil
        }
        plaintext.removeLast()
        return plaintext
    }
}
