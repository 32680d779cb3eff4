/// Asking Entra again, without asking the reader.
///
/// After a while the next navigation goes through Entra with `prompt=none`. Whoever may still come
/// in is back on the page at once; who was disabled, or signed out elsewhere, is not. No refresh
/// token is kept for it.
extension SignIn {
    /// The session with which this request was turned away because Entra has to be asked again.
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
                return response.logging(.warning, "revalidation postponed: \(error)")
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

    /// Sends the reader back to the page with some minutes more, or `nil` if there are none left.
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
        // A browser that does not keep the cookie would come back at once, and so for ever.
        response.setCookie(counted(browser, at: now))
        return response
    }

    /// The browser's cookie after one more round.
    func counted(_ browser: Browser, at now: NumericDate) -> String {
        var browser = browser
        browser.countRound(at: now, within: loopSeconds)
        return sessions.attributes.set(
            Browser.cookieName,
            keys.seal(browser.bytes, for: .browser)
        )
    }
}
