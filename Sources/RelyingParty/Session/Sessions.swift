/// Finds the session of a request, and judges whether it still lives.
struct Sessions: Sendable {
    static let cookieName = "session"
    /// Of the sealed value.
    ///
    /// Cookies beyond 4 KB are dropped by browsers without a word, which would be a loop.
    static let maximumCookieLength = 3500
    /// How far another machine's clock may be ahead of ours.
    static let clockSkew = 300
    /// How stale ``Session/seenAt`` may get before the cookie is written again.
    static let renewalInterval = 300

    let keys: KeyRing
    let attributes: CookieAttributes
    let idleSeconds: Int
    let lifetimeSeconds: Int
    let settings: SessionSettings
    let revocations: @Sendable ([String]) -> [NumericDate?]?

    /// The session of a request, if there is exactly one that lives and need not go through Entra
    /// before anything else.
    func live(in cookie: String?, at now: NumericDate) -> Session? {
        known(in: cookie, at: now).flatMap { state(of: $0, at: now).permits(.file) ? $0 : nil }
    }

    /// The session of a request, if there is exactly one that was not ended and has not run out.
    ///
    /// Of two cookies with our name one was planted from a neighbouring host. If only one of them
    /// opens, it is ours; if both do, we cannot tell, and neither counts.
    func known(in cookie: String?, at now: NumericDate) -> Session? {
        let sessions = all(in: cookie)
        guard sessions.count == 1, let session = sessions.first, isAlive(session, at: now) else {
            return nil
        }
        return session
    }

    /// The sessions of all cookies that open, whether they live or not.
    func all(in cookie: String?) -> [Session] {
        sessions(in: cookie, maximum: Cookies.maximumOfOneName)
    }

    /// The same for ending them: cookies that somebody has planted in numbers hide none.
    func allToEnd(in cookie: String?) -> [Session] { sessions(in: cookie, maximum: 2000) }

    private func sessions(in cookie: String?, maximum: Int) -> [Session] {
        let name = attributes.name(Self.cookieName)
        return Cookies.values(named: name, in: cookie, maximum: maximum).compactMap { value in
            keys.open(value, for: .session).flatMap(Session.init)
        }
    }

    func isAlive(_ session: Session, at now: NumericDate) -> Bool {
        // Before all sums, so that none of them can overflow.
        let oldest = now - lifetimeSeconds
        guard session.startedAt > oldest, session.startedAt <= now + Self.clockSkew,
            session.seenAt > now - idleSeconds, session.seenAt <= now + Self.clockSkew
        else { return false }
        guard let dates = revocations(session.revocationNames) else { return false }
        return !session.isRevoked(by: dates)
    }

    /// Whether no copy of its cookie can count any more, whenever that was renewed.
    func isOver(_ session: Session, at now: NumericDate) -> Bool {
        session.startedAt <= now - lifetimeSeconds - Self.clockSkew
    }

    /// When a session ends at the latest that some machine of ours begins now.
    func longestEnd(from now: NumericDate) -> NumericDate {
        now + lifetimeSeconds + Self.clockSkew
    }

    /// When the session ends at the latest.
    func end(of session: Session) -> NumericDate { session.startedAt + lifetimeSeconds }

    /// The cookie, or `nil` if it would be too large for a browser.
    func cookie(for session: Session, at now: NumericDate) -> String? {
        let value = keys.seal(session.bytes, for: .session)
        guard value.utf8.count <= Self.maximumCookieLength else { return nil }
        return attributes.set(
            Self.cookieName,
            value,
            seconds: cookieSeconds(for: session, at: now)
        )
    }

    /// How long a cookie of a session lives; without a time it ends with the browser.
    func cookieSeconds(for session: Session, at now: NumericDate) -> Int? {
        settings.isCookiePersistent ? max(end(of: session) - now, 0) : nil
    }

    /// The cookie with a fresher ``Session/seenAt``, if the old one is stale.
    func renewedCookie(for session: Session, at now: NumericDate) -> String? {
        guard now - session.seenAt >= min(Self.renewalInterval, idleSeconds / 4) else { return nil }
        // It must not come after, and replace, what a tab is just bringing from Entra.
        guard state(of: session, at: now).permits(.page) else { return nil }
        var session = session
        session.seenAt = now
        return cookie(for: session, at: now)
    }
}
