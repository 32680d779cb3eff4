import COpenSSL

/// Derives keys from secrets: HKDF-SHA-256 (RFC 5869) makes many keys from one secret, scrypt (RFC
/// 7914) makes guessing slow.
public enum KeyDerivation {
    /// - Parameter info: what the key is for; keys for different purposes are unrelated.
    public static func key(from secret: [UInt8], info: String, count: Int) -> [UInt8] {
        let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let label = Array(info.utf8)
        var key = [UInt8](repeating: 0, count: count)
        var length = count
        let derived =
            unsafe EVP_PKEY_derive_init(context) == 1
            && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
            && EVP_PKEY_CTX_set1_hkdf_salt(context, [], 0) == 1
            && EVP_PKEY_CTX_set1_hkdf_key(context, secret, Int32(secret.count)) == 1
            && EVP_PKEY_CTX_add1_hkdf_info(context, label, Int32(label.count)) == 1
            && EVP_PKEY_derive(context, &key, &length) == 1
        precondition(derived && length == count, "HKDF-SHA-256 is not available")
        return key
    }

    /// Derives 32 bytes from a secret that a person may have invented; it takes a tenth of a second
    /// and 32 MiB, and an attacker with a sealed value needs as much for each guess.
    ///
    /// - Parameter salt: the site for which the key is; guesses for one site are useless for
    ///   another.
    public static func stretched(_ secret: [UInt8], salt: String) -> [UInt8] {
        let salt = Array(salt.utf8)
        var key = [UInt8](repeating: 0, count: 32)
        let cost: UInt64 = 1 << 15
        let blockSize: UInt64 = 8
        let text = secret.map { CChar(bitPattern: $0) }
        let derived =
            unsafe EVP_PBE_scrypt(
                text,
                text.count,
                salt,
                salt.count,
                cost,
                blockSize,
                1,
                // OpenSSL's default limit is slightly less than this needs.
                64 << 20,
                &key,
                key.count
            ) == 1
        precondition(derived, "scrypt is not available")
        return key
    }
}
