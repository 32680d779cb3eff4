import HTTPTypes
import SiteauthConfiguration

/// An authorization request could not be left with the provider.
struct PushFailure: Error {
    let reason: any Error
}

/// The calls for which this site proves to the provider who it is.
extension Callback {
    /// Calls an endpoint, unless ``CircuitBreaker`` forbids it.
    func call<Answer>(
        _ metadata: ProviderMetadata,
        isPush: Bool = false,
        at now: NumericDate,
        _ endpoint: (TokenExchange, ClientProof) throws(TokenExchange.Failure) -> Answer
    ) throws -> Answer {
        let proof = try client.proof(for: metadata, isPush: isPush, at: now)
        guard memory.outage.mayCall(at: now) else {
            throw TokenExchange.Failure.unreachable(
                "not asked, because the last \(CircuitBreaker.failures) calls or more got no answer"
            )
        }
        var isAnswered = true
        // Every answer counts as answered. Otherwise a stranger with a code that makes some provider
        // fail could block sign-in for everybody.
        defer { memory.outage.countCall(isAnswered: isAnswered, at: environment.now()) }
        do throws(TokenExchange.Failure) {
            let exchange = TokenExchange(configuration: configuration, environment: environment)
            return try endpoint(exchange, proof)
        } catch {
            if case .unreachable = error { isAnswered = false }
            throw error
        }
    }

    /// Leaves the authorization request of a response with the provider, and returns the response
    /// that leads there (RFC 9126).
    ///
    /// There is no way on without: whoever can disturb the call could otherwise make the browser
    /// carry the request.
    func push(_ response: Response, _ request: Request, at now: NumericDate) -> Response {
        guard let pushed = response.pushed else { return response }
        var answer = response
        answer.pushed = nil
        do {
            let uri = try call(pushed.metadata, isPush: true, at: now) {
                (exchange, proof) throws(TokenExchange.Failure) in
                try exchange.requestURI(for: pushed.parameters, proof: proof, at: pushed.endpoint)
            }
            answer.http.headerFields[.location] = pushed.metadata.authorizationEndpoint.with([
                ("client_id", configuration.clientID), ("request_uri", uri),
            ])
            return answer
        } catch {
            return unpushed(response, pushed, "\(error)", request, at: now) {
                fail(PushFailure(reason: error), state(of: pushed), request, at: now)
            }
        }
    }

    /// Answers instead of a response whose authorization request cannot be pushed, because too many
    /// requests wait.
    func crowded(_ response: Response, _ request: Request, at now: NumericDate) -> Response {
        guard let pushed = response.pushed else { return response }
        return unpushed(response, pushed, "too many requests are waiting", request, at: now) {
            crowded(state(of: pushed), request, at: now)
        }
    }

    private func state(of pushed: PushedRequest) -> SignInState {
        guard let state = SignInState(pushed.state) else {
            preconditionFailure("a state that was written now cannot be read")
        }
        return state
    }

    private func unpushed(
        _ response: Response,
        _ pushed: PushedRequest,
        _ reason: String,
        _ request: Request,
        at now: NumericDate,
        else page: () -> Response
    ) -> Response {
        let (path, known) = (pushed.returnPath, pushed.session)
        // A provider that does not take the request has said nothing about the reader.
        let postponed = known.flatMap { signIn.postpone($0, $1, returnPath: path, at: now) }
        var answer =
            postponed?.logging(
                .warning,
                "revalidation postponed: pushed authorization request: \(reason)",
                about: Event.Subject(known?.0)
            ) ?? page()
        if answer.pushed != nil {
            // Another sign-in would need the same call.
            let text = "pushed authorization request: \(reason)"
            answer = ReaderPage.providerUnreachable(returnPath: path, request)
                .logging(.error, text, as: .providerFailure)
        }
        answer.events = response.events + answer.events
        // A postponed session has brought its own.
        for field in response.http.headerFields[fields: .setCookie] where postponed == nil {
            answer.http.headerFields.append(field)
        }
        return answer
    }
}
