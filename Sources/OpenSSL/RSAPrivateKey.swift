import COpenSSL

/// An RSA key that signs.
///
/// The C object is only read after its creation, and OpenSSL allows readers on several threads
/// (openssl-threads(7)), hence `@unchecked Sendable`.
@safe public final class RSAPrivateKey: @unchecked Sendable {
    let key: OpaquePointer

    /// Creates a new key.
    public init(bits: Int = 2048) throws(OpenSSLError) {
        guard let key = unsafe shim_rsa_generate(UInt32(bits)) else {
            throw OpenSSLError("EVP_RSA_gen")
        }
        unsafe self.key = unsafe key
    }

    /// Reads the first private key of a text: PKCS #8 or PKCS #1 in PEM, without a passphrase.
    public init(pem text: [UInt8]) throws(KeyRejection) {
        let key = try unsafe PEM.read(
            text,
            absent: .noPrivateKey,
            with: unsafe PEM_read_bio_PrivateKey
        )
        unsafe self.key = unsafe key
        try unsafe KeyRejection.check(key)
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The modulus, big-endian without leading zeros.
    public var modulus: [UInt8] { number(OSSL_PKEY_PARAM_RSA_N) }

    /// The public exponent, big-endian without leading zeros.
    public var exponent: [UInt8] { number(OSSL_PKEY_PARAM_RSA_E) }

    /// Whether the key belongs to `certificate`.
    public func belongs(to certificate: Certificate) -> Bool {
        let isSame = unsafe EVP_PKEY_eq(key, certificate.publicKey.key) == 1
        ERR_clear_error()
        return isSame
    }

    /// The signature over the SHA-256 of `message`; schemes of other keys throw.
    public func signature(
        of message: [UInt8],
        scheme: SignatureScheme
    ) throws(OpenSSLError) -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var length = Int(unsafe EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: length)
        // The digest's context owns the settings.
        var settings: OpaquePointer?
        guard
            unsafe EVP_DigestSignInit(context, &settings, scheme.digest, nil, key) == 1,
            unsafe scheme.configure(settings, for: key),
            unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1
        else { throw OpenSSLError("EVP_DigestSign") }
        return Array(signature[..<length])
    }

    private func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1 else { return [] }
        defer { unsafe BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(number) + 7) / 8)
        unsafe BN_bn2bin(number, &bytes)
        return bytes
    }
}
