import HTTPTypes
import JOSE
import Jansson
import OpenSSL

/// Authenticates the application at the token endpoint (RFC 6749, section 2.3; RFC 7523).
struct ClientAuthentication: Sendable {
    let directory: Directory
    let authority: Authority
    let finder: AuthorityFinder
    let keys: SigningKeys
    let origin: Origin
    let now: Int

    /// Returns the application, after verifying its credential if it sent one.
    func client(
        _ form: QueryItems,
        _ request: EmulatorRequest
    ) throws(ProtocolError) -> Client {
        let basic = request.http.headerFields[.authorization].flatMap(BasicCredentials.init)
        guard let clientID = basic?.clientID ?? form["client_id"] else {
            throw .missing("client_id")
        }
        let application = try Registration.application(clientID, authority, directory)
        let assertion = form["client_assertion"]
        let secret = basic?.secret ?? form["client_secret"]
        if application.isPublic {
            guard assertion == nil, secret == nil else {
                throw .invalidClient(
                    700_025,
                    "The application is a public client and must not send a credential."
                )
            }
        }
        if let secret {
            try check(secret, application)
            return Client(application: application, proof: .secret)
        }
        guard let assertion else { return Client(application: application, proof: .none) }
        try check(assertion, form["client_assertion_type"], application)
        return Client(application: application, proof: .certificate)
    }

    private func check(
        _ assertion: String,
        _ type: String?,
        _ application: Application
    ) throws(ProtocolError) {
        guard type == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
            throw .missing("client_assertion_type")
        }
        do throws(ClientAssertion.Rejection) {
            let assertion = try ClientAssertion(parsing: assertion)
            if assertion.isFederated {
                try assertion.verify(federated: credentials(application), now: now)
            } else {
                try assertion.verify(
                    certificates: application.certificates,
                    clientID: application.clientID,
                    audiences: audiences,
                    now: now
                )
            }
        } catch {
            throw ProtocolError(error.error, error.number, error.message, status: error.status)
        }
    }

    /// The URLs of the token endpoint, and the issuer, which Entra accepts as well.
    private var audiences: [String] {
        let path = "\(authority.path)/oauth2/v2.0/token"
        let issuer = finder.issuer(authority)
        return [origin.text + path, finder.base.text + path, issuer]
    }

    private func credentials(
        _ application: Application
    ) -> [ClientAssertion.FederatedCredential] {
        let own = KeySetDocument(keys: keys, finder: finder).json(authority)
        let ownKeys = JSONWebKeySet(parsing: Array(own.text.utf8))
        return application.federatedCredentials.compactMap { credential in
            guard let keys = credential.keys ?? ownKeys else { return nil }
            return ClientAssertion.FederatedCredential(
                issuer: credential.issuer,
                subject: credential.subject,
                audiences: [credential.audience],
                keys: keys
            )
        }
    }

    private func check(_ secret: String, _ application: Application) throws(ProtocolError) {
        let known = application.secrets.first {
            Digest.equal(Array($0.value.utf8), Array(secret.utf8))
        }
        guard let known else {
            let isID = application.secrets.contains { $0.id == secret.lowercased() }
            throw .invalidClient(
                7_000_215,
                "The client secret is not one of the application '\(application.clientID)'."
                    + (isID ? " The request has the id of a secret; it must have its value." : "")
            )
        }
        if let expires = known.expires, now >= expires {
            throw .invalidClient(
                7_000_222,
                "The client secret of the application '\(application.clientID)' has expired."
            )
        }
    }
}
