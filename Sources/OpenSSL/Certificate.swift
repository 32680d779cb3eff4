import COpenSSL

/// An X.509 certificate (RFC 5280) of an RSA key, and its validity period.
///
/// Signatures on it are not verified: Entra, too, trusts a certificate because it is registered,
/// whoever issued it.
public struct Certificate: Sendable {
    /// The bytes of the certificate, from which thumbprints are computed.
    public let der: [UInt8]
    public let publicKey: PublicKey
    /// Seconds since 1970.
    public let notBefore: Int
    /// Seconds since 1970; the certificate is still valid in that second.
    public let notAfter: Int
    /// The first `CN` of the subject.
    public let commonName: String?

    /// Reads the first certificate of a PEM text.
    public init(pem text: [UInt8]) throws(KeyRejection) {
        let certificate = try unsafe PEM.read(
            text,
            absent: .noCertificate,
            with: unsafe PEM_read_bio_X509
        )
        defer { unsafe X509_free(certificate) }
        try unsafe self.init(certificate)
    }

    /// When the first certificate of a PEM text expires, whatever kind of key it has.
    public static func expiry(pem text: [UInt8]) throws(KeyRejection) -> Int {
        let certificate = try unsafe PEM.read(
            text,
            absent: .noCertificate,
            with: unsafe PEM_read_bio_X509
        )
        defer { unsafe X509_free(certificate) }
        guard let time = unsafe seconds(X509_get0_notAfter(certificate)) else {
            ERR_clear_error()
            throw .noCertificate
        }
        return time
    }

    /// Reads a DER certificate with nothing after it.
    public init(der bytes: [UInt8]) throws(KeyRejection) {
        let parsed = unsafe bytes.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_X509(nil, &next, buffer.count)
        }
        ERR_clear_error()
        guard let certificate = unsafe parsed else { throw .noCertificate }
        defer { unsafe X509_free(certificate) }
        try unsafe self.init(certificate)
        // With trailing bytes or another encoding, the certificate would have another thumbprint.
        guard der == bytes else { throw .noCertificate }
    }

    init(_ certificate: OpaquePointer) throws(KeyRejection) {
        // The result is `nil` for a kind of key that OpenSSL does not know.
        guard let key = unsafe X509_get0_pubkey(certificate) else {
            ERR_clear_error()
            throw .notRSA
        }
        publicKey = try unsafe PublicKey(sharing: key)
        guard
            let der = unsafe Self.der(of: certificate),
            let notBefore = unsafe Self.seconds(X509_get0_notBefore(certificate)),
            let notAfter = unsafe Self.seconds(X509_get0_notAfter(certificate))
        else {
            ERR_clear_error()
            throw .noCertificate
        }
        self.der = der
        self.notBefore = notBefore
        self.notAfter = notAfter
        commonName = unsafe Self.commonName(X509_get_subject_name(certificate))
    }

    private static func der(of certificate: OpaquePointer) -> [UInt8]? {
        var der: UnsafeMutablePointer<UInt8>?
        let length = unsafe i2d_X509(certificate, &der)
        guard length > 0, let bytes = unsafe der else { return nil }
        defer { unsafe CRYPTO_free(bytes, nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
        let epoch = unsafe ASN1_TIME_set(nil, 0)
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int(days) * 86_400 + Int(seconds)
    }

    private static func commonName(_ subject: OpaquePointer?) -> String? {
        let index = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(subject, index) else { return nil }
        var text: UnsafeMutablePointer<UInt8>?
        let length = unsafe ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
        guard length >= 0, let bytes = unsafe text else {
            ERR_clear_error()
            return nil
        }
        defer { unsafe CRYPTO_free(bytes, nil, 0) }
        return unsafe String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(length)),
            as: UTF8.self
        )
    }
}
