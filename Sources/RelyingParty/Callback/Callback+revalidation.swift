/// What comes of asking Entra again about somebody who is signed in; ``SessionState`` has the table.
///
/// Whatever is no clear yes ends the session; only where Entra itself is out of order it goes on,
/// for as long as ``SessionSettings/revalidateGraceSeconds`` say.
extension Callback {
    /// The session that Entra was asked about, if it is still there and this is its reader.
    func revalidated(
        _ state: SignInState,
        _ identity: VerifiedIDToken,
        _ request: Request,
        at now: NumericDate
    ) -> Session? {
        // It may have been ended, here or elsewhere, while Entra was asked.
        guard let session = session(of: state, request, at: now),
            // Bytes: Swift takes `é` as one character and as two for the same.
            session.objectID.utf8.elementsEqual(identity.objectID.utf8),
            session.tenantID.utf8.elementsEqual(identity.tenantID.utf8)
        else { return nil }
        return session
    }

    /// Entra answers with an error instead of a code.
    func refuseRevalidation(
        _ refusal: OAuthErrorResponse,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        // Which errors `prompt=none` brings differs from one provider to the next (OpenID Connect
        // Core 1.0, section 3.1.2.1 names some); an ordinary sign-in shows what is the matter.
        let isTransient = ["temporarily_unavailable", "server_error"].contains(refusal.error)
        let answer: SessionState.Answer = isTransient ? .unavailable : .refused
        return conclude(answer, state, request, refusal.logText, at: now)
    }

    /// The code cannot be redeemed, or the ID token is not believed.
    func failRevalidation(
        _ error: any Error,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        let (answer, reason): (SessionState.Answer, String) =
            switch error {
            case TokenExchange.Failure.refused(let refusal, let status):
                // The only refusals that are about the reader; others are about our registration.
                (
                    ["invalid_grant", "interaction_required"].contains(refusal.error)
                        ? .refused : .unavailable,
                    "token endpoint answered \(status) \(refusal.explainedLogText)"
                )
            case TokenExchange.Failure.unreachable(let reason),
                TokenExchange.Failure.unavailable(let reason),
                TokenExchange.Failure.unusable(let reason):
                (.unavailable, "token endpoint: \(reason)")
            case GraphGroups.Failure.unreachable(let reason): (.unavailable, "Graph: \(reason)")
            // As with a refusal of the registration: it says nothing about the reader.
            case ClientAuthentication.Failure.unusable(let reason),
                ClientAuthentication.Failure.unreachable(let reason):
                (.unavailable, reason)
            case let error as ProviderError: (.unavailable, error.description)
            default: (.refused, "\(error)")
            }
        return conclude(answer, state, request, reason, at: now)
    }

    /// Does to the session what the answer means for it, and sends its reader on.
    func conclude(
        _ answer: SessionState.Answer,
        _ state: SignInState,
        _ request: Request,
        _ reason: String,
        at now: NumericDate
    ) -> Response {
        // Only the browser that was sent there can tell what came of it.
        guard let browser = signIn.browser(of: request), state.belongs(to: browser) else {
            return ReaderPage.startAgain(returnPath: state.returnPath, request)
                .logging(.warning, "callback refused: the revalidation began in another browser")
        }
        guard let session = session(of: state, request, at: now) else {
            // It was ended meanwhile, or somebody else is signed in by now.
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
            return page.logging(.warning, "revalidation postponed: \(reason)")
        }
    }

    /// Ends the session, and lets the reader sign in as anybody does, once.
    private func end(
        _ session: Session,
        _ state: SignInState,
        _ browser: Browser,
        _ request: Request,
        _ reason: String,
        at now: NumericDate
    ) -> Response {
        guard storage.revoke(session.revocationName) else {
            return ReaderPage.configurationProblem(request)
                .logging(.error, "the list of ended sessions cannot be written")
        }
        var response = ordinarySignIn(state, browser, request, at: now)
        response.setCookie(sessions.attributes.delete(Sessions.cookieName))
        return response.logging(
            .notice,
            "session of '\(session.objectID)' ended at revalidation: \(reason)"
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
