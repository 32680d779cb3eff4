import COpenSSL

/// The certificates of a PEM text, such as a file of authorities.
public struct CertificateList: Sendable {
    public let count: Int

    /// Reads all certificates, or returns `nil` if there is none or one of them is damaged.
    ///
    /// All kinds of keys are allowed: authorities may have elliptic-curve keys.
    public init?(pem text: [UInt8]) {
        guard !text.isEmpty, text.count <= 1 << 20 else { return nil }
        var certificates = 0
        let isWhole = unsafe text.withUnsafeBytes { bytes in
            let input = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { unsafe BIO_free(input) }
            while true {
                // With an empty passphrase, OpenSSL does not ask for one on the terminal.
                guard
                    let certificate = unsafe PEM_read_bio_X509(
                        input,
                        nil,
                        { _, _, _, _ in -1 },
                        nil
                    )
                else { break }
                unsafe X509_free(certificate)
                certificates += 1
            }
            // At the end of a correct file, the error is that no further certificate begins.
            let reason = ERR_GET_REASON(ERR_peek_last_error())
            return reason == PEM_R_NO_START_LINE
        }
        ERR_clear_error()
        guard isWhole, certificates > 0 else { return nil }
        count = certificates
    }
}
