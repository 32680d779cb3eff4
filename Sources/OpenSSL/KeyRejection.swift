import COpenSSL

/// Why a text cannot be used as a key or certificate.
public enum KeyRejection: Error, Equatable, CustomStringConvertible {
    case noPrivateKey
    case noCertificate
    case encrypted
    case notRSA
    case length(bits: Int)

    public var description: String {
        switch self {
        case .noPrivateKey:
            "the file has no private key; a private key begins with '-----BEGIN PRIVATE KEY-----' or"
                + " '-----BEGIN RSA PRIVATE KEY-----'"
        case .noCertificate:
            "the file has no certificate; a certificate begins with '-----BEGIN CERTIFICATE-----'"
        case .encrypted: "the private key has a passphrase; it must have none"
        case .notRSA: "the key is not an RSA key, the only kind that Entra accepts"
        case .length(let bits): "the RSA key has \(bits) bits; it must have 2048 to 16384"
        }
    }

    /// Refuses a key that is not RSA, too short to protect anything, or so long that it would keep
    /// a core busy.
    static func check(_ key: OpaquePointer) throws(KeyRejection) {
        guard unsafe EVP_PKEY_is_a(key, "RSA") == 1 else { throw .notRSA }
        let bits = Int(unsafe EVP_PKEY_get_bits(key))
        guard (2048...16_384).contains(bits) else { throw .length(bits: bits) }
    }
}
