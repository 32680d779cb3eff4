import SiteauthConfiguration

/// Revalidation: asking the provider again about a reader, without asking the reader.
///
/// After a while, the next navigation goes through the provider with `prompt=none`. A reader whose
/// account is still allowed is back on the page at once; an account that was disabled or signed out
/// elsewhere is not. No refresh token is stored for it.
extension SignIn {
    /// The session of this request if the check refused it because it must be revalidated.
    func sessionToRevalidate(_ request: Request, at now: NumericDate) -> Session? {
        sessions.known(in: request.cookie, at: now).flatMap { session in
            sessions.state(of: session, at: now).permits(.page) ? nil : session
        }
    }

    func revalidate(
        _ session: Session,
        _ browser: Browser?,
        returnPath: String,
        _ request: Request,
        at now: NumericDate
    ) -> Outcome {
        let browser = browser ?? Browser(id: environment.random(16), at: now)
        let answer: @Sendable (ProviderError?, NumericDate) -> Response = { error, now in
            if let error,
                let response = postpone(session, browser, returnPath: returnPath, at: now)
            {
                return response.logging(
                    .warning,
                    "revalidation postponed: \(error)",
                    about: Event.Subject(session)
                )
            }
            return begin(
                request,
                browser,
                returnPath: returnPath,
                prompt: "none",
                retries: 0,
                setsCookie: self.browser(of: request) == nil,
                revalidating: session,
                at: now
            )
        }
        switch provider.reachability(at: now) {
        case .reached: return .answer(answer(nil, now))
        case .failing(let error): return .answer(answer(error, now))
        case .unknown:
            return .wait(
                Waiting(queue: .revalidation, since: now) { now in
                    answer(provider.failure(at: now), now)
                } refusal: { now in
                    answer(ProviderError("too many requests are waiting for the provider"), now)
                }
            )
        }
    }

    /// Sends the reader back to the page with the revalidation postponed, or returns `nil` if the
    /// grace period is over.
    func postpone(
        _ session: Session,
        _ browser: Browser,
        returnPath: String,
        at now: NumericDate
    ) -> Response? {
        guard let postponed = sessions.postponed(session, at: now),
            let cookie = sessions.cookie(for: postponed, at: now)
        else { return nil }
        var response = Response.redirect(to: configuration.origin + returnPath)
        response.setCookie(cookie)
        // A browser that does not store the cookie would come back at once, in an endless loop.
        response.setCookie(counted(browser, after: session.writtenAt, at: now))
        return response
    }

    /// The browser's cookie with one more sign-in counted.
    ///
    /// - Parameter newest: when the newest session was written that the browser sent along.
    func counted(
        _ browser: Browser,
        after newest: NumericDate?,
        isConfirmation: Bool = false,
        at now: NumericDate
    ) -> String {
        var browser = browser
        browser.countRound(
            after: newest,
            isConfirmation: isConfirmation,
            at: now,
            within: loopSeconds
        )
        return sessions.attributes.set(
            Browser.cookieName,
            keys.seal(browser.bytes, for: .browser)
        )
    }
}
