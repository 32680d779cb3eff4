import Access
import HTTPTypes
import SiteauthConfiguration

/// Answers nginx's `auth_request` with 204, 401 or 403, never with another status.
///
/// nginx lets every 2xx through. A parser that answers 200 to a request it cannot parse has opened
/// more than one site of this kind. Here every doubt is answered with 401 or 403, and 204 is
/// written in one place (`.ci/shape` checks that).
struct Check: Sendable {
    enum Verdict: Equatable, Sendable {
        /// - Parameter reader: the reader's session; `nil` for a stranger on a public path.
        case allowed(reader: Session?, renewing: String?)
        case signInRequired
        case forbidden
    }

    let sessions: Sessions
    let storage: Storage
    let tokens: IdentityTokens
    let metrics: Metrics

    /// Decides about a request; the header fields for applications follow from the same decision.
    ///
    /// For an application, the reader of a public path has to be found out as well.
    func verdict(_ question: CheckQuestion, at now: NumericDate) -> Verdict {
        let policy = question.release.flatMap(storage.policy)
        let audiences = policy.map { self.audiences(question, in: $0) } ?? []
        let isPublic = !audiences.isEmpty && audiences.allSatisfy { $0 == .public }
        if isPublic, !question.isForApplication { return .allowed(reader: nil, renewing: nil) }
        let use: SessionState.Use = question.fetch.isNavigation ? .page : .file
        // A session that does not permit this use names nobody, on a public path either.
        let session = sessions.live(in: question.cookie, at: now).flatMap { session in
            sessions.state(of: session, at: now).permits(use) ? session : nil
        }
        if isPublic {
            // Groups of another definition are worthless: such a reader counts as a stranger until
            // the next sign-in.
            let reader = session.flatMap { session in
                policy.flatMap { policy in
                    session.groupsDigest == policy.groupsDigest
                        ? session.confirmed(in: policy, at: now) : nil
                }
            }
            return .allowed(reader: reader, renewing: nil)
        }
        guard let session else { return .signInRequired }
        guard let policy, !audiences.isEmpty else { return .forbidden }
        guard session.groupsDigest == policy.groupsDigest else { return .signInRequired }
        let admission = session.admission(to: audiences, in: policy, at: now)
        let isRecorded =
            !audiences.contains { policy.isAudited($0) }
            || record(admission, of: session, question, at: now)
        switch admission {
        // What has to be on record is not shown without it.
        case .admitted where isRecorded: break
        case .admitted, .refused: return .forbidden
        // Only what a person sees can lead to the provider; a file of a page is not there yet.
        case .unconfirmed: return question.fetch.isForPage ? .signInRequired : .forbidden
        }
        let cookie = sessions.renewedCookie(for: session, at: now)
        return .allowed(reader: session.confirmed(in: policy, at: now), renewing: cookie)
    }

    /// Writes a line of the audit.
    ///
    /// - Returns: whether it was written, or none is due.
    private func record(
        _ admission: Admission,
        of session: Session,
        _ question: CheckQuestion,
        at now: NumericDate
    ) -> Bool {
        guard let path = question.judgedPath else { return false }
        // The theme fetches these lists with every page of the site: a line would tell when a member
        // reads any page at all.
        let isList = !question.isForApplication && path.utf8.starts(with: "/_reader/".utf8)
        guard !isList else { return true }
        let line = AuditLine(admission, to: path, of: session, question, at: now)
        let isWritten = storage.audit(line.text)
        metrics.countAuditLine(isWritten: isWritten)
        return isWritten
    }

    /// What the rules say of the page that nginx has refused.
    func admission(of session: Session, to request: Request, at now: NumericDate) -> Admission {
        guard let policy = request.release.flatMap(storage.policy),
            session.groupsDigest == policy.groupsDigest,
            let path = request.wantedURI?.prefix(while: { $0 != "?" }),
            let reading = PercentEncoding.decode(path).flatMap(ApplicationPath.init)
        else { return .refused }
        return session.admission(to: policy.audiences(of: reading), in: policy, at: now)
    }

    /// The audiences that have to admit the reader; none if nobody may have the path.
    private func audiences(_ question: CheckQuestion, in policy: AccessPolicy) -> [Audience] {
        guard let path = question.path else { return [] }
        if question.isForApplication {
            let readings = question.applicationPaths.map { path in
                ApplicationPath(path).map { policy.audiences(of: $0) } ?? []
            }
            return readings.contains([]) ? [] : readings.flatMap(\.self)
        }
        return SitePath(path).flatMap { policy.audience(of: $0) }.map { [$0] } ?? []
    }

    /// The responses are made once, because building one takes longer than deciding.
    private static let signInRequired = Response(.unauthorized)
    private static let forbidden = Response(.forbidden)
    private static let allowed = Response(.noContent)

    func respond(to question: CheckQuestion, at now: NumericDate) -> Response {
        response(to: verdict(question, at: now))
    }

    /// The answer with header fields that name the reader, for an application behind nginx.
    ///
    /// - Parameter audience: the path of the application that wants a signed token, if it does; the
    ///   token is added for paths below it only.
    func identity(_ question: CheckQuestion, audience: String?, at now: NumericDate) -> Response {
        let verdict = verdict(question, at: now)
        var response = response(to: verdict)
        guard case .allowed(let reader, _) = verdict else { return response }
        let identity = Identity(reader)
        response.http.headerFields.append(contentsOf: identity.headerFields)
        if let reader, let audience, question.isUnder(audience) {
            let token = tokens.token(for: identity, of: reader, audience: audience, at: now)
            response.http.headerFields[.authToken] = token
        }
        // Only the names in use are removed: on https the cookie is '__Host-session', and a cookie
        // 'session' may be an application's own.
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
