import Testing

@testable import OpenSSL

@Suite struct RSASignatureTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }

    /// Project Wycheproof, rsa_pss_2048_sha256_mgf1_32_test, case 3.
    @Test func `a signature of RSASSA-PSS that another made`() throws {
        let modulus = Self.bytes(
            "a2b451a07d0aa5f96e455671513550514a8a5b462ebef717094fa1fee82224e637f9746d3f7cafd31878d80325b6ef5a1700f65903b469429e89d6eac8845097b5ab393189db92512ed8a7711a1253facd20f79c15e8247f3d3e42e46e48c98e254a2fe9765313a03eff8f17e1a029397a1fa26a8dce26f490ed81299615d9814c22da610428e09c7d9658594266f5c021d0fceca08d945a12be82de4d1ece6b4c03145b5d3495d4ed5411eb878daf05fd7afc3e09ada0f1126422f590975a1969816f48698bcbba1b4d9cae79d460d8f9f85e7975005d9bc22c4e5ac0f7c1a45d12569a62807d3b9a02e5a530e773066f453d1f5b4c2e9cf7820283f742b9d5"
        )
        let signature = Self.bytes(
            "401eb03cdb47ca88033e3030f6bdecbac8f5c8fc1dd6a13d23d379ed9a2b309891d13d74fea9d21d159b9e6d8f37efa2489962e24555f56dd434ff1d31ce4f9f5abd3f22cbea8b691d6a11e44efb83e2bca155e6a164325e0fde2a8865afd5c9f51161a9d615f62af7ec2e31b3e5ab649c164490d31d88cfae35b84aea7925690f929a144b6d2f48e8fb894a52deecd1b9a6496990c4ecf1588699a42cacd10c53af350514e4291ea9a058e77f101e32c1c0cefa61d945f7bc931f8bd19e7ba3169358a60e5a8b0123bc3199b9fdcafe8e519c41ba675491a27b85e44ef2d77277c10fe107293c8290186913bc9a99b640d8da041b64f31eab1d35920985f4a5"
        )
        let key = try #require(PublicKey(modulus: modulus, exponent: [1, 0, 1]))
        let message = Array("Test".utf8)
        #expect(key.verifies(signature, of: message, scheme: .pss))
        #expect(!key.verifies(signature, of: message + [0], scheme: .pss))
        #expect(!key.verifies(signature, of: message, scheme: .pkcs1))
    }

    @Test(arguments: [SignatureScheme.pkcs1, .pss])
    func `a signature holds for its message, its key and its scheme`(
        scheme: SignatureScheme
    ) throws {
        let key = try RSAPrivateKey()
        let signature = try key.signature(of: [1, 2, 3], scheme: scheme)
        let publicKey = try #require(PublicKey(modulus: key.modulus, exponent: key.exponent))
        #expect(publicKey.bits == 2048)
        #expect(publicKey.verifies(signature, of: [1, 2, 3], scheme: scheme))
        #expect(!publicKey.verifies(signature, of: [1, 2, 4], scheme: scheme))
        #expect(!publicKey.verifies([], of: [1, 2, 3], scheme: scheme))
        #expect(!publicKey.verifies(signature + [0], of: [1, 2, 3], scheme: scheme))
        for other in SignatureScheme.allCases where other != scheme {
            #expect(!publicKey.verifies(signature, of: [1, 2, 3], scheme: other))
        }
        #expect(PublicKey(modulus: [], exponent: [1, 0, 1]) == nil)
        for other in [SignatureScheme.ecdsa, .ed25519] {
            #expect(throws: OpenSSLError.self) { try key.signature(of: [1], scheme: other) }
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled, OpenSSLCommand.absence))
    func `the command agrees, and a salt of another length is refused`() throws {
        let openssl = try OpenSSLCommand()
        let message = RandomBytes.next(1000)
        try openssl.write(message, "message")
        try openssl.run("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem")
        try openssl.run("pkey -in key.pem -pubout -out public.pem")
        try openssl.run("req -x509 -key key.pem -subj /CN=test -days 1 -out certificate.pem")
        let key = try RSAPrivateKey(pem: openssl.read("key.pem"))
        let publicKey = try Certificate(pem: openssl.read("certificate.pem")).publicKey

        try openssl.write(key.signature(of: message, scheme: .pkcs1), "ours")
        #expect(try openssl.run("dgst -sha256 -verify public.pem -signature ours message"))
        try openssl.write(key.signature(of: message, scheme: .pss), "ours")
        #expect(
            try openssl.run(
                "dgst -sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32"
                    + " -sigopt rsa_mgf1_md:sha256 -verify public.pem -signature ours message"
            )
        )
        for (salt, isRight) in [(32, true), (0, false), (20, false), (222, false)] {
            try openssl.run(
                "dgst -sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:\(salt)"
                    + " -sign key.pem -out theirs message"
            )
            let theirs = try openssl.read("theirs")
            #expect(publicKey.verifies(theirs, of: message, scheme: .pss) == isRight)
        }
    }
}
