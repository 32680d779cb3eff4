import Access
import HTTPTypes
import JOSE

/// Answers what Entra sends the browser back with: code, ID token, session, the page first wanted.
struct Callback: Sendable {
    let configuration: AuthConfiguration
    let environment: Environment
    let provider: Provider
    let keys: KeyRing
    let sessions: Sessions
    let storage: Storage
    let signIn: SignIn

    func respond(to request: Request, at now: NumericDate) -> Response {
        // A prefetch or a link preview would use up the code.
        guard request.method == .get, !request.isPrefetch else {
            return Response(.methodNotAllowed)
        }
        switch AuthorizationResponse(query: request.query) {
        case .none: return .redirect(to: configuration.origin + ReturnPath.home)
        case .malformed(let reason): return refuse(request, reason)
        case .failure(let refusal, let state):
            // Without a state of ours it is somebody's invention, and not worth an alarm.
            guard let known = state.flatMap({ open($0, at: now) }) else {
                return refuse(request, "an error came without a 'state' from here")
            }
            let page = ReaderPage.refused(refusal, returnPath: known.returnPath, request)
            return page.logging(
                .warning,
                "sign-in refused by the provider: \(refusal.logText)",
                as: .providerRefusal
            )
        case .success(let answer):
            guard let state = open(answer.state, at: now) else {
                return refuse(request, "'state' is not from here, or too old")
            }
            guard let browser = signIn.browser(of: request), state.belongs(to: browser),
                let secrets = SignInSecrets(keys, state: answer.state, browser: browser)
            else { return otherBrowser(state, request, at: now) }
            do {
                let identity = try identify(answer, secrets, at: now)
                return admit(identity, browser, state, answer.sessionState, request, at: now)
            } catch {
                return fail(error, state, request, at: now)
            }
        }
    }

    private func open(_ sealed: String, at now: NumericDate) -> SignInState? {
        let state = keys.open(sealed, for: .state).flatMap(SignInState.init)
        return state.flatMap { $0.isExpired(at: now) ? nil : $0 }
    }

    /// Redeems the code and judges the ID token.
    private func identify(
        _ answer: AuthorizationResponse.Code,
        _ secrets: SignInSecrets,
        at now: NumericDate
    ) throws -> VerifiedIDToken {
        let metadata = try provider.current().metadata
        // RFC 9207, section 2.4: a code of another provider is not shown to this one.
        if let issuer = answer.issuer, !metadata.admits(issuer) {
            throw IDTokenRejection.issuer(issuer, expected: metadata.issuer)
        }
        let exchange = TokenExchange(configuration: configuration, environment: environment)
        let text = try exchange.idToken(
            code: answer.code,
            verifier: secrets.verifier,
            at: metadata.tokenEndpoint
        )
        let validation = IDTokenValidation(
            metadata: metadata,
            clientID: configuration.clientID,
            allowedTenants: configuration.allowedTenants,
            now: now,
            nonce: secrets.nonce
        )
        return try validation.verify(text) { (name) throws(ProviderError) in
            try provider.keys(named: name)
        }
    }

    /// Makes the session.
    private func admit(
        _ identity: VerifiedIDToken,
        _ browser: Browser,
        _ state: SignInState,
        _ sessionState: String?,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        guard let policy = request.release.flatMap(storage.policy) else {
            return ReaderPage.configurationProblem(request)
                .logging(
                    .error,
                    "callback refused: the release has no access policy",
                    as: .signInRefusal
                )
        }
        guard case .member(let groups) = GroupMembership(identity, in: policy.groups) else {
            return ReaderPage.tooManyGroups(request)
                .logging(
                    .error,
                    "callback refused: more groups than fit into a token; use app roles",
                    as: .signInRefusal
                )
        }
        let session = Session(
            id: environment.random(16),
            tenant: CompactText(identity.tenantID),
            object: CompactText(identity.objectID),
            name: identity.token.name,
            groupList: groups.sorted().joined(separator: ","),
            groupsDigest: policy.groupsDigest,
            // Entra sends the same value as `session_state`, even where `sid` is not configured.
            providerSession: CompactText(
                identity.token.sessionID ?? sessionState.flatMap(DisplayText.guid) ?? ""
            ),
            loginHint: identity.token.loginHint ?? "",
            startedAt: now,
            seenAt: now,
            verifiedAt: now
        )
        guard let cookie = sessions.cookie(for: session) else {
            return ReaderPage.configurationProblem(request)
                .logging(
                    .error,
                    "callback refused: the session does not fit into a cookie",
                    as: .signInRefusal
                )
        }
        // Somebody else who was signed in here no longer is; other tabs of the same person stay.
        for other in sessions.all(in: request.cookie)
        where other.object != session.object || other.tenant != session.tenant {
            guard storage.revoke(other.hexID) else {
                return ReaderPage.configurationProblem(request)
                    .logging(.error, "the list of ended sessions cannot be written", as: .problem)
            }
        }
        var response = Response.redirect(to: configuration.origin + state.returnPath)
        response.setCookie(cookie)
        var browser = browser
        browser.countRound(at: now)
        let value = keys.seal(browser.bytes, for: .browser)
        response.setCookie(sessions.attributes.set(Browser.cookieName, value))
        return response.logging(
            .notice,
            "signed in '\(session.objectID)' of '\(session.tenantID)', groups \(groups.sorted())",
            as: .signIn
        )
    }

    /// The browser cookie is missing or another one.
    ///
    /// Tabs that began at the same moment each brought a cookie of their own, and the last one
    /// stayed. Beginning again once finds the right one, and signs in whoever sits there: what an
    /// attacker brought along is not used in any case.
    private func otherBrowser(
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        if sessions.live(in: request.cookie, at: now) != nil {
            return .redirect(to: configuration.origin + state.returnPath)
        }
        guard !state.isRetry else {
            return ReaderPage.cookiesBlocked(returnPath: state.returnPath, request)
                .logging(
                    .warning,
                    "callback refused: the browser brings no cookie of this sign-in",
                    as: .signInRefusal
                )
        }
        let browser = signIn.browser(of: request)
        return signIn.begin(
            request,
            browser ?? Browser(id: environment.random(16), at: now),
            returnPath: state.returnPath,
            prompt: nil,
            isRetry: true,
            setsCookie: browser == nil,
            at: now
        )
    }

    private func fail(
        _ error: any Error,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        // The Back button brings a used code again; whoever is signed in just goes on.
        if sessions.live(in: request.cookie, at: now) != nil {
            return .redirect(to: configuration.origin + state.returnPath)
                .logging(
                    .notice,
                    "callback repeated by a reader who is signed in",
                    as: .signInRepetition
                )
        }
        switch error {
        case TokenExchange.Failure.refused(let refusal, let status):
            return ReaderPage.refused(refusal, returnPath: state.returnPath, request)
                .logging(
                    .error,
                    "token endpoint answered \(status) \(refusal.logText)",
                    as: .providerRefusal
                )
        case TokenExchange.Failure.unreachable(let reason):
            return ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
                .logging(.error, "token endpoint: \(reason)", as: .providerFailure)
        case let error as ProviderError:
            return ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
                .logging(.error, "callback not finished: \(error)", as: .providerFailure)
        default: return refuse(request, "\(error)", returnPath: state.returnPath)
        }
    }

    private func refuse(
        _ request: Request,
        _ reason: String,
        returnPath: String = ReturnPath.home
    ) -> Response {
        ReaderPage.startAgain(returnPath: returnPath, request)
            .logging(.warning, "callback refused: \(reason)", as: .signInRefusal)
    }
}
