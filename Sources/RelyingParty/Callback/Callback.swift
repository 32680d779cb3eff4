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
    let turnstile = Turnstile(capacity: RelyingParty.waitingCallbacks)
    let client: ClientAuthentication

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
            if known.isRevalidation {
                return refuseRevalidation(refusal, known, request, at: now)
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
                guard let policy = request.release.flatMap(storage.policy) else {
                    return ReaderPage.configurationProblem(request)
                        .logging(.error, "callback refused: the release has no access policy")
                }
                // All that waits for somebody else's machine.
                let found = try turnstile.pass {
                    let (identity, accessToken) = try identify(answer, secrets, at: now)
                    return (identity, try membership(of: identity, in: policy, accessToken))
                }
                guard let (identity, membership) = found else {
                    throw TokenExchange.Failure.unreachable("too many at once wait for it")
                }
                let known = revalidated(state, identity, request, at: now)
                if state.isRevalidation, known == nil {
                    return endRevalidation(
                        state,
                        request,
                        "somebody else answered, or it had ended",
                        at: now
                    )
                }
                let groups: Set<String>
                switch membership {
                case .member(let names): groups = names
                case .unknown:
                    return ReaderPage.tooManyGroups(request)
                        .logging(
                            .error,
                            "callback refused: more groups than fit into a token, and"
                                + " 'group_overage' is 'refuse'; use app roles, or assign groups to"
                                + " the application and let it send those",
                            as: .signInRefusal
                        )
                }
                let session = session(
                    of: identity,
                    groups,
                    policy,
                    answer.sessionState,
                    renewing: known,
                    at: now
                )
                return admit(session, browser, state, request, at: now)
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
    ) throws -> (identity: VerifiedIDToken, accessToken: String?) {
        let metadata = try provider.current().metadata
        // RFC 9207, section 2.4: a code of another provider is not shown to this one.
        if let issuer = answer.issuer, !metadata.admits(issuer) {
            throw IDTokenRejection.issuer(issuer, expected: metadata.issuer)
        }
        let exchange = TokenExchange(configuration: configuration, environment: environment)
        let tokens = try exchange.tokens(
            code: answer.code,
            verifier: secrets.verifier,
            proof: client.proof(for: metadata, at: now),
            at: metadata.tokenEndpoint
        )
        let validation = IDTokenValidation(
            metadata: metadata,
            clientID: configuration.clientID,
            allowedTenants: configuration.allowedTenants,
            now: now,
            nonce: secrets.nonce
        )
        let identity = try validation.verify(tokens.idToken) { (name) throws(ProviderError) in
            try provider.keys(named: name)
        }
        return (identity, tokens.accessToken)
    }

    /// The site's groups that somebody is in, from the token, or from Graph where that has no room.
    private func membership(
        of identity: VerifiedIDToken,
        in policy: AccessPolicy,
        _ accessToken: String?
    ) throws -> GroupMembership {
        let metadata = try provider.current().metadata
        let rolesCount =
            !metadata.isForSeveralTenants || configuration.roleTenants.contains(identity.tenantID)
        let membership = GroupMembership(identity, in: policy.groups, rolesCount: rolesCount)
        guard membership == .unknown, configuration.asksGraph else { return membership }
        guard let accessToken, let origin = metadata.graph else {
            throw GraphGroups.Failure.unreachable("the provider names no 'msgraph_host'")
        }
        let graph = GraphGroups(
            environment: environment,
            origin: origin,
            accessToken: accessToken
        )
        let asked = Set(policy.groups.flatMap(\.groups)).sorted()
        return GroupMembership(
            identity,
            in: policy.groups,
            resolved: try graph.membership(of: asked),
            rolesCount: rolesCount
        )
    }

    private func session(
        of identity: VerifiedIDToken,
        _ groups: Set<String>,
        _ policy: AccessPolicy,
        _ sessionState: String?,
        renewing known: Session?,
        at now: NumericDate
    ) -> Session {
        Session(
            // The same as before for Entra's renewed word, so that signing out ends its copies too.
            id: known?.id ?? environment.random(16),
            tenant: CompactText(identity.tenantID),
            object: CompactText(identity.objectID),
            name: identity.token.name,
            groupList: groups.sorted().joined(separator: ","),
            groupsDigest: policy.groupsDigest,
            // Entra sends the same value as `session_state`, even where `sid` is not configured.
            providerSession: CompactText(
                identity.token.sessionID.map { DisplayText.guid($0) ?? $0 }
                    ?? sessionState.flatMap(DisplayText.guid) ?? ""
            ),
            loginHint: identity.token.loginHint ?? "",
            startedAt: known?.startedAt ?? now,
            seenAt: now,
            verifiedAt: now,
            postponedAt: known?.startedAt ?? now
        )
    }

    /// Gives the browser its session, and sends it to the page first wanted.
    private func admit(
        _ session: Session,
        _ browser: Browser,
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        guard let cookie = sessions.cookie(for: session, at: now) else {
            return ReaderPage.sessionTooLarge(request)
                .logging(
                    .error,
                    "callback refused: with \(session.groups.count) groups the session of "
                        + "'\(session.objectID)' does not fit into a cookie",
                    as: .signInRefusal
                )
        }
        // Whoever was signed in here no longer is, themselves included: nothing of the browser's
        // would end the session before, should a copy of its cookie be about.
        for other in sessions.allToEnd(in: request.cookie)
        where other.revocationName != session.revocationName {
            guard storage.revoke(other.revocationName) else {
                return ReaderPage.configurationProblem(request)
                    .logging(.error, "the list of ended sessions cannot be written", as: .problem)
            }
        }
        var response = Response.redirect(to: configuration.origin + state.returnPath)
        response.setCookie(cookie)
        response.setCookie(signIn.counted(browser, at: now))
        let what = state.isRevalidation ? "revalidated" : "signed in"
        return response.logging(
            .notice,
            "\(what) '\(session.objectID)' of '\(session.tenantID)', groups \(session.groups)",
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
        if isFresh(request, at: now) {
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
        // The Back button brings a used code again; whoever is signed in just goes on. All else is
        // shown: a reader whom the check sends here again would go round for ever, unseen.
        if case TokenExchange.Failure.refused(let refusal, _) = error,
            refusal.error == "invalid_grant", isFresh(request, at: now)
        {
            let text = "callback repeated by a reader who is signed in: \(refusal.summary)"
            return .redirect(to: configuration.origin + state.returnPath)
                .logging(.notice, text, as: .signInRepetition)
        }
        if state.isRevalidation {
            return failRevalidation(error, state, request, at: now)
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
        case GraphGroups.Failure.unreachable(let reason):
            return ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
                .logging(
                    .error,
                    "more groups than fit into a token, and Graph: \(reason)",
                    as: .providerFailure
                )
        case let error as GraphGroups.Failure:
            return ReaderPage.tooManyGroups(request)
                .logging(
                    .error,
                    "callback refused: more groups than fit into a token; \(error)",
                    as: .signInRefusal
                )
        case ClientAuthentication.Failure.unusable(let reason):
            return ReaderPage.configurationProblem(request)
                .logging(.error, "callback not finished: \(reason)", as: .problem)
        case ClientAuthentication.Failure.unreachable(let reason):
            return ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
                .logging(.error, "callback not finished: \(reason)", as: .providerFailure)
        case let error as ProviderError:
            return ReaderPage.providerUnreachable(returnPath: state.returnPath, request)
                .logging(.error, "callback not finished: \(error)", as: .providerFailure)
        default: return refuse(request, "\(error)", returnPath: state.returnPath)
        }
    }

    /// Whether whoever comes back is signed in, as the check sees it, so that what went wrong here
    /// does not matter.
    private func isFresh(_ request: Request, at now: NumericDate) -> Bool {
        guard let session = sessions.live(in: request.cookie, at: now),
            let policy = request.release.flatMap(storage.policy),
            session.groupsDigest == policy.groupsDigest
        else { return false }
        return sessions.standing(of: session, at: now) == .fresh
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
