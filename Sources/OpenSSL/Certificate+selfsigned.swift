import COpenSSL

extension Certificate {
    /// Creates a certificate that is signed with its own key.
    ///
    /// - Parameters:
    ///   - commonName: the name in it, as subject and as issuer.
    ///   - start: seconds since 1970, or `nil` for now.
    public static func selfSigned(
        by key: RSAPrivateKey,
        commonName: String,
        days: Int,
        from start: Int? = nil
    ) throws(OpenSSLError) -> Certificate {
        let certificate = unsafe X509_new()
        defer { unsafe X509_free(certificate) }
        let serial = Int(RandomBytes.next(4).reduce(1) { $0 << 8 | UInt64($1) })
        let name = unsafe X509_get_subject_name(certificate)
        let text = Array(commonName.utf8)
        var start = start ?? time(nil)
        guard
            unsafe X509_set_version(certificate, 2) == 1,
            unsafe ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial) == 1,
            unsafe X509_time_adj_ex(X509_getm_notBefore(certificate), 0, 0, &start) != nil,
            unsafe X509_time_adj_ex(X509_getm_notAfter(certificate), Int32(days), 0, &start) != nil,
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
            unsafe X509_set_pubkey(certificate, key.key) == 1,
            unsafe X509_sign(certificate, key.key, EVP_sha256()) > 0,
            let made = unsafe certificate.flatMap({ unsafe try? Certificate($0) })
        else { throw OpenSSLError("X509_sign") }
        return made
    }
}
