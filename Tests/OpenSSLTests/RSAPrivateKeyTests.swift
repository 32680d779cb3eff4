import Testing

@testable import OpenSSL

@Suite struct RSAPrivateKeyTests {
    @Test(arguments: [
        "", "\n", "no key", "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ])
    func `what is no key is refused`(text: String) {
        #expect(throws: KeyRejection.noPrivateKey) { try RSAPrivateKey(pem: Array(text.utf8)) }
        #expect(throws: KeyRejection.noCertificate) { try Certificate(pem: Array(text.utf8)) }
        #expect(throws: KeyRejection.noCertificate) { try Certificate(der: Array(text.utf8)) }
    }

    @Test func `a text beyond a megabyte is not read`() {
        let text = [UInt8](repeating: 10, count: 1 << 20 + 1)
        #expect(throws: KeyRejection.noPrivateKey) { try RSAPrivateKey(pem: text) }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled, OpenSSLCommand.absence))
    func `PKCS 8 and PKCS 1 are the same key, and one behind a certificate too`() throws {
        let openssl = try OpenSSLCommand()
        try openssl.run("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out 8.pem")
        try openssl.run("rsa -in 8.pem -traditional -out 1.pem")
        try openssl.run("req -x509 -key 8.pem -subj /CN=test -days 1 -out certificate.pem")
        let key = try RSAPrivateKey(pem: openssl.read("8.pem"))
        let same = try RSAPrivateKey(pem: openssl.read("1.pem"))
        #expect(String(decoding: try openssl.read("1.pem"), as: UTF8.self).contains("BEGIN RSA"))
        #expect(key.modulus == same.modulus && key.modulus.count == 256)

        let both = try openssl.read("certificate.pem") + openssl.read("8.pem")
        #expect(try RSAPrivateKey(pem: both).belongs(to: Certificate(pem: both)))
        #expect(throws: KeyRejection.noPrivateKey) {
            try RSAPrivateKey(pem: openssl.read("certificate.pem"))
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled, OpenSSLCommand.absence))
    func `keys of other kinds, short ones and halves are refused`() throws {
        let openssl = try OpenSSLCommand()
        try openssl.run("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.pem")
        try openssl.run("genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out pss.pem")
        try openssl.run("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out short.pem")
        try openssl.run("pkey -in short.pem -pubout -out public.pem")
        let expected: [(String, KeyRejection)] = [
            ("ec.pem", .notRSA), ("pss.pem", .notRSA), ("short.pem", .length(bits: 1024)),
            ("public.pem", .noPrivateKey),
        ]
        for (name, rejection) in expected {
            #expect(throws: rejection, "\(name)") { try RSAPrivateKey(pem: openssl.read(name)) }
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled, OpenSSLCommand.absence))
    func `nobody is asked for a passphrase`() throws {
        let openssl = try OpenSSLCommand()
        try openssl.run("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out plain.pem")
        try openssl.run("pkcs8 -topk8 -in plain.pem -passout pass:four -out 8.pem")
        try openssl.run("rsa -in plain.pem -aes256 -traditional -passout pass:four -out 1.pem")
        for name in ["8.pem", "1.pem"] {
            let text = try openssl.read(name)
            #expect(String(decoding: text, as: UTF8.self).contains("ENCRYPTED"))
            #expect(throws: KeyRejection.encrypted) { try RSAPrivateKey(pem: text) }
        }
    }
}
