import COpenSSL

/// Digests of bytes, and comparisons in constant time.
public enum Digest {
    /// SHA-256 (FIPS 180-4): 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        unsafe digest(bytes, EVP_sha256(), 32)
    }

    /// SHA-256 of a part of an array, without a copy.
    public static func sha256(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe digest($0, EVP_sha256(), 32) }
    }

    /// SHA-384 (FIPS 180-4): 48 bytes.
    public static func sha384(_ bytes: [UInt8]) -> [UInt8] {
        unsafe digest(bytes, EVP_sha384(), 48)
    }

    /// SHA-512 (FIPS 180-4): 64 bytes.
    public static func sha512(_ bytes: [UInt8]) -> [UInt8] {
        unsafe digest(bytes, EVP_sha512(), 64)
    }

    /// SHA-1: 20 bytes, for certificate thumbprints only, never for protection.
    public static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        unsafe digest(bytes, EVP_sha1(), 20)
    }

    /// HMAC-SHA-256 (RFC 2104): 32 bytes.
    public static func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        let result = unsafe HMAC(
            EVP_sha256(),
            key,
            Int32(key.count),
            bytes,
            bytes.count,
            &code,
            &length
        )
        precondition(unsafe result != nil && length == 32, "HMAC-SHA-256 is not available")
        return code
    }

    /// Whether both are equal, in a time that depends on their lengths only.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe CRYPTO_memcmp(left, right, left.count) == 0
    }

    private static func digest(
        _ bytes: [UInt8],
        _ kind: OpaquePointer?,
        _ length: Int
    ) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe digest($0, kind, length) }
    }

    private static func digest(
        _ bytes: UnsafeRawBufferPointer,
        _ kind: OpaquePointer?,
        _ length: Int
    ) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: length)
        let result = unsafe EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, kind, nil)
        precondition(result == 1, "a digest that the format needs is not available")
        return digest
    }
}
