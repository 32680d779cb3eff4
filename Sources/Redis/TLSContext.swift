import CTLS

/// Whom connections with TLS trust, and the certificate that they show; PEM texts.
public struct TLSSettings: Sendable, Equatable {
    /// The only authorities that count; `nil` for those of the machine.
    public var authorities: [UInt8]?
    public var certificate: [UInt8]?
    public var key: [UInt8]?

    public init(authorities: [UInt8]? = nil, certificate: [UInt8]? = nil, key: [UInt8]? = nil) {
        (self.authorities, self.certificate, self.key) = (authorities, certificate, key)
    }
}

/// The same for OpenSSL.
@safe final class TLSContext: @unchecked Sendable {
    let context: OpaquePointer

    init(_ settings: TLSSettings) throws(RedisError) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
            throw RedisError("OpenSSL cannot make a context for TLS")
        }
        unsafe self.context = unsafe context
        guard unsafe shim_require_tls12(context) == 1 else {
            throw RedisError("OpenSSL does not allow TLS 1.2")
        }
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        try trust(settings.authorities)
        if let certificate = settings.certificate, let key = settings.key {
            try show(certificate, key)
        }
        ERR_clear_error()
    }

    deinit { unsafe SSL_CTX_free(context) }

    private func trust(_ authorities: [UInt8]?) throws(RedisError) {
        guard let authorities else {
            guard unsafe SSL_CTX_set_default_verify_paths(context) == 1 else {
                throw RedisError("the certificate authorities of this machine cannot be read")
            }
            return
        }
        let store = unsafe SSL_CTX_get_cert_store(context)
        unsafe Self.forEachCertificate(in: authorities) { certificate in
            unsafe X509_STORE_add_cert(store, certificate)
            unsafe X509_free(certificate)
        }
    }

    private func show(_ certificate: [UInt8], _ key: [UInt8]) throws(RedisError) {
        var isFirst = true
        unsafe Self.forEachCertificate(in: certificate) { certificate in
            if isFirst {
                unsafe SSL_CTX_use_certificate(context, certificate)
                unsafe X509_free(certificate)
                isFirst = false
            } else if unsafe shim_add_chain_certificate(context, certificate) != 1 {
                unsafe X509_free(certificate)
            }
        }
        let isWhole = unsafe key.withUnsafeBytes { bytes in
            let input = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            defer { unsafe BIO_free(input) }
            let read = unsafe PEM_read_bio_PrivateKey(input, nil, { _, _, _, _ in -1 }, nil)
            guard let key = unsafe read else { return false }
            defer { unsafe EVP_PKEY_free(key) }
            return unsafe SSL_CTX_use_PrivateKey(context, key) == 1
        }
        guard !isFirst, isWhole, unsafe SSL_CTX_check_private_key(context) == 1 else {
            ERR_clear_error()
            throw RedisError("certificate and key do not belong together")
        }
    }

    private static func forEachCertificate(in pem: [UInt8], _ body: (OpaquePointer) -> Void) {
        unsafe pem.withUnsafeBytes { bytes in
            let input = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            defer { unsafe BIO_free(input) }
            // With an empty passphrase, OpenSSL does not ask for one on the terminal.
            while let certificate = unsafe PEM_read_bio_X509(
                input,
                nil,
                { _, _, _, _ in -1 },
                nil
            ) { unsafe body(certificate) }
        }
        ERR_clear_error()
    }
}
