import COpenSSL

/// A key that verifies signatures: RSA, P-256 or Ed25519.
///
/// The C object is only read after its creation, and OpenSSL allows readers on several threads
/// (openssl-threads(7)), hence `@unchecked Sendable`.
@safe public final class PublicKey: @unchecked Sendable {
    let key: OpaquePointer

    /// Length of the modulus in bits.
    public var bits: Int { Int(unsafe EVP_PKEY_get_bits(key)) }

    /// The lengths of a modulus in bits that are safe and do not keep a core busy.
    public static let modulusBits = 2048...8192

    /// Makes an RSA key from a modulus and an exponent, both big-endian (RFC 7518, section 6.3.1), or
    /// returns `nil` if they are not a safe RSA key.
    ///
    /// With an exponent of 1, every message is its own signature, and anybody can sign. An even
    /// exponent has no private key (RFC 8017, section 3.1), and an even modulus is not the product
    /// of two odd primes.
    public init?(modulus: [UInt8], exponent: [UInt8]) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard
            modulus.count * 8 <= Self.modulusBits.upperBound, modulus.last.map({ $0 & 1 }) == 1,
            (1...8).contains(exponent.count), exponent.last.map({ $0 & 1 }) == 1, exponent != [1]
        else { return nil }
        let n = unsafe BN_bin2bn(modulus, Int32(modulus.count), nil)
        let e = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil)
        let builder = unsafe OSSL_PARAM_BLD_new()
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer {
            unsafe BN_free(n)
            unsafe BN_free(e)
            unsafe OSSL_PARAM_BLD_free(builder)
            unsafe EVP_PKEY_CTX_free(context)
        }
        guard
            unsafe shim_push_rsa(builder, n, e) == 1,
            let parameters = unsafe OSSL_PARAM_BLD_to_param(builder)
        else {
            ERR_clear_error()
            return nil
        }
        defer { unsafe OSSL_PARAM_free(parameters) }
        var made: OpaquePointer?
        guard
            unsafe EVP_PKEY_fromdata_init(context) == 1,
            unsafe EVP_PKEY_fromdata(context, &made, shim_public_key_selection(), parameters) == 1,
            let key = unsafe made
        else {
            ERR_clear_error()
            return nil
        }
        unsafe self.key = unsafe key
        guard Self.modulusBits.contains(bits) else { return nil }
    }

    /// Makes a P-256 key from the coordinates of its point (RFC 7518, section 6.2.1), or returns
    /// `nil` if the curve has no such point.
    public init?(p256 x: [UInt8], _ y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        // SubjectPublicKeyInfo up to the uncompressed point (RFC 5480, section 2). OpenSSL computes
        // whether the point is on the curve.
        let start: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
            0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let made = unsafe (start + x + y).withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, bytes.count)
        }
        ERR_clear_error()
        guard let key = unsafe made else { return nil }
        unsafe self.key = unsafe key
    }

    /// Makes an Ed25519 key from its 32 bytes (RFC 8037, section 2), or returns `nil` if they are a
    /// point of small order, for which anybody can make signatures.
    public init?(ed25519 bytes: [UInt8]) {
        guard bytes.count == 32, !Self.isOfSmallOrder(bytes),
            let key = unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, 32)
        else { return nil }
        unsafe self.key = unsafe key
    }

    /// The points of small order have these coordinates y: 0, 1, -1, two others, and 0 and 1 with
    /// the field's prime added.
    private static func isOfSmallOrder(_ point: [UInt8]) -> Bool {
        var y = point
        // The sign of x.
        y[31] &= 0x7F
        let middle = y[1..<31]
        if middle.allSatisfy({ $0 == 0 }), y[31] == 0, y[0] <= 1 { return true }
        if middle.allSatisfy({ $0 == 0xFF }), y[31] == 0x7F, y[0] >= 0xEC { return true }
        let others: [[UInt8]] = [
            [0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0],
            [0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F],
        ]
        // No honest key begins so, but for one in 2^63.
        return others.contains { y.starts(with: $0) }
    }

    /// Shares a key that another object owns.
    init(sharing key: OpaquePointer) throws(KeyRejection) {
        unsafe EVP_PKEY_up_ref(key)
        unsafe self.key = unsafe key
        try unsafe KeyRejection.check(key)
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Whether `signature` is a signature of that scheme over `message`.
    public func verifies(
        _ signature: [UInt8],
        of message: [UInt8],
        scheme: SignatureScheme
    ) -> Bool {
        guard let signature = scheme.encoded(signature) else { return false }
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        // The digest's context owns the settings.
        var settings: OpaquePointer?
        let genuine =
            unsafe EVP_DigestVerifyInit(context, &settings, scheme.digest, nil, key) == 1
            && scheme.configure(settings, for: key)
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        ERR_clear_error()
        return genuine
    }
}
