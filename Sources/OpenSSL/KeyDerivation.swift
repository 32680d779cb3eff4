import COpenSSL

/// Derives many keys from one secret with HKDF-SHA-256 (RFC 5869); the secret must be random, because
/// a guess costs nothing.
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
}
