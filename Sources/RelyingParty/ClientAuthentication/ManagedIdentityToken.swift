import HTTPTypes
import Jansson
import SiteauthConfiguration
import Synchronization

/// The token of a managed identity, used as client assertion and cached until shortly before it
/// expires.
final class ManagedIdentityToken: Sendable {
    private struct Token {
        let text: String
        let audience: String
        let endsAt: NumericDate
    }

    private let identity: Credential.ManagedIdentity
    private let environment: Environment
    private let token = Mutex<Token?>(nil)

    /// How many seconds before its expiry a token is replaced.
    private static let reserve = 300

    init(_ identity: Credential.ManagedIdentity, _ environment: Environment) {
        self.identity = identity
        self.environment = environment
    }

    /// The audience of the token, which depends on the provider's cloud.
    static func audience(in metadata: ProviderMetadata) -> String {
        let cloud = metadata.cloudInstanceName ?? metadata.tokenEndpoint.providerHost
        if cloud.hasSuffix(".us") { return "api://AzureADTokenExchangeUSGov" }
        if cloud.hasSuffix(".cn") { return "api://AzureADTokenExchangeChina" }
        return "api://AzureADTokenExchange"
    }

    func current(
        audience: String,
        at now: NumericDate
    ) throws(ClientAuthentication.Failure) -> String {
        if let token = token.withLock({ $0 }), token.audience == audience,
            now < token.endsAt - Self.reserve
        {
            return token.text
        }
        let fresh = try fetch(audience)
        token.withLock { $0 = fresh }
        return fresh.text
    }

    private func fetch(_ audience: String) throws(ClientAuthentication.Failure) -> Token {
        let request = request(audience)
        let answer: (response: HTTPResponse, body: [UInt8])
        do { answer = try environment.sendToMachine(request, []) } catch {
            throw .unreachable("the managed identity: \(error)")
        }
        let status = answer.response.status.code
        let members = (try? JSON(parsing: answer.body))?.members ?? [:]
        guard status == 200 else {
            let description = try? members.explanationIfPresent("error_description")
            let reason = description ?? (try? members.explanationIfPresent("message")) ?? ""
            let text = "the managed identity '\(identity.clientID)' got no token: status \(status)"
            throw .unreachable(reason.isEmpty ? text : "\(text) '\(reason)'")
        }
        // Azure sends this number as a string or as a number.
        let number = try? members.textIfPresent("expires_on").flatMap(Int.init)
        guard let text = try? members.text("access_token", maximumBytes: 64 << 10),
            let endsAt = number ?? (try? members.integerIfPresent("expires_on")),
            (0..<253_402_300_800).contains(endsAt)
        else { throw .unreachable("the managed identity: the answer has no token") }
        return Token(text: text, audience: audience, endsAt: endsAt)
    }

    private func request(_ audience: String) -> HTTPRequest {
        let url: WebURL
        let path: String
        let version: String
        var fields: HTTPFields = [.accept: "application/json"]
        switch identity.service {
        case .appService(let endpoint, let header):
            (url, path, version) = (endpoint, endpoint.path, "2019-08-01")
            fields[.identityHeader] = header
        case .instanceMetadata(let origin):
            (url, path, version) = (origin, "/metadata/identity/oauth2/token", "2018-02-01")
            fields[.metadata] = "true"
        }
        let query = Form.encode([
            ("api-version", version), ("resource", audience), ("client_id", identity.clientID),
        ])
        return HTTPRequest(.get, url, path: "\(path)?\(query)", fields)
    }
}

extension HTTPField.Name {
    fileprivate static let metadata = literal("Metadata")
    fileprivate static let identityHeader = literal("X-IDENTITY-HEADER")
}
