import COpenSSL

/// Texts in PEM (RFC 7468).
///
/// OpenSSL's own way with a passphrase is to ask for it on the terminal. A service that starts at
/// night would wait there for ever; so here it is always refused.
enum PEM {
    /// One of OpenSSL's functions `PEM_read_bio_…`.
    typealias Reader = (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, PassphraseCallback?,
        UnsafeMutableRawPointer?
    ) -> OpaquePointer?

    typealias PassphraseCallback =
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?)
        -> Int32

    /// The first object of the reader's kind in `text`; the caller frees it.
    ///
    /// - Parameter absent: what is thrown when there is none.
    static func read(
        _ text: [UInt8],
        absent: KeyRejection,
        with reader: Reader
    ) throws(KeyRejection) -> OpaquePointer {
        guard !text.isEmpty, text.count <= 1 << 20 else { throw absent }
        var isEncrypted = false
        let object = unsafe text.withUnsafeBytes { bytes in
            // The bytes are not copied: the object has to be made before they go.
            let input = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { unsafe BIO_free(input) }
            return unsafe reader(
                input,
                nil,
                { _, _, _, isEncrypted in
                    unsafe isEncrypted?.assumingMemoryBound(to: Bool.self).pointee = true
                    return -1
                },
                &isEncrypted
            )
        }
        ERR_clear_error()
        guard let object = unsafe object else { throw isEncrypted ? .encrypted : absent }
        return unsafe object
    }
}
