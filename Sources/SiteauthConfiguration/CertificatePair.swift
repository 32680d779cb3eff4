import OpenSSL

/// A certificate and the key that belongs to it.
package struct CertificatePair: Sendable {
    package let certificate: Certificate
    package let key: RSAPrivateKey

    /// - Parameters: both in PEM.
    package init(certificate pem: [UInt8], key keyPEM: [UInt8]) throws(CertificateRejection) {
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

    /// A warning if the certificate has expired, expires soon, or is not valid yet.
    package func warning(at now: NumericDate) -> String? {
        if now < certificate.notBefore {
            return "is not valid before \(CalendarTime.text(certificate.notBefore))"
        }
        return Expiry("client_certificate", at: certificate.notAfter).warning(
            at: now,
            late: "register a new one",
            remedy: "register a new one beside it, then replace the files"
        )
    }
}

/// Why two files cannot be a ``CertificatePair``.
package struct CertificateRejection: Error, Equatable {
    /// The key of `secrets.toml` that names the wrong file.
    package let key: String
    package let reason: String
}
