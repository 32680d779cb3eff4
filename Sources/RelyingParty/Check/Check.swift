import Access
import HTTPTypes

/// Answers nginx's `auth_request`: 204, 401 or 403, and nothing else, ever.
///
/// nginx lets 2xx through and turns anything it does not know into an error page; a parser that
/// answers 200 to what it cannot parse has opened more than one site of this kind. So the answer is
/// 401 until every question was answered, and 204 is written in one place.
struct Check: Sendable {
    enum Verdict: Equatable, Sendable {
        case allowed(renewing: String?)
        case signInRequired
        case forbidden
    }

    let sessions: Sessions
    let storage: Storage

    /// - Parameters:
    ///   - path: that nginx is about to serve, decoded.
    ///   - release: that nginx is about to serve from.
    ///   - cookie: the `Cookie` header field.
    ///   - fetch: what the browser says of the request's purpose.
    func verdict(
        path: String?,
        release: String?,
        cookie: String?,
        fetch: FetchMetadata,
        at now: NumericDate
    ) -> Verdict {
        let policy = release.flatMap(storage.policy)
        let path = path.flatMap(SitePath.init)
        let audience = path.flatMap { policy?.audience(of: $0) }
        if audience == .public { return .allowed(renewing: nil) }
        guard let session = sessions.live(in: cookie, at: now) else { return .signInRequired }
        let standing = sessions.standing(of: session, at: now)
        guard standing.permits(fetch.isNavigation ? .page : .file) else { return .signInRequired }
        guard let policy, let audience else { return .forbidden }
        // Groups under other definitions say nothing about these.
        guard session.groupsDigest == policy.groupsDigest else { return .signInRequired }
        guard audience.admits(memberOf: session.groups) else { return .forbidden }
        return .allowed(renewing: sessions.renewedCookie(for: session, at: now))
    }

    /// The responses, made once: building one takes longer than judging.
    private static let signInRequired = Response(.unauthorized)
    private static let forbidden = Response(.forbidden)
    private static let allowed = Response(.noContent)

    func respond(
        path: String?,
        release: String?,
        cookie: String?,
        fetch: FetchMetadata,
        at now: NumericDate
    ) -> Response {
        switch verdict(path: path, release: release, cookie: cookie, fetch: fetch, at: now) {
        case .signInRequired: return Self.signInRequired
        case .forbidden: return Self.forbidden
        case .allowed(let cookie):
            guard let cookie else { return Self.allowed }
            var response = Self.allowed
            response.setCookie(cookie)
            return response
        }
    }

    /// The same answer, with what an application behind nginx is to know of the reader.
    func identity(
        path: String?,
        release: String?,
        cookie: String?,
        fetch: FetchMetadata,
        at now: NumericDate
    ) -> Response {
        var response = respond(path: path, release: release, cookie: cookie, fetch: fetch, at: now)
        guard response.http.status == .noContent else { return response }
        let identity = Identity(sessions.live(in: cookie, at: now))
        response.http.headerFields.append(contentsOf: identity.headerFields)
        let others = Cookies.header(
            cookie,
            without: CookieAttributes.names(of: Sessions.cookieName)
                + CookieAttributes.names(of: Browser.cookieName)
        )
        response.http.headerFields[.authCookie] = others
        return response
    }
}
