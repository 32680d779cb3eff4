import Access
import JOSE
import Jansson
import SiteauthConfiguration
import Synchronization

/// The proof of the client's identity that a token request carries.
struct ClientProof: Sendable {
    /// Parameters for the body.
    var parameters: [(String, String)] = []
    /// The value of the header field `Authorization`.
    var authorization: String?
}

/// Authenticates this site at the token endpoint with the configured credential (RFC 6749, section
/// 2.3; RFC 7521, section 4.2).
final class ClientAuthentication: Sendable {
    enum Failure: Error, Equatable {
        /// A person must correct it.
        case unusable(String)
        /// A later attempt may succeed.
        case unreachable(String)
    }

    private let configuration: AuthConfiguration
    private let environment: Environment
    private let certificate: ClientCertificate?
    private let identityToken: ManagedIdentityToken?
    private let warnedAt = Mutex<NumericDate?>(nil)

    init(_ configuration: AuthConfiguration, _ environment: Environment) {
        self.configuration = configuration
        self.environment = environment
        var certificate: ClientCertificate?
        var identityToken: ManagedIdentityToken?
        switch configuration.credential {
        case .certificate(let files): certificate = ClientCertificate(files, environment)
        case .managedIdentity(let identity):
            identityToken = ManagedIdentityToken(identity, environment)
        case .secret, .federatedToken: break
        }
        self.certificate = certificate
        self.identityToken = identityToken
    }

    /// - Parameter isPush: whether the proof is for a pushed authorization request, whose audience is
    ///   the issuer (RFC 9126, section 2).
    func proof(
        for metadata: ProviderMetadata,
        isPush: Bool = false,
        at now: NumericDate
    ) throws(Failure) -> ClientProof {
        let clientID = configuration.clientID
        switch configuration.credential {
        case .secret(let secret, .post):
            return ClientProof(parameters: [("client_id", clientID), ("client_secret", secret)])
        case .secret(let secret, .basic):
            let pair = "\(PercentEncoding.encode(clientID)):\(PercentEncoding.encode(secret))"
            let text = Base64URL.encodeStandard(Array(pair.utf8))
            return ClientProof(authorization: "Basic \(text)")
        case .certificate:
            guard let certificate else { throw .unusable("there is no certificate") }
            return assertion(
                try certificate.assertion(
                    clientID: clientID,
                    audience: isPush ? metadata.issuer : metadata.tokenEndpoint.text,
                    at: now
                )
            )
        case .federatedToken(let path): return assertion(try federatedToken(path, at: now))
        case .managedIdentity:
            guard let identityToken else { throw .unusable("there is no managed identity") }
            let audience = ManagedIdentityToken.audience(in: metadata)
            return assertion(try identityToken.current(audience: audience, at: now))
        }
    }

    /// When the credential expires, if that is known.
    var expiry: Expiry? {
        certificate?.expiry
            ?? configuration.clientSecretExpires.map { Expiry("client_secret", at: $0) }
    }

    /// A warning for the operator, at most once a day.
    func warning(at now: NumericDate) -> String? {
        let isDue = warnedAt.withLock { $0.map { !(0..<86_400).contains(now - $0) } ?? true }
        guard isDue,
            let warning = certificate?.warning(at: now) ?? expiry?.secretWarning(at: now)
        else { return nil }
        warnedAt.withLock { $0 = now }
        return warning
    }

    private func assertion(_ text: String) -> ClientProof {
        let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        return ClientProof(parameters: [
            ("client_id", configuration.clientID), ("client_assertion_type", type),
            ("client_assertion", text),
        ])
    }

    /// The token in the file.
    ///
    /// It is read each time, because its writer renews it, often within the hour.
    private func federatedToken(_ path: String, at now: NumericDate) throws(Failure) -> String {
        let file: FileSnapshot?
        do { file = try environment.readFile(path) } catch {
            throw .unusable("the federated token '\(path)': \(error)")
        }
        guard let file else { throw .unusable("there is no federated token at '\(path)'") }
        guard file.lines.count == 1, let text = file.lines.first,
            DisplayText.opaque(String(text.prefix(512))) != nil,
            let claims = Self.unverifiedClaims(text),
            let end = try? claims.integerIfPresent("exp", in: 0...253_402_300_799) ?? .max
        else { throw .unusable("'\(path)' is empty or not a token") }
        if now >= end {
            throw .unusable("the token in '\(path)' expired on \(CalendarTime.text(end))")
        }
        return text
    }

    /// The claims of this site's own token; the token endpoint verifies them.
    private static func unverifiedClaims(_ text: String) -> JSON.Members? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSON(parsing: payload)
        else { return nil }
        return claims.members
    }
}

extension AuthConfiguration {
    /// When the credential expires; `nil` if it does not, or if nobody has told.
    public func expiry(_ environment: Environment) -> Expiry? {
        ClientAuthentication(self, environment).expiry
    }
}
