import Access
import HTTPTypes
import JOSE
import SiteauthConfiguration

/// Handles the redirect from the provider: redeems the code, verifies the ID token, creates the
/// session, and sends the browser to the page it first wanted.
struct Callback: Sendable {
    let configuration: AuthConfiguration
    let environment: Environment
    let provider: Provider
    let keys: KeyRing
    let sessions: Sessions
    let storage: Storage
    let signIn: SignIn
    let client: ClientAuthentication
    let memory: CallbackMemory

    /// Answers callbacks that need no call to the provider; all others become ``Outcome/wait(_:)``.
    func outcome(of request: Request, at now: NumericDate) -> Outcome {
        if request.method == .post { return .answer(carry(request)) }
        // A prefetch or a link preview would use up the code.
        guard request.method == .get, !request.isPrefetch else {
            return .answer(Response(.methodNotAllowed))
        }
        switch authorizationResponse(in: request) {
        case .none: return .answer(.redirect(to: configuration.origin + ReturnPath.home))
        case .malformed(let reason): return .answer(refuse(request, reason))
        case .failure(let refusal, let state, let issuer):
            // Without a state that this site made, anybody may have invented the error: a warning
            // is enough.
            guard let known = state.flatMap({ open($0, at: now) }) else {
                return .answer(refuse(request, "the error has no 'state' that this site made"))
            }
            // An error without `iss` is accepted: it has no code to steal, and Canaille omits `iss`
            // in errors.
            if issuer != nil, let rejection = provider.known?.rejection(ofAnswerBy: issuer) {
                return .answer(
                    refuse(request, "\(rejection)", returnPath: known.returnPath)
                )
            }
            if known.isRevalidation {
                let response = refuseRevalidation(refusal, known, request, at: now)
                return .answer(response.onTheWay(to: known.returnPath))
            }
            let what = known.context.map { "confirmation of '\($0)'" } ?? "sign-in"
            let page = refused(refusal, known, request).logging(
                .warning,
                "\(what) refused by the provider: \(refusal.logText)",
                as: .providerRefusal,
                about: Event.Subject(sessions.live(in: request.cookie, at: now))
            )
            return .answer(page.onTheWay(to: known.returnPath))
        case .success(let answer): return outcome(of: answer, request, at: now)
        }
    }

    private func outcome(
        of answer: AuthorizationResponse.Code,
        _ request: Request,
        at now: NumericDate
    ) -> Outcome {
        guard let state = open(answer.state, at: now) else {
            return .answer(refuse(request, "'state' was not made by this site, or has expired"))
        }
        guard let browser = signIn.browser(of: request), state.belongs(to: browser),
            let secrets = SignInSecrets(keys, state: answer.state, browser: browser)
        else {
            let response = otherBrowser(state, request, at: now)
            return .answer(response.onTheWay(to: state.returnPath))
        }
        guard let policy = request.release.flatMap(storage.policy) else {
            let text = "callback refused: the release has no access policy\(storage.policyReason)"
            return .answer(ReaderPage.configurationProblem.response(request).logging(.error, text))
        }
        // The state is marked as used after every check that a stranger fails, so that strangers
        // cannot use up the states of readers.
        guard memory.usedStates.use(state, at: now) else {
            let response = repetition(state, request, at: now)
            return .answer(response.onTheWay(to: state.returnPath))
        }
        let arrival = Arrival(
            answer: answer,
            state: state,
            secrets: secrets,
            browser: browser,
            policy: policy,
            request: request
        )
        let queue: Waiting.Queue =
            state.isRevalidation
            ? .revalidation : isDoubtful(arrival, at: now) ? .doubtful : .signIn
        return .wait(
            Waiting(queue: queue, since: now, returnPath: state.returnPath) { now in
                // Invented codes may have arrived in a burst, before the provider refused the first
                // one.
                if queue == .signIn, isDoubtful(arrival, at: now) {
                    return crowded(state, request, at: now)
                }
                do {
                    return finish(arrival, of: try user(arrival, at: now), at: now)
                } catch {
                    return fail(error, state, request, at: now)
                }
            } refusal: { now in
                crowded(state, request, at: now)
            }
        )
    }

    /// Whether the code is probably invented.
    ///
    /// A browser that has completed a sign-in is trusted, whatever others behind the same address
    /// do.
    private func isDoubtful(_ arrival: Arrival, at now: NumericDate) -> Bool {
        arrival.browser.rounds == 0
            && memory.inventedCodes.isDoubtful(arrival.request.network, at: now)
    }

    /// Creates the session of the user whom the provider named, or says why there is none.
    private func finish(
        _ arrival: Arrival,
        of user: SignedInUser,
        at now: NumericDate
    ) -> Response {
        let (state, request) = (arrival.state, arrival.request)
        let known = revalidated(state, user.identity, request, at: now)
        if state.isRevalidation, known == nil {
            let reason = "another account answered, or the session had already ended"
            return conclude(.someoneElse, state, request, reason, at: now)
        }
        let groups: Set<String>
        switch user.membership {
        case .member(let names): groups = names
        case .unknown:
            return ReaderPage.tooManyGroups.response(request)
                .logging(
                    .error,
                    "callback refused: more groups than fit into a token, and 'group_overage' is"
                        + " 'refuse'; use app roles, or let Entra send only the groups that are"
                        + " assigned to the application",
                    as: .signInRefusal
                )
        }
        let session = session(of: user, groups, arrival, renewing: known, at: now)
        let response = admit(session, of: user, arrival, at: now)
        return hinting(user.idToken, of: session, response, at: now)
            .logging(.warning, ifAny: user.profile.problem)
            .logging(.warning, ifAny: Self.doubt(about: user, state))
    }

    /// A warning for the operator if `prompt = "login"` was asked for, but the token does not prove
    /// it.
    private static func doubt(about user: SignedInUser, _ state: SignInState) -> String? {
        guard state.demandsLogin, user.identity.token.authenticatedAt == nil else { return nil }
        let remedy = "add the optional claim 'auth_time' to the registration"
        return "'prompt' is 'login', but no 'auth_time' proves a new sign-in; \(remedy)"
    }

    func context(of state: SignInState, _ request: Request) -> AuthenticationContext? {
        let policy = request.release.flatMap(storage.policy)
        return state.context.flatMap { policy?.context(named: $0) }
    }

    private func open(_ sealed: String, at now: NumericDate) -> SignInState? {
        let state = keys.open(sealed, for: .state).flatMap(SignInState.init)
        return state.flatMap { $0.isExpired(at: now) ? nil : $0 }
    }

    /// Redeems the code, and verifies the ID token.
    func identify(
        _ arrival: Arrival,
        at now: NumericDate
    ) throws -> (identity: VerifiedIDToken, tokens: TokenExchange.Tokens) {
        let (answer, state, secrets) = (arrival.answer, arrival.state, arrival.secrets)
        let request = arrival.request
        let metadata = try provider.current().metadata
        // A code that another provider issued must not be sent to this one (mix-up attack, RFC
        // 9207).
        if let rejection = metadata.rejection(ofAnswerBy: answer.issuer) { throw rejection }
        let tokens: TokenExchange.Tokens
        do {
            tokens = try call(metadata, at: now) {
                (exchange, proof) throws(TokenExchange.Failure) in
                try exchange.tokens(
                    code: answer.code,
                    verifier: secrets.verifier,
                    proof: proof,
                    at: metadata.tokenEndpoint
                )
            }
        } catch TokenExchange.Failure.refused(let refusal, let status) {
            if !refusal.isAboutTheClient || refusal.isAboutTheCode {
                let now = environment.now()
                memory.inventedCodes.count(request.network, isRedeemed: false, at: now)
            }
            throw TokenExchange.Failure.refused(refusal, status: status)
        }
        memory.inventedCodes.count(request.network, isRedeemed: true, at: environment.now())
        let validation = IDTokenValidation(
            metadata: metadata,
            clientID: configuration.clientID,
            allowedTenants: configuration.allowedTenants,
            algorithms: configuration.provider.idTokenAlgorithms,
            now: now,
            nonce: secrets.nonce,
            loginDemandedAt: state.demandsLogin ? state.startedAt : nil,
            context: state.context.flatMap(arrival.policy.context(named:)),
            contextTenants: configuration.roleTenants
        )
        let identity = try validation.verify(
            tokens.idToken,
            accessToken: tokens.accessToken,
            keys: provider.keys(for:),
            newKeys: provider.newKeys(for:)
        )
        return (identity, tokens)
    }

    /// Sets the session cookie, and redirects to the page that the reader first wanted.
    private func admit(
        _ session: Session,
        of user: SignedInUser,
        _ arrival: Arrival,
        at now: NumericDate
    ) -> Response {
        let (state, request) = (arrival.state, arrival.request)
        guard let cookie = sessions.cookie(for: session, at: now) else {
            return ReaderPage.sessionTooLarge.response(request)
                .logging(
                    .error,
                    "callback refused: with \(session.groups.count) groups the session of "
                        + "'\(session.objectID)' does not fit into a cookie",
                    as: .signInRefusal,
                    about: Event.Subject(session)
                )
        }
        // The sessions that this browser had end, also one of the same reader: otherwise a stolen
        // copy of an older cookie would stay valid, and the browser could no longer end it.
        for other in sessions.allToEnd(in: request.cookie)
        where other.revocationName != session.revocationName {
            // If the disk is full, a session that has expired anyway must not block the sign-in.
            guard storage.revoke(other.revocationName) || sessions.isOver(other, at: now) else {
                return ReaderPage.configurationProblem.response(request)
                    .logging(.error, "the list of ended sessions cannot be written", as: .problem)
            }
        }
        var response = Response.redirect(to: configuration.origin + state.returnPath)
        response.setCookie(cookie)
        response.setCookie(
            signIn.counted(
                arrival.browser,
                after: sessions.newest(in: request.cookie),
                isConfirmation: state.context != nil,
                at: now
            )
        )
        if let name = session.providerSessionName,
            !storage.noteProviderSession(name, sessions.longestEnd(from: now))
        {
            let text = "signing out at the provider will not end the session here of"
            response = response.logging(
                .error,
                "\(text) '\(session.objectID)': the list of provider sessions cannot be written",
                about: Event.Subject(session)
            )
        }
        if configuration.provider.graphPollSeconds > 0,
            !storage.noteAccount(Revocation.accountName(session.object, in: session.tenant), now)
        {
            let text = "Microsoft Graph will not be asked about"
            response = response.logging(
                .error,
                "\(text) '\(session.objectID)': the list of who signed in cannot be written",
                about: Event.Subject(session)
            )
        }
        let what = state.isRevalidation ? "revalidated" : "signed in"
        var text = "\(what) '\(session.objectID)' of '\(session.tenantID)'"
        text += ", groups \(session.groups)"
        // The policy may have changed since the question.
        for one in session.confirmations where one.context == state.context {
            text += ", confirmed '\(one.context)'"
        }
        if user.profile.groups.isEmpty, user.identity.token.roles.isEmpty {
            text += session.groups.isEmpty ? "; the provider named neither groups nor roles" : ""
        }
        if session.loginHint.isEmpty, provider.known?.isEntra == true {
            text += "; the ID token has no 'login_hint'"
        }
        return response.logging(.notice, text, as: .signIn, about: Event.Subject(session))
    }

    /// Answers if the queue is full, or the wait was too long; the code was not used.
    func crowded(
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        let reason = "too many requests are waiting for the provider"
        if state.isRevalidation {
            return conclude(.unavailable, state, request, reason, at: now)
        }
        return ReaderPage.crowded(returnPath: state.returnPath, request)
            .logging(.error, "callback not finished: \(reason)", as: .providerFailure)
    }
}
