import Access
import HTTPTypes
import MicrosoftGraph
import SiteauthConfiguration

/// The pages and log lines of callbacks that do not end with a session.
extension Callback {
    func fail(
        _ error: any Error,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        let isPush = error is PushFailure
        let error = (error as? PushFailure)?.reason ?? error
        let endpoint = isPush ? "pushed authorization request" : "token endpoint"
        let unfinished = isPush ? "sign-in not started" : "callback not finished"
        // After a restart, used codes are unknown again: a reader who reloads an old callback and
        // is signed in goes on to the page. Every other failure is shown; if such a reader were
        // sent on, the check would send them back here, in a loop.
        if case TokenExchange.Failure.refused(let refusal, _) = error,
            refusal.error == "invalid_grant", isSignedIn(request, for: state, at: now)
        {
            let text = "callback repeated; the reader is already signed in: \(refusal.summary)"
            return .redirect(to: configuration.origin + state.returnPath)
                .logging(.notice, text, as: .signInRepetition)
        }
        if state.isRevalidation {
            return failRevalidation(error, at: endpoint, state, request, at: now)
        }
        switch error {
        case TokenExchange.Failure.refused(let refusal, let status):
            return refused(refusal, state, request).logging(
                .error,
                "\(endpoint) answered \(status) \(refusal.explainedLogText)",
                as: .providerRefusal
            )
        case TokenExchange.Failure.unreachable(let reason),
            TokenExchange.Failure.unavailable(let reason):
            return ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
                .logging(.error, "\(endpoint): \(reason)", as: .providerFailure)
        case TokenExchange.Failure.unusable(let reason):
            return ReaderPage.providerAnswerUnusable(returnPath: state.returnPath, request)
                .logging(.error, "\(endpoint): \(reason)", as: .providerFailure)
        case let failure as GraphFailure:
            let text = "more groups than fit into a token; Graph: \(failure)"
            if failure.isRefusal {
                return ReaderPage.tooManyGroups.response(request)
                    .logging(.error, "callback refused: \(text)", as: .signInRefusal)
            }
            return ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
                .logging(.error, "callback not finished: \(text)", as: .providerFailure)
        case ClientAuthentication.Failure.unusable(let reason):
            return ReaderPage.configurationProblem.response(request)
                .logging(.error, "\(unfinished): \(reason)", as: .problem)
        case ClientAuthentication.Failure.unreachable(let reason):
            return ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
                .logging(.error, "\(unfinished): \(reason)", as: .providerFailure)
        case UserInfo.Failure.otherSubject:
            return ReaderPage.providerAnswerUnusable(returnPath: state.returnPath, request)
                .logging(.error, "callback refused: \(error)", as: .signInRefusal)
        case let error as ProviderError:
            return ReaderPage.providerFailure(error, returnPath: state.returnPath, request)
                .logging(.error, "\(unfinished): \(error)", as: .providerFailure)
        case IDTokenRejection.unconfirmed where asksAgain(state):
            return askForCredentials(state, request, at: now)
                .logging(.notice, "asking for credentials: \(error)")
        case let rejection as IDTokenRejection where rejection.isAboutConfirmation(in: state):
            return ReaderPage.moreWanted(returnPath: state.returnPath, request)
                .logging(.warning, "callback refused: \(error)", as: .signInRefusal)
        case let rejection as IDTokenRejection where rejection.isAboutAccount:
            return ReaderPage.accountNotAdmitted(returnPath: state.returnPath, request)
                .logging(.warning, "callback refused: \(rejection)", as: .signInRefusal)
        case let rejection as IDTokenRejection where rejection.isAboutAnswer:
            return ReaderPage.providerAnswerUnusable(returnPath: state.returnPath, request)
                .logging(.error, "callback refused: \(rejection)", as: .signInRefusal)
        default: return refuse(request, "\(error)", returnPath: state.returnPath)
        }
    }

    /// Whether the browser has a session that passes the check, so that this callback's failure
    /// does not matter.
    func isSignedIn(_ request: Request, for state: SignInState, at now: NumericDate) -> Bool {
        guard let session = sessions.live(in: request.cookie, at: now),
            let policy = request.release.flatMap(storage.policy),
            session.groupsDigest == policy.groupsDigest
        else { return false }
        if let context = state.context.flatMap(policy.context(named:)),
            !session.hasConfirmed(context, at: now)
        {
            return false
        }
        return sessions.state(of: session, at: now).permits(.page)
    }

    /// The page for a refusal by the provider.
    func refused(
        _ refusal: OAuthErrorResponse,
        _ state: SignInState,
        _ request: Request
    ) -> Response {
        ReaderPage.refused(
            refusal,
            isSignedIn: state.context != nil,
            returnPath: state.returnPath,
            request
        )
    }

    func refuse(
        _ request: Request,
        _ reason: String,
        returnPath: String = ReturnPath.home
    ) -> Response {
        ReaderPage.startAgain(returnPath: returnPath, request)
            .logging(.warning, "callback refused: \(reason)", as: .signInRefusal)
    }
}
