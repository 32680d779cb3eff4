import Access
import HTTPTypes

/// Answers nginx's `auth_request`: 204, 401 or 403, and nothing else, ever.
///
/// nginx lets 2xx through and turns anything it does not know into an error page; a parser that
/// answers 200 to what it cannot parse has opened more than one site of this kind. So the answer is
/// 401 until every question was answered, and 204 is written in one place.
struct Check: Sendable {
    enum Verdict: Equatable, Sendable {
        /// - Parameter reader: whose session was judged; `nil` for a stranger on a public path.
        case allowed(reader: Session?, renewing: String?)
        case signInRequired
        case forbidden
    }

    let sessions: Sessions
    let storage: Storage
    let tokens: IdentityTokens

    /// Judges a request, once: what an application is told of the reader comes from here, too.
    ///
    /// - Parameter namesReader: whether it matters who reads what everybody may read.
    func verdict(_ question: CheckQuestion, namesReader: Bool, at now: NumericDate) -> Verdict {
        let policy = question.release.flatMap(storage.policy)
        let path = question.path.flatMap(SitePath.init)
        let audience = path.flatMap { policy?.audience(of: $0) }
        if audience == .public, !namesReader { return .allowed(reader: nil, renewing: nil) }
        let session = sessions.live(in: question.cookie, at: now)
        if audience == .public {
            // Groups under other definitions say nothing about these: such a reader is a stranger
            // until they sign in again.
            let reader = session.flatMap { $0.groupsDigest == policy?.groupsDigest ? $0 : nil }
            return .allowed(reader: reader, renewing: nil)
        }
        guard let session else { return .signInRequired }
        let state = sessions.state(of: session, at: now)
        let use: SessionState.Use = question.fetch.isNavigation ? .page : .file
        guard state.permits(use) else { return .signInRequired }
        guard let policy, let audience else { return .forbidden }
        guard session.groupsDigest == policy.groupsDigest else { return .signInRequired }
        guard audience.admits(memberOf: session.groups) else { return .forbidden }
        let cookie = sessions.renewedCookie(for: session, at: now)
        return .allowed(reader: session, renewing: cookie)
    }

    /// The responses, made once: building one takes longer than judging.
    private static let signInRequired = Response(.unauthorized)
    private static let forbidden = Response(.forbidden)
    private static let allowed = Response(.noContent)

    func respond(to question: CheckQuestion, at now: NumericDate) -> Response {
        response(to: verdict(question, namesReader: false, at: now))
    }

    /// The same answer, with what an application behind nginx is to know of the reader.
    ///
    /// - Parameter audience: the path of the application that wants a signed token, if it does; it gets
    ///   one for what lies there, and no token elsewhere.
    func identity(_ question: CheckQuestion, audience: String?, at now: NumericDate) -> Response {
        let verdict = verdict(question, namesReader: true, at: now)
        var response = response(to: verdict)
        guard case .allowed(let reader, _) = verdict else { return response }
        let identity = Identity(reader)
        response.http.headerFields.append(contentsOf: identity.headerFields)
        if let reader, let audience, question.isUnder(audience) {
            let token = tokens.token(for: identity, of: reader, audience: audience, at: now)
            response.http.headerFields[.authToken] = token
        }
        // Ours by the names in use: on https, 'session' is the name of many an application's own.
        let ours = [Sessions.cookieName, Browser.cookieName].map(sessions.attributes.name)
        response.http.headerFields[.authCookie] = Cookies.header(question.cookie, without: ours)
        return response
    }

    private func response(to verdict: Verdict) -> Response {
        switch verdict {
        case .signInRequired: return Self.signInRequired
        case .forbidden: return Self.forbidden
        case .allowed(_, let cookie):
            guard let cookie else { return Self.allowed }
            var response = Self.allowed
            response.setCookie(cookie)
            return response
        }
    }
}
