import MicrosoftGraph
import SiteauthConfiguration

extension GraphClient {
    /// A client with tokens that this site gets for itself, by the credential of sign-ins (RFC 6749,
    /// section 4.4).
    init(
        _ metadata: ProviderMetadata,
        _ client: ClientAuthentication,
        _ configuration: AuthConfiguration,
        _ environment: Environment,
        token: Token? = nil,
        requests: Int
    ) throws(GraphFailure) {
        guard let origin = metadata.graph else {
            throw .failed("the provider's metadata name no Microsoft Graph")
        }
        let exchange = TokenExchange(configuration: configuration, environment: environment)
        self.init(
            at: origin,
            token,
            requests: requests,
            send: environment.send,
            now: environment.now,
            fetchToken: { () throws(GraphFailure) in
                do {
                    let now = environment.now()
                    let (text, seconds) = try exchange.applicationToken(
                        for: "\(origin.origin)/.default",
                        proof: client.proof(for: metadata, at: now),
                        at: metadata.tokenEndpoint
                    )
                    return Token(text, expiresAt: now + seconds)
                } catch ClientAuthentication.Failure.unusable(let reason),
                    ClientAuthentication.Failure.unreachable(let reason)
                {
                    throw .failed(reason)
                } catch TokenExchange.Failure.refused(let refusal, let status) {
                    let reason = "status \(status), \(refusal.explainedSummary)"
                    throw .failed("no token for Graph: \(reason)")
                } catch { throw .failed("no token for Graph: \(error)") }
            }
        )
    }
}
