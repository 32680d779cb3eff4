import JOSE
import Jansson

extension ClientAssertion {
    /// A federated identity credential: an issuer whose tokens authenticate the application.
    struct FederatedCredential: Sendable {
        let issuer: String
        let subject: String
        /// The assertion's audience must be one of these; usually `api://AzureADTokenExchange`.
        let audiences: [String]
        /// The keys of the issuer.
        let keys: JSONWebKeySet
    }

    /// Verifies an assertion with the federated credentials of the application.
    ///
    /// All values are compared exactly, as Entra does since 2025: another case or one more slash is
    /// another issuer.
    func verify(federated credentials: [FederatedCredential], now: Int) throws(Rejection) {
        if credentials.isEmpty {
            throw Self.noRecord(70_021, "issuer", unverifiedIssuer)
        }
        let ofIssuer = credentials.filter { $0.issuer == unverifiedIssuer }
        if ofIssuer.isEmpty {
            throw Self.noRecord(700_211, "issuer", unverifiedIssuer)
        }
        let claims = try claims(ofIssuer)
        try Self.checkTimes(claims, now: now)
        let subject = claims["sub"]?.string
        let ofSubject = ofIssuer.filter { $0.subject == subject }
        if ofSubject.isEmpty {
            throw Self.noRecord(700_213, "subject", subject ?? "")
        }
        let audiences = Self.audiences(claims)
        guard ofSubject.contains(where: { $0.audiences.contains(where: audiences.contains) }) else {
            throw Self.noRecord(700_212, "audience", audiences.joined(separator: " "))
        }
    }

    private func claims(_ credentials: [FederatedCredential]) throws(Rejection) -> JSON {
        let keyID = signature.unverifiedHeader.keyID
        let keys = credentials.flatMap { credential in
            keyID.map { credential.keys.keys(named: $0) } ?? credential.keys.keys
        }
        if keys.isEmpty {
            throw Self.invalidSignature(
                "'\(unverifiedIssuer)' has no key '\(keyID ?? "")' in its key set"
            )
        }
        // A key that names no algorithm verifies PS256 as well; Entra takes RS256 only.
        guard signature.unverifiedHeader.algorithm == .rs256,
            let payload = keys.lazy.compactMap({ signature.verified(by: $0) }).first,
            let claims = try? JSON(parsing: payload.bytes)
        else {
            throw Self.invalidSignature(
                "it was made with another key than those of '\(unverifiedIssuer)'"
            )
        }
        return claims
    }

    private static func noRecord(_ number: Int, _ claim: String, _ presented: String) -> Rejection {
        Rejection(
            number: number,
            message: "No federated credential of the application matches the assertion's \(claim)"
                + " '\(presented)'. Upper and lower case must match, too."
        )
    }
}
