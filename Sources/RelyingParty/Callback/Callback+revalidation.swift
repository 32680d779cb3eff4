import MicrosoftGraph
import SiteauthConfiguration

/// The callbacks of revalidations; ``SessionState`` has the table of their outcomes.
///
/// The session ends unless the provider confirms it. If the provider is out of order, the session
/// goes on for ``SessionSettings/revalidateGraceSeconds``.
extension Callback {
    /// The session that is being revalidated, if it still exists and belongs to this reader.
    func revalidated(
        _ state: SignInState,
        _ identity: VerifiedIDToken,
        _ request: Request,
        at now: NumericDate
    ) -> Session? {
        // The session may have ended, here or elsewhere, during the call to the provider.
        session(of: state, request, at: now).flatMap { isSameReader($0, identity) ? $0 : nil }
    }

    /// Compared as bytes: to Swift, two encodings of `é` are equal, but they may name two people.
    func isSameReader(_ session: Session, _ identity: VerifiedIDToken) -> Bool {
        session.objectID.utf8.elementsEqual(identity.objectID.utf8)
            && session.tenantID.utf8.elementsEqual(identity.tenantID.utf8)
    }

    /// Handles an error that the provider sends instead of a code.
    func refuseRevalidation(
        _ refusal: OAuthErrorResponse,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        // Providers differ in the errors they send for `prompt=none` (OpenID Connect Core 1.0,
        // section 3.1.2.1, names some). The ordinary sign-in that follows shows the reader what is
        // wrong.
        let isTransient = ["temporarily_unavailable", "server_error"].contains(refusal.error)
        let answer: SessionState.Answer = isTransient ? .unavailable : .refused
        return conclude(answer, state, request, refusal.logText, at: now)
    }

    /// Handles a code that cannot be redeemed, or an ID token that is refused.
    func failRevalidation(
        _ error: any Error,
        at endpoint: String,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        let (answer, reason): (SessionState.Answer, String) =
            switch error {
            case TokenExchange.Failure.refused(let refusal, let status):
                // Only these refusals are about the reader; all others are about this site's
                // registration.
                (
                    ["invalid_grant", "interaction_required"].contains(refusal.error)
                        ? .refused : .unavailable,
                    "\(endpoint) answered \(status) \(refusal.explainedLogText)"
                )
            case TokenExchange.Failure.unreachable(let reason),
                TokenExchange.Failure.unavailable(let reason),
                TokenExchange.Failure.unusable(let reason):
                (.unavailable, "\(endpoint): \(reason)")
            case let failure as GraphFailure where !failure.isRefusal:
                (.unavailable, "Graph: \(failure)")
            // A missing credential of this site says nothing about the reader either.
            case ClientAuthentication.Failure.unusable(let reason),
                ClientAuthentication.Failure.unreachable(let reason):
                (.unavailable, reason)
            case let error as ProviderError: (.unavailable, error.description)
            // Neither does an algorithm that Entra never uses.
            case IDTokenRejection.noAlgorithm: (.unavailable, "\(error)")
            default: (.refused, "\(error)")
            }
        return conclude(answer, state, request, reason, at: now)
    }

    /// Ends, renews or postpones the session as the answer demands, and sends the reader on.
    func conclude(
        _ answer: SessionState.Answer,
        _ state: SignInState,
        _ request: Request,
        _ reason: String,
        at now: NumericDate
    ) -> Response {
        // An answer that another browser brings says nothing about this session.
        guard let browser = signIn.browser(of: request), state.belongs(to: browser) else {
            return ReaderPage.startAgain(returnPath: state.returnPath, request)
                .logging(.warning, "callback refused: the revalidation began in another browser")
        }
        guard let session = session(of: state, request, at: now) else {
            // The session has ended meanwhile, or another reader is signed in now.
            return ordinarySignIn(state, browser, request, at: now)
        }
        switch sessions.state(of: session, at: now).consequence(of: answer) {
        case .ended: return end(session, state, browser, request, reason, at: now)
        case .postponed, .fresh, .unchanged:
            let response = signIn.postpone(
                session,
                browser,
                returnPath: state.returnPath,
                at: now
            )
            let page =
                response
                ?? ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
            return page.logging(
                .warning,
                "revalidation postponed: \(reason)",
                about: Event.Subject(session)
            )
        }
    }

    /// Ends the session, and starts one ordinary sign-in.
    private func end(
        _ session: Session,
        _ state: SignInState,
        _ browser: Browser,
        _ request: Request,
        _ reason: String,
        at now: NumericDate
    ) -> Response {
        guard storage.revoke(session.revocationName) else {
            return ReaderPage.configurationProblem.response(request)
                .logging(.error, "the list of ended sessions cannot be written")
        }
        var response = ordinarySignIn(state, browser, request, at: now)
        response.setCookie(sessions.attributes.delete(Sessions.cookieName))
        return response.logging(
            .notice,
            "session of '\(session.objectID)' ended at revalidation: \(reason)",
            about: Event.Subject(session)
        )
    }

    private func ordinarySignIn(
        _ state: SignInState,
        _ browser: Browser,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        if configuration.session.signIn == .page {
            return ReaderPage.signIn(returnPath: state.returnPath, request)
        }
        return signIn.begin(
            request,
            browser,
            returnPath: state.returnPath,
            prompt: configuration.prompt,
            retries: 0,
            setsCookie: false,
            at: now
        )
    }

    private func session(
        of state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Session? {
        let session = sessions.known(in: request.cookie, at: now)
        return session?.id == state.revalidatedSession ? session : nil
    }
}
