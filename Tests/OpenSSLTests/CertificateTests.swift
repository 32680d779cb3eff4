import Foundation
import Testing

@testable import OpenSSL

@Suite struct CertificateTests {
    private static let key = try? RSAPrivateKey()

    private static func certificate(days: Int = 10) throws -> Certificate {
        try Certificate.selfSigned(
            by: #require(key),
            commonName: "Zoë's site",
            days: days,
            from: 1_700_000_000
        )
    }

    private static func pem(_ der: [UInt8]) -> [UInt8] {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters])
        return Array("-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".utf8)
    }

    @Test func `what was written in it is read`() throws {
        let certificate = try Self.certificate()
        #expect(certificate.notBefore == 1_700_000_000)
        #expect(certificate.notAfter == 1_700_864_000)
        #expect(certificate.commonName == "Zoë's site")
        #expect(certificate.publicKey.bits == 2048)
        // 2078: RFC 5280 writes years from 2050 in another form.
        #expect(try Self.certificate(days: 20_000).notAfter == 3_428_000_000)
    }

    @Test func `PEM and DER are the same bytes, the first of several counts`() throws {
        let first = try Self.certificate()
        let second = try Self.certificate()
        #expect(try Certificate(der: first.der).der == first.der)
        let text = Array("the site's\n".utf8) + Self.pem(first.der) + Self.pem(second.der)
        #expect(try Certificate(pem: text).der == first.der)
        #expect(first.der != second.der)
    }

    @Test func `one byte more or less is no certificate`() throws {
        let der = try Self.certificate().der
        #expect(throws: KeyRejection.noCertificate) { try Certificate(der: der + [0]) }
        #expect(throws: KeyRejection.noCertificate) { try Certificate(der: der.dropLast()) }
        #expect(throws: KeyRejection.noCertificate) { try Certificate(pem: Self.pem([0] + der)) }
        #expect(throws: KeyRejection.noCertificate) { try Certificate(pem: der) }
    }

    @Test func `a key belongs to its certificate and to no other`() throws {
        let certificate = try Self.certificate()
        #expect(try #require(Self.key).belongs(to: certificate))
        #expect(try !RSAPrivateKey().belongs(to: certificate))
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled, OpenSSLCommand.absence))
    func `the command reads the same, and its certificates of other keys are refused`() throws {
        let openssl = try OpenSSLCommand()
        try openssl.write(Self.pem(Self.certificate().der), "ours.pem")
        #expect(try openssl.run("x509 -in ours.pem -outform DER -out ours.der"))
        #expect(try openssl.read("ours.der") == Certificate(pem: openssl.read("ours.pem")).der)

        let request = "req -x509 -nodes -subj /CN=test -days 1 -keyout key.pem -out"
        try openssl.run("\(request) ec.pem -newkey ec -pkeyopt ec_paramgen_curve:P-256")
        try openssl.run("\(request) short.pem -newkey rsa:1024")
        #expect(throws: KeyRejection.notRSA) { try Certificate(pem: openssl.read("ec.pem")) }
        // Its date can be read: that of the site's own certificate, for example.
        #expect(try Certificate.expiry(pem: openssl.read("ec.pem")) > 1_700_000_000)
        #expect(throws: KeyRejection.noCertificate) { try Certificate.expiry(pem: [65]) }
        #expect(throws: KeyRejection.length(bits: 1024)) {
            try Certificate(pem: openssl.read("short.pem"))
        }
    }
}
