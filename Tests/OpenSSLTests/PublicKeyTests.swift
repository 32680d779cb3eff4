import Testing

@testable import OpenSSL

@Suite struct PublicKeyTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// RFC 6979, appendix A.2.5: P-256 with SHA-256, message "sample".
    private static let x = bytes("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
    private static let y = bytes("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
    private static let r = bytes("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716")
    private static let s = bytes("F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    private static let order = bytes(
        "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
    )
    private static let prime = bytes(
        "FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF"
    )
    private static let zero = [UInt8](repeating: 0, count: 32)
    private static let one: [UInt8] = zero.dropLast() + [1]
    private static let message = Array("sample".utf8)

    @Test func `a signature of P-256 is two numbers below the order, and no other`() throws {
        let key = try #require(PublicKey(p256: Self.x, Self.y))
        func verifies(_ signature: [UInt8], _ message: [UInt8] = Self.message) -> Bool {
            key.verifies(signature, of: message, scheme: .ecdsa)
        }
        let (r, s) = (Self.r, Self.s)
        #expect(verifies(r + s) && !verifies(r + s, Array("simple".utf8)) && !verifies(s + r))
        let wrong: [[UInt8]] = [
            Self.zero + s, r + Self.zero, Self.zero + Self.zero, Self.order + s, r + Self.order,
            Self.one + Self.one, Self.zero + Self.one, [UInt8](repeating: 0xFF, count: 64),
        ]
        for signature in wrong { #expect(!verifies(signature)) }
        // Other lengths, zeros before and after, and what OpenSSL itself reads.
        let lengths: [[UInt8]] = [
            [], r, [0] + r + s, r + s + [0], r + s + r + s, Array((r + s).dropLast()),
            [0] + r + [0] + s, SignatureScheme.ecdsa.encoded(r + s) ?? [],
        ]
        for signature in lengths { #expect(!verifies(signature)) }
        for scheme in SignatureScheme.allCases where scheme != .ecdsa {
            #expect(!key.verifies(r + s, of: Self.message, scheme: scheme))
        }
    }

    @Test func `the shortest form of a number keeps its sign bit free`() {
        let encoded = SignatureScheme.ecdsa.encoded(Self.one + Self.zero)
        #expect(encoded == [0x30, 6, 2, 1, 1, 2, 1, 0])
        let high: [UInt8] = Self.zero.dropLast() + [0x80]
        #expect(
            SignatureScheme.ecdsa.encoded(high + Self.one) == [0x30, 7, 2, 2, 0, 0x80, 2, 1, 1]
        )
        #expect(SignatureScheme.ecdsa.encoded([UInt8](repeating: 0xFF, count: 64))?.count == 72)
    }

    @Test func `a point off the curve is no key`() {
        let (x, y) = (Self.x, Self.y)
        var near = y
        near[31] ^= 1
        let points: [([UInt8], [UInt8])] = [
            (x, near), (y, x), (Self.zero, Self.zero), (x, Self.zero), (Self.prime, y),
            ([0] + x, y), (x, [0] + y), (Array(x.dropLast()), y), (x, []), ([], []),
        ]
        for (x, y) in points { #expect(PublicKey(p256: x, y) == nil) }
        #expect(PublicKey(p256: x, y) != nil)
    }

    @Test func `Ed25519 verifies its own signatures alone`() throws {
        let privateKey = Ed25519PrivateKey(seed: Self.zero)
        let key = try #require(PublicKey(ed25519: privateKey.publicKey))
        let signature = privateKey.signature(of: Self.message)
        #expect(key.verifies(signature, of: Self.message, scheme: .ed25519))
        #expect(!key.verifies(signature, of: [], scheme: .ed25519))
        for wrong in [[], Array(signature.dropLast()), signature + [0], signature + signature] {
            #expect(!key.verifies(wrong, of: Self.message, scheme: .ed25519))
        }
        for scheme in SignatureScheme.allCases where scheme != .ed25519 {
            #expect(!key.verifies(signature, of: Self.message, scheme: scheme))
        }
        for length in [0, 31, 33, 64] {
            #expect(PublicKey(ed25519: [UInt8](repeating: 9, count: length)) == nil)
        }
    }

    /// With such a key, a signature of a neutral point and zero holds for one message in eight or
    /// more.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
    func `a key for which anybody can sign is none`(hex: String) {
        var point = Self.bytes(hex)
        #expect(PublicKey(ed25519: point) == nil)
        point[31] ^= 0x80
        #expect(PublicKey(ed25519: point) == nil)
    }
}
