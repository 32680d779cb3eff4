import Testing

@testable import OpenSSL

@Suite struct KnownAnswerTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }

    /// McGrew and Viega, "The Galois/Counter Mode of Operation", test case 16.
    @Test func `AES-256-GCM`() throws {
        let key = Self.bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
        let nonce = Self.bytes("cafebabefacedbaddecaf888")
        let plain = Self.bytes(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
        )
        let associated = Self.bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let sealed = Self.bytes(
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
        )
        let tag = Self.bytes("76fc6ece0f4e1768cddf8853bb2d551b")
        let cipher = AuthenticatedCipher(key: key)
        #expect(
            try cipher.seal(plain, associated: associated, nonce: nonce) == nonce + sealed + tag
        )
        #expect(cipher.open(nonce + sealed + tag, associated: associated) == plain)
        #expect(cipher.open(nonce + sealed + tag, associated: []) == nil)
    }

    @Test func `nothing can be sealed, and comes back`() throws {
        let cipher = AuthenticatedCipher(key: RandomBytes.next(32))
        let sealed = try cipher.seal([], associated: [1], nonce: RandomBytes.next(12))
        #expect(cipher.open(sealed, associated: [1]) == [])
        for count in 0..<sealed.count {
            #expect(cipher.open(Array(sealed[..<count]), associated: [1]) == nil)
        }
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(cipher.open(changed, associated: [1]) == nil)
        }
    }

    /// RFC 5869, appendix A.3: no salt, and no info.
    @Test func `HKDF-SHA-256`() {
        let key = KeyDerivation.key(
            from: [UInt8](repeating: 0x0B, count: 22),
            info: "",
            count: 42
        )
        let expected = Self.bytes(
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        )
        #expect(key == expected)
    }

    /// RFC 4231, test case 2; FIPS 180-4 examples.
    @Test func `digests`() {
        #expect(
            Digest.hmac(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
                == Self.bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        )
        #expect(
            Digest.sha256(Array("abc".utf8))
                == Self.bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        )
        #expect(
            Digest.sha1(Array("abc".utf8)) == Self.bytes("a9993e364706816aba3e25717850c26c9cd0d89d")
        )
        #expect(
            Digest.equal([1, 2], [1, 2]) && !Digest.equal([1, 2], [1, 3]) && !Digest.equal([1], [])
        )
    }
}
