import COpenSSL

/// An RSA key that verifies signatures.
///
/// The C object is only read after its creation, and OpenSSL allows readers on several threads
/// (openssl-threads(7)), hence `@unchecked Sendable`.
@safe public final class RSAPublicKey: @unchecked Sendable {
    let key: OpaquePointer

    /// Length of the modulus in bits.
    public var bits: Int { Int(unsafe EVP_PKEY_get_bits(key)) }

    /// The lengths of a modulus in bits that are safe and do not keep a core busy.
    public static let modulusBits = 2048...8192

    /// Makes a key from a modulus and an exponent, both big-endian (RFC 7518, section 6.3.1), or
    /// returns `nil` if they are not a safe RSA key.
    ///
    /// With an exponent of 1, every message is its own signature, and anybody can sign. An even
    /// exponent has no private key (RFC 8017, section 3.1), and an even modulus is not the product
    /// of two odd primes.
    public init?(modulus: [UInt8], exponent: [UInt8]) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard
            modulus.count * 8 <= Self.modulusBits.upperBound, modulus.last.map({ $0 & 1 }) == 1,
            (1...8).contains(exponent.count), exponent.last.map({ $0 & 1 }) == 1, exponent != [1]
        else { return nil }
        let n = unsafe BN_bin2bn(modulus, Int32(modulus.count), nil)
        let e = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil)
        let builder = unsafe OSSL_PARAM_BLD_new()
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer {
            unsafe BN_free(n)
            unsafe BN_free(e)
            unsafe OSSL_PARAM_BLD_free(builder)
            unsafe EVP_PKEY_CTX_free(context)
        }
        guard
            unsafe shim_push_rsa(builder, n, e) == 1,
            let parameters = unsafe OSSL_PARAM_BLD_to_param(builder)
        else {
            ERR_clear_error()
            return nil
        }
        defer { unsafe OSSL_PARAM_free(parameters) }
        var made: OpaquePointer?
        guard
            unsafe EVP_PKEY_fromdata_init(context) == 1,
            unsafe EVP_PKEY_fromdata(context, &made, shim_public_key_selection(), parameters) == 1,
            let key = unsafe made
        else {
            ERR_clear_error()
            return nil
        }
        unsafe self.key = unsafe key
        guard Self.modulusBits.contains(bits) else { return nil }
    }

    /// Shares a key that another object owns.
    init(sharing key: OpaquePointer) throws(KeyRejection) {
        unsafe EVP_PKEY_up_ref(key)
        unsafe self.key = unsafe key
        try unsafe KeyRejection.check(key)
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Whether `signature` is a signature of that scheme over the SHA-256 of `message`.
    public func verifies(
        _ signature: [UInt8],
        of message: [UInt8],
        scheme: RSASignatureScheme
    ) -> Bool {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        // The digest's context owns the settings.
        var settings: OpaquePointer?
        let genuine =
            unsafe EVP_DigestVerifyInit(context, &settings, EVP_sha256(), nil, key) == 1
            && scheme.configure(settings)
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        ERR_clear_error()
        return genuine
    }
}
