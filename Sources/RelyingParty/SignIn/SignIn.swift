import Access
import HTTPTypes
import SiteauthConfiguration

/// Sends readers to the provider, and remembers the page they wanted.
struct SignIn: Sendable {
    let configuration: AuthConfiguration
    let environment: Environment
    let provider: Provider
    let keys: KeyRing
    let sessions: Sessions
    let storage: Storage

    /// Starts a sign-in for a navigation; answers a script with 401.
    ///
    /// Only a reader whose session needs revalidation waits for the provider here, so that no reader
    /// is sent to a provider that does not answer. ``Response/pushed`` is for another thread.
    func outcome(of request: Request, at now: NumericDate) -> Outcome {
        // nginx says which page the browser asked for; without that, the request follows one of
        // siteauth's own "sign in" links, and the query is siteauth's.
        let form = request.wantedURI == nil ? Form(request.query) : nil
        let wanted = request.wantedURI ?? form?["return"]
        let carried = ReturnPath.carried(wanted, callbackPath: configuration.redirectURI.path)
        guard request.isNavigation else {
            guard request.isForPage else { return .answer(.signInRequired) }
            return .answer(ReaderPage.formNotSent.response(request))
        }
        if carried == nil, let wanted = request.wantedURI {
            return .answer(stay(at: wanted, request, at: now))
        }
        let returnPath = carried ?? ReturnPath.home
        let wantsOtherAccount = form?["account"] == "other"
        let confirmation =
            wantsOtherAccount ? nil : unconfirmed(returnPath, request, at: now)
        if request.wantedURI == nil, !wantsOtherAccount, form?["again"] != "always",
            confirmation == nil,
            let session = sessions.live(in: request.cookie, at: now),
            sessions.state(of: session, at: now).permits(.page)
        {
            return .answer(.redirect(to: configuration.origin + returnPath))
        }
        let browser = self.browser(of: request)
        if let browser, browser.isInLoop(at: now, within: loopSeconds), form?["again"] == nil {
            let keepsCookies = browser.keeps(sessions.newest(in: request.cookie))
            return .answer(
                ReaderPage.loop(
                    of: sessions.known(in: request.cookie, at: now),
                    keepsCookies: keepsCookies,
                    returnPath: returnPath,
                    request
                )
            )
        }
        if let session = sessionToRevalidate(request, at: now), !wantsOtherAccount {
            return revalidate(session, browser, returnPath: returnPath, request, at: now)
        }
        if let (session, context) = confirmation {
            return .answer(
                begin(
                    request,
                    browser ?? Browser(id: environment.random(16), at: now),
                    returnPath: returnPath,
                    // The account is known; only credentials may be demanded once more.
                    prompt: configuration.prompt == SignInState.loginPrompt
                        ? SignInState.loginPrompt : nil,
                    retries: 0,
                    setsCookie: browser == nil || form?["again"] != nil,
                    hinting: session,
                    confirming: context,
                    at: now
                )
            )
        }
        if configuration.session.signIn == .page, request.wantedURI != nil {
            return .answer(ReaderPage.signIn(returnPath: returnPath, request))
        }
        return .answer(
            begin(
                request,
                browser ?? Browser(id: environment.random(16), at: now),
                returnPath: returnPath,
                // With `prompt = "login"`, a reader who chooses another account also enters
                // credentials.
                prompt: wantsOtherAccount && configuration.prompt != SignInState.loginPrompt
                    ? "select_account" : configuration.prompt,
                retries: 0,
                setsCookie: browser == nil || form?["again"] != nil,
                at: now
            )
        )
    }

    /// The session of a reader who has to confirm an authentication context before the page is shown,
    /// and the context.
    ///
    /// The check judges the path that nginx decodes. To ask once too often is harmless, so every
    /// reading of the address counts.
    private func unconfirmed(
        _ address: String,
        _ request: Request,
        at now: NumericDate
    ) -> (Session, AuthenticationContext)? {
        guard let session = sessions.live(in: request.cookie, at: now),
            let policy = request.release.flatMap(storage.policy), !policy.contexts.isEmpty,
            session.groupsDigest == policy.groupsDigest
        else { return nil }
        let path = address.prefix { $0 != "?" }
        let decoded = PercentEncoding.decode(path).map { path in
            // nginx merges slashes.
            "/" + path.split(separator: "/").joined(separator: "/")
        }
        // A path without special signs is one reading, which is a file's as well.
        for reading in [decoded, String(path)].compactMap({ $0.flatMap(ApplicationPath.init) }) {
            let audiences = policy.audiences(of: reading)
            let admission = session.admission(to: audiences, in: policy, at: now)
            guard case .unconfirmed(let context) = admission else { continue }
            // Groups may differ in the seconds, and the answer has to be good enough for each.
            return (session, policy.context(named: context.name) ?? context)
        }
        return nil
    }

    /// Answers at an address that no sign-in can carry, because it is too long or not plainly one of
    /// this site.
    ///
    /// The browser keeps it: a revalidation is postponed as if the provider could not be reached,
    /// and otherwise the reader signs in from a new tab and reloads this one.
    private func stay(at wanted: String, _ request: Request, at now: NumericDate) -> Response {
        let browser = self.browser(of: request) ?? Browser(id: environment.random(16), at: now)
        guard let session = sessionToRevalidate(request, at: now),
            let address = ReturnPath.unchanged(wanted),
            !browser.isInLoop(at: now, within: loopSeconds),
            let response = postpone(session, browser, returnPath: address, at: now)
        else { return ReaderPage.signIn(returnPath: nil, request) }
        return response.logging(
            .notice,
            "revalidation postponed: this address cannot be carried through a sign-in",
            about: Event.Subject(session)
        )
    }

    /// Redirects to the provider's authorization endpoint.
    func begin(
        _ request: Request,
        _ browser: Browser,
        returnPath: String,
        prompt: String?,
        retries: UInt8,
        setsCookie: Bool,
        revalidating session: Session? = nil,
        hinting hinted: Session? = nil,
        confirming context: AuthenticationContext? = nil,
        at now: NumericDate
    ) -> Response {
        let metadata: ProviderMetadata
        do { metadata = try provider.currentMetadata(at: now) } catch {
            return ReaderPage.providerFailure(error, returnPath: returnPath, request)
                .logging(.error, "sign-in not started: \(error)", as: .providerFailure)
        }
        let state = SignInState(
            id: environment.random(16),
            browser: browser,
            returnPath: returnPath,
            startedAt: now,
            retries: retries,
            prompt: prompt,
            revalidatedSession: session?.id ?? [],
            context: context?.name
        )
        let sealed = keys.seal(state.bytes, for: .state)
        guard let secrets = SignInSecrets(keys, state: sealed, browser: browser) else {
            preconditionFailure("the key that has just sealed is in the ring")
        }
        let authorization = AuthorizationRequest(
            clientID: configuration.clientID,
            redirectURI: configuration.redirectURI.text,
            scope: configuration.scope,
            responseMode: configuration.provider.responseMode.rawValue,
            state: sealed,
            secrets: secrets,
            prompt: prompt,
            // Entra does not document `max_age`; elsewhere it obliges the provider to send
            // 'auth_time'.
            maximumAge: metadata.isEntra ? nil : state.demandsLogin ? 0 : context?.seconds,
            loginHint: (session ?? hinted).flatMap { $0.loginHint.isEmpty ? nil : $0.loginHint },
            domainHint: configuration.session.domainHint,
            context: context?.name,
            isEntra: metadata.isEntra
        )
        let parameters = authorization.parameters
        var response = Response.redirect(to: metadata.authorizationEndpoint.with(parameters))
        response.counted.append(.signInBegun)
        if metadata.isPushed(configuration) {
            guard let endpoint = metadata.pushedRequestEndpoint else {
                let text = "the provider's metadata have no 'pushed_authorization_request_endpoint'"
                return ReaderPage.configurationProblem.response(request)
                    .logging(.error, "sign-in not started: \(text)")
            }
            response.pushed = PushedRequest(
                parameters: parameters,
                state: state.bytes,
                returnPath: returnPath,
                metadata: metadata,
                endpoint: endpoint,
                session: session.map { ($0, browser) }
            )
        }
        if setsCookie {
            var fresh = browser
            if browser.isInLoop(at: now, within: loopSeconds) { fresh.rounds = 0 }
            let value = keys.seal(fresh.bytes, for: .browser)
            response.setCookie(sessions.attributes.set(Browser.cookieName, value))
        }
        return response
    }

    /// The window in seconds in which several sign-ins are a loop; shorter if revalidations are
    /// very frequent.
    var loopSeconds: Int {
        let after = configuration.session.revalidateAfterSeconds
        return after > 0 ? min(Browser.longestWindow, 2 * after) : Browser.longestWindow
    }

    /// The browser of a request, if exactly one of its cookies opens.
    func browser(of request: Request) -> Browser? {
        let name = sessions.attributes.name(Browser.cookieName)
        let browsers = Cookies.values(named: name, in: request.cookie).compactMap { value in
            keys.open(value, for: .browser).flatMap(Browser.init)
        }
        return browsers.count == 1 ? browsers[0] : nil
    }
}
