import JOSE
import Jansson
import OpenSSL

extension ClientAssertion {
    /// Verifies an assertion that the application has signed with one of its certificates.
    ///
    /// - Parameters:
    ///   - certificates: the application's registered certificates.
    ///   - audiences: the URLs of the token endpoint that was asked.
    func verify(
        certificates: [Certificate],
        clientID: String,
        audiences: [String],
        now: Int
    ) throws(Rejection) {
        let claims = try claims(certificates: certificates, clientID: clientID, now: now)
        try Self.checkTimes(claims, now: now)
        guard claims["iss"]?.string == clientID else {
            throw Rejection(
                number: 700_021,
                message: "The client assertion was issued by '\(unverifiedIssuer)', but 'client_id'"
                    + " is '\(clientID)'."
            )
        }
        guard claims["sub"]?.string == clientID else {
            throw Rejection(
                number: 700_022,
                message: "The client assertion is about '\(claims["sub"]?.string ?? "")', but"
                    + " 'client_id' is '\(clientID)'."
            )
        }
        let given = Self.audiences(claims)
        guard given.contains(where: audiences.contains) else {
            throw Rejection(
                number: 700_023,
                message: "The client assertion is meant for '\(given.joined(separator: " "))';"
                    + " expected '\(audiences.first ?? "")'."
            )
        }
    }

    private func claims(
        certificates: [Certificate],
        clientID: String,
        now: Int
    ) throws(Rejection) -> JSON {
        guard let certificate = certificates.first(where: isNamed) else {
            let header = signature.unverifiedHeader
            let thumbprint = header.certificateThumbprintSHA256 ?? header.certificateThumbprint
            throw Self.invalidSignature(
                "the certificate with the thumbprint '\(thumbprint ?? "")' is not registered for"
                    + " the application '\(clientID)'"
            )
        }
        guard certificate.notBefore <= now, now <= certificate.notAfter else {
            throw Self.invalidSignature(
                "it is \(now), and the certificate is valid from \(certificate.notBefore) to"
                    + " \(certificate.notAfter)"
            )
        }
        let key = JSONWebKey(certificate, for: [.rs256, .ps256])
        guard let payload = signature.verified(by: key),
            let claims = try? JSON(parsing: payload.bytes)
        else { throw Self.invalidSignature("it was made with another key than the certificate's") }
        return claims
    }

    /// Whether the header names the certificate, by one thumbprint or by both.
    ///
    /// Thumbprints in RFC 7515 have no padding. MSAL for Python sends padding, and Entra accepts
    /// it.
    private func isNamed(_ certificate: Certificate) -> Bool {
        let header = signature.unverifiedHeader
        let sha1 = header.certificateThumbprint.map(Self.withoutPadding)
        let sha256 = header.certificateThumbprintSHA256.map(Self.withoutPadding)
        if sha1 == nil, sha256 == nil { return false }
        return (sha1 == nil || sha1 == Base64URL.encode(Digest.sha1(certificate.der)))
            && (sha256 == nil || sha256 == Base64URL.encode(Digest.sha256(certificate.der)))
    }

    private static func withoutPadding(_ text: String) -> String {
        guard text.utf8.count % 4 == 0, text.hasSuffix("=") else { return text }
        return String(text.dropLast(text.hasSuffix("==") ? 2 : 1))
    }

    static func invalidSignature(_ reason: String) -> Rejection {
        Rejection(
            number: 700_027,
            message: "The signature of the client assertion is not valid: \(reason)."
        )
    }
}
