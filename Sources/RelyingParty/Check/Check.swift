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

    func verdict(on request: Request, at now: NumericDate) -> Verdict {
        let policy = request.release.flatMap(storage.policy)
        let path = request.sitePath.flatMap(SitePath.init)
        let audience = path.flatMap { policy?.audience(of: $0) }
        if audience == .public { return .allowed(renewing: nil) }
        guard let session = sessions.live(in: request.headerFields, at: now) else {
            return .signInRequired
        }
        guard let policy, let audience else { return .forbidden }
        // Groups under other definitions say nothing about these.
        guard session.groupsDigest == policy.groupsDigest else { return .signInRequired }
        guard Self.admits(session, audience) else { return .forbidden }
        return .allowed(renewing: sessions.renewedCookie(for: session, at: now))
    }

    func respond(to request: Request, at now: NumericDate) -> Response {
        var response = Response(.unauthorized)
        switch verdict(on: request, at: now) {
        case .signInRequired: break
        case .forbidden: response.http.status = .forbidden
        case .allowed(let cookie):
            response.http.status = .noContent
            if let cookie { response.setCookie(cookie) }
        }
        return response
    }

    private static func admits(_ session: Session, _ audience: Audience) -> Bool {
        switch audience {
        case .public, .signedIn: true
        case .groups(let names): !names.isDisjoint(with: session.groups)
        }
    }
}
