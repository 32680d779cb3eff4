import COpenSSL

/// Texts in PEM (RFC 7468).
///
/// By default OpenSSL asks for a passphrase on the terminal, where a service that starts at night
/// would wait for ever. So a passphrase is always refused here.
enum PEM {
    /// The type of OpenSSL's functions `PEM_read_bio_…`.
    typealias Reader = (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, PassphraseCallback?,
        UnsafeMutableRawPointer?
    ) -> OpaquePointer?

    typealias PassphraseCallback =
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?)
        -> Int32

    /// The first object of the reader's kind in `text`; the caller frees it.
    ///
    /// - Parameter absent: the error if there is none.
    static func read(
        _ text: [UInt8],
        absent: KeyRejection,
        with reader: Reader
    ) throws(KeyRejection) -> OpaquePointer {
        guard !text.isEmpty, text.count <= 1 << 20 else { throw absent }
        var isEncrypted = false
        let object = unsafe text.withUnsafeBytes { bytes in
            // The bytes are not copied, so the object must be created while they exist.
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
