import COpenSSL

/// An RSA key that signs, with a self-signed certificate that names it.
///
/// The C objects are only read after they were made, and OpenSSL allows readers on several threads
/// (openssl-threads(7)), hence `@unchecked Sendable`.
@safe public final class RSAPrivateKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// The certificate, DER (RFC 5280).
    public let certificate: [UInt8]

    /// Makes a fresh key.
    ///
    /// - Parameter commonName: the name in the certificate, as subject and as issuer.
    public init(bits: Int = 2048, commonName: String, days: Int) throws(OpenSSLError) {
        guard let key = unsafe shim_rsa_generate(UInt32(bits)) else {
            throw OpenSSLError("EVP_RSA_gen")
        }
        unsafe self.key = unsafe key
        certificate = unsafe try Self.selfSigned(key, commonName, days)
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The modulus, big-endian without leading zeros.
    public var modulus: [UInt8] { number(OSSL_PKEY_PARAM_RSA_N) }

    /// The public exponent, big-endian without leading zeros.
    public var exponent: [UInt8] { number(OSSL_PKEY_PARAM_RSA_E) }

    /// RSASSA-PKCS1-v1_5 with SHA-256 over `message` (RFC 8017, section 8.2.1).
    public func signature(of message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var length = Int(unsafe EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: length)
        guard
            unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
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

    private static func selfSigned(
        _ key: OpaquePointer,
        _ commonName: String,
        _ days: Int
    ) throws(OpenSSLError) -> [UInt8] {
        let certificate = unsafe X509_new()
        defer { unsafe X509_free(certificate) }
        let serial = Int(RandomBytes.next(4).reduce(1) { $0 << 8 | UInt64($1) })
        let name = unsafe X509_get_subject_name(certificate)
        let text = Array(commonName.utf8)
        guard
            unsafe X509_set_version(certificate, 2) == 1,
            unsafe ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial) == 1,
            unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != nil,
            unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), days * 86_400) != nil,
            unsafe X509_NAME_add_entry_by_txt(
                name,
                "CN",
                MBSTRING_FLAG,
                text,
                Int32(text.count),
                -1,
                0
            ) == 1,
            unsafe X509_set_issuer_name(certificate, name) == 1,
            unsafe X509_set_pubkey(certificate, key) == 1,
            unsafe X509_sign(certificate, key, EVP_sha256()) > 0
        else { throw OpenSSLError("X509_sign") }
        var der: UnsafeMutablePointer<UInt8>?
        let length = unsafe i2d_X509(certificate, &der)
        guard length > 0, let bytes = unsafe der else { throw OpenSSLError("i2d_X509") }
        defer { unsafe CRYPTO_free(bytes, nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }
}
