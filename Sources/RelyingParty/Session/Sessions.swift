import SiteauthConfiguration

/// Finds the session of a request, and decides whether it is valid.
struct Sessions: Sendable {
    static let cookieName = "session"
    /// The greatest length of the sealed value.
    ///
    /// Browsers silently drop cookies beyond 4 KB, which would be a sign-in loop.
    static let maximumCookieLength = 3500
    /// Seconds by which another machine's clock may be ahead.
    static let clockSkew = 300
    /// Seconds after which ``Session/seenAt`` is updated and the cookie is written again.
    static let renewalInterval = 300

    let keys: KeyRing
    let attributes: CookieAttributes
    let idleSeconds: Int
    let lifetimeSeconds: Int
    let settings: SessionSettings
    let revocations: @Sendable ([String]) -> [NumericDate?]?

    /// The session of a request if exactly one is valid and needs no revalidation first.
    func live(in cookie: String?, at now: NumericDate) -> Session? {
        known(in: cookie, at: now).flatMap { state(of: $0, at: now).permits(.file) ? $0 : nil }
    }

    /// The session of a request if exactly one has neither ended nor expired.
    ///
    /// Of two cookies with this name, one was planted by a neighbouring host. If only one of them
    /// opens, it is the right one; if both open, neither counts.
    func known(in cookie: String?, at now: NumericDate) -> Session? {
        let sessions = all(in: cookie)
        guard sessions.count == 1, let session = sessions.first, isAlive(session, at: now) else {
            return nil
        }
        return session
    }

    /// The sessions of all cookies that open, valid or not.
    func all(in cookie: String?) -> [Session] {
        sessions(in: cookie, maximum: Cookies.maximumOfOneName)
    }

    /// The sessions that signing out ends; the limit is high, so that planted cookies cannot hide
    /// one.
    func allToEnd(in cookie: String?) -> [Session] { sessions(in: cookie, maximum: 2000) }

    /// When the newest session of a browser was written; `nil` without one.
    func newest(in cookie: String?) -> NumericDate? { allToEnd(in: cookie).map(\.writtenAt).max() }

    private func sessions(in cookie: String?, maximum: Int) -> [Session] {
        let name = attributes.name(Self.cookieName)
        return Cookies.values(named: name, in: cookie, maximum: maximum).compactMap { value in
            keys.open(value, for: .session).flatMap(Session.init)
        }
    }

    func isAlive(_ session: Session, at now: NumericDate) -> Bool {
        // Checked before the sums below, so that they cannot overflow.
        let oldest = now - lifetimeSeconds
        guard session.startedAt > oldest, session.startedAt <= now + Self.clockSkew,
            session.seenAt > now - idleSeconds, session.seenAt <= now + Self.clockSkew
        else { return false }
        guard let dates = revocations(session.revocationNames) else { return false }
        guard !session.isRevoked(by: dates) else { return false }
        // One by one, because the first name of a question stands for all of it.
        return session.groupRevocationNames(by: dates).allSatisfy { name in
            guard let dates = revocations([name]), dates.count == 1 else { return false }
            return !session.isRevoked(dates[0])
        }
    }

    /// Whether every copy of the session's cookie has expired, whenever it was renewed.
    func isOver(_ session: Session, at now: NumericDate) -> Bool {
        session.startedAt <= now - lifetimeSeconds - Self.clockSkew
    }

    /// The latest end of a session that any machine of this site starts now.
    func longestEnd(from now: NumericDate) -> NumericDate {
        now + lifetimeSeconds + Self.clockSkew
    }

    /// The latest end of the session.
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

    /// The lifetime of a session's cookie in seconds; `nil` until the browser closes.
    func cookieSeconds(for session: Session, at now: NumericDate) -> Int? {
        settings.isCookiePersistent ? max(end(of: session) - now, 0) : nil
    }

    /// The cookie with an updated ``Session/seenAt``, if the old one is stale.
    func renewedCookie(for session: Session, at now: NumericDate) -> String? {
        guard now - session.seenAt >= min(Self.renewalInterval, idleSeconds / 4) else { return nil }
        // A renewed cookie could arrive after the cookie of a revalidation in another tab, and
        // replace it.
        guard state(of: session, at: now).permits(.page) else { return nil }
        var session = session
        session.seenAt = now
        return cookie(for: session, at: now)
    }
}
