import JOSE
import Jansson
import OpenSSL
import SiteauthConfiguration
import Synchronization

/// The registered certificate on disk, and the assertions that its key signs.
///
/// Both files are read for each assertion, so that renewing them needs no restart. While only one
/// of the two is replaced they do not match; the previous pair is used until they do.
final class ClientCertificate: Sendable {
    private struct Loaded {
        let pem: [UInt8]
        let keyPEM: [UInt8]
        let pair: CertificatePair
    }

    private let files: Credential.CertificateFiles
    private let environment: Environment
    private let loaded = Mutex<Loaded?>(nil)

    /// Microsoft recommends five to ten minutes.
    private static let lifetime = 600
    /// Seconds by which assertions are backdated: clocks differ, and Entra refuses an assertion
    /// from the future.
    private static let backdating = 60

    init(_ files: Credential.CertificateFiles, _ environment: Environment) {
        self.files = files
        self.environment = environment
    }

    /// A client assertion (RFC 7523, section 3) for one endpoint.
    func assertion(
        clientID: String,
        audience: String,
        at now: NumericDate
    ) throws(ClientAuthentication.Failure) -> String {
        let pair: CertificatePair
        switch current() {
        case (let found?, _): pair = found
        case (nil, let problem): throw .unusable(problem ?? "there is no certificate")
        }
        var header: JSON.Members = [
            "alg": .string(files.algorithm.rawValue), "typ": "JWT",
        ]
        let der = pair.certificate.der
        switch files.algorithm {
        case .ps256: header["x5t#S256"] = .string(Base64URL.encode(Digest.sha256(der)))
        case .rs256: header["x5t"] = .string(Base64URL.encode(Digest.sha1(der)))
        }
        let claims: JSON = [
            "aud": .string(audience), "iss": .string(clientID), "sub": .string(clientID),
            "jti": .string(Base64URL.encode(environment.random(16))),
            "iat": .integer(now - Self.backdating), "nbf": .integer(now - Self.backdating),
            "exp": .integer(now + Self.lifetime),
        ]
        do throws(OpenSSLError) {
            return try JSONWebSignature.sign(
                claims,
                header: header,
                algorithm: files.algorithm.signature,
                with: pair.key
            )
        } catch { throw .unusable("'\(files.key)' cannot sign: \(error)") }
    }

    /// When the certificate in use expires.
    var expiry: Expiry? {
        current().0.map { Expiry("client_certificate", at: $0.certificate.notAfter) }
    }

    /// A warning for the operator about the files, if there is one.
    func warning(at now: NumericDate) -> String? {
        let (pair, problem) = current()
        if let problem { return problem }
        return pair?.warning(at: now).map { "'\(files.certificate)' \($0)" }
    }

    /// The pair on disk, or else the last matching pair and what is wrong with the files.
    private func current() -> (CertificatePair?, problem: String?) {
        let last = loaded.withLock { $0 }
        do {
            let pem = try read(files.certificate)
            let keyPEM = try read(files.key)
            if let last, last.pem == pem, last.keyPEM == keyPEM { return (last.pair, nil) }
            let pair = try CertificatePair(certificate: pem, key: keyPEM)
            loaded.withLock { $0 = Loaded(pem: pem, keyPEM: keyPEM, pair: pair) }
            return (pair, nil)
        } catch let error as CertificateRejection {
            return (last?.pair, "'\(error.key)': \(error.reason)")
        } catch {
            return (last?.pair, "'\(files.certificate)', '\(files.key)': \(error)")
        }
    }

    private func read(_ path: String) throws -> [UInt8] {
        guard let file = try environment.readFile(path) else {
            throw ProviderError("'\(path)' does not exist")
        }
        return file.text
    }
}
