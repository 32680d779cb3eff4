/// What comes of asking Entra again about somebody who is signed in.
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
            session.objectID == identity.objectID, session.tenantID == identity.tenantID
        else { return nil }
        return session
    }

    /// Entra answers with an error instead of a code.
    func refuseRevalidation(
        _ refusal: ProviderRefusal,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        // Only the browser that was sent there can tell what came of it.
        guard let browser = signIn.browser(of: request), state.belongs(to: browser) else {
            return ReaderPage.startAgain(returnPath: state.returnPath, request)
                .logging(.warning, "callback refused: the revalidation began in another browser")
        }
        switch refusal.error {
        case "temporarily_unavailable", "server_error":
            return postpone(state, browser, request, refusal.logText, at: now)
        case "login_required", "interaction_required", "consent_required",
            "account_selection_required":
            return endRevalidation(state, request, refusal.logText, at: now)
        default:
            let page = ReaderPage.refused(refusal, returnPath: state.returnPath, request)
            return end(state, request, page, refusal.logText, at: now)
        }
    }

    /// The code cannot be redeemed, or the ID token is not believed.
    func failRevalidation(
        _ error: any Error,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        guard let browser = signIn.browser(of: request), state.belongs(to: browser) else {
            return ReaderPage.startAgain(returnPath: state.returnPath, request)
                .logging(.warning, "callback refused: the revalidation began in another browser")
        }
        switch error {
        case TokenExchange.Failure.refused(let refusal, let status):
            let text = "token endpoint answered \(status) \(refusal.logText)"
            // The only refusal that is about the reader; the others are about the registration.
            if refusal.error == "invalid_grant" || refusal.error == "interaction_required" {
                return endRevalidation(state, request, text, at: now)
            }
            return postpone(state, browser, request, text, at: now)
        case TokenExchange.Failure.unreachable(let reason):
            return postpone(state, browser, request, "token endpoint: \(reason)", at: now)
        case GraphGroups.Failure.unreachable(let reason):
            return postpone(state, browser, request, "Graph: \(reason)", at: now)
        // As with a refusal of the registration: it says nothing about the reader.
        case ClientAuthentication.Failure.unusable(let reason),
            ClientAuthentication.Failure.unreachable(let reason):
            return postpone(state, browser, request, reason, at: now)
        case let error as ProviderError:
            return postpone(state, browser, request, error.description, at: now)
        default: return endRevalidation(state, request, "\(error)", at: now)
        }
    }

    /// Ends the session, and lets the reader sign in as anybody does, once.
    func endRevalidation(
        _ state: SignInState,
        _ request: Request,
        _ reason: String,
        at now: NumericDate
    ) -> Response {
        let browser = signIn.browser(of: request)
        let ordinary =
            if configuration.session.signIn == .page {
                ReaderPage.signIn(returnPath: state.returnPath, request)
            } else {
                signIn.begin(
                    request,
                    browser ?? Browser(id: environment.random(16), at: now),
                    returnPath: state.returnPath,
                    prompt: configuration.prompt,
                    retries: 0,
                    setsCookie: browser == nil,
                    at: now
                )
            }
        return end(state, request, ordinary, reason, at: now)
    }

    private func end(
        _ state: SignInState,
        _ request: Request,
        _ response: Response,
        _ reason: String,
        at now: NumericDate
    ) -> Response {
        // Nothing to end where it was ended meanwhile, or somebody else is signed in by now.
        guard let session = session(of: state, request, at: now) else { return response }
        guard storage.revoke(session.revocationName) else {
            return ReaderPage.configurationProblem(request)
                .logging(.error, "the list of ended sessions cannot be written")
        }
        var response = response
        response.setCookie(sessions.attributes.delete(Sessions.cookieName))
        return response.logging(
            .notice,
            "session of '\(session.objectID)' ended at revalidation: \(reason)"
        )
    }

    private func postpone(
        _ state: SignInState,
        _ browser: Browser,
        _ request: Request,
        _ reason: String,
        at now: NumericDate
    ) -> Response {
        let response = session(of: state, request, at: now).flatMap {
            signIn.postpone($0, browser, returnPath: state.returnPath, at: now)
        }
        let page =
            response
            ?? ReaderPage.providerUnreachable(
                returnPath: state.returnPath,
                request
            )
        return page.logging(.warning, "revalidation put off: \(reason)")
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
