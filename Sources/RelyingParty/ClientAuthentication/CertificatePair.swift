import OpenSSL

/// A certificate and its key, known to belong together.
struct CertificatePair: Sendable {
    let certificate: Certificate
    let key: RSAPrivateKey

    /// How long before its end a certificate is spoken of, in seconds.
    static let notice = 30 * 86_400

    /// - Parameters: both in PEM.
    init(certificate pem: [UInt8], key keyPEM: [UInt8]) throws(CertificateRejection) {
        do { certificate = try Certificate(pem: pem) } catch {
            throw CertificateRejection(key: "client_certificate", reason: "\(error)")
        }
        do { key = try RSAPrivateKey(pem: keyPEM) } catch {
            throw CertificateRejection(key: "client_key", reason: "\(error)")
        }
        guard key.belongs(to: certificate) else {
            throw CertificateRejection(
                key: "client_key",
                reason: "the key does not belong to 'client_certificate'"
            )
        }
    }

    /// What has to be said of its dates: it has ended, ends soon, or has not begun.
    func warning(at now: NumericDate) -> String? {
        let end = CalendarTime.text(certificate.notAfter)
        if now > certificate.notAfter {
            return "expired on \(end), and nobody can sign in; register a new one"
        }
        if certificate.notAfter - now < Self.notice {
            return "expires on \(end); register a new one beside it, then replace the files"
        }
        if now < certificate.notBefore {
            return "is not valid before \(CalendarTime.text(certificate.notBefore))"
        }
        return nil
    }
}

/// Why two files are no ``CertificatePair``.
struct CertificateRejection: Error, Equatable {
    /// The setting that names the file at fault.
    let key: String
    let reason: String
}
