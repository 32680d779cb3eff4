import Access
import HTTPTypes
import Jansson
import SiteauthConfiguration

/// The account page, and the same facts as JSON: what the site tells a reader about their session.
struct Account: Sendable {
    let configuration: AuthConfiguration
    let sessions: Sessions
    let signOut: SignOut
    let storage: Storage

    func page(_ request: Request, at now: NumericDate) -> Response {
        guard let session = sessions.live(in: request.cookie, at: now) else {
            return .redirect(to: configuration.origin + "/auth/sign-in?return=/auth/account")
        }
        let confirmed = confirmed(session, request, at: now)
        let contexts = request.release.flatMap(storage.policy)?.contexts ?? [:]
        let ends = confirmed.groups.compactMap { group in
            contexts[group].flatMap { session.end(ofConfirmationOf: $0, at: now) }
        }
        return ReaderPage.account(
            confirmed,
            until: sessions.end(of: session),
            unconfirmed: session.groups.filter { !confirmed.groups.contains($0) },
            confirmedUntil: ends.min(),
            token: signOut.token(for: session, at: now),
            request
        )
    }

    /// The reader's name and groups as JSON, for scripts of this site.
    ///
    /// The members are listed one by one, so that a new field of the session is not published by
    /// accident.
    func json(_ request: Request, at now: NumericDate) -> Response {
        guard let session = sessions.live(in: request.cookie, at: now) else {
            return .signInRequired
        }
        let known = confirmed(session, request, at: now)
        let reader: JSON = [
            "name": .string(session.name),
            "tenant_id": .string(session.tenantID),
            "object_id": .string(session.objectID),
            // What applications are told as well, unless a release has just defined groups anew.
            "groups": .array(known.groups.map(JSON.string)),
            "signed_in_at": .integer(session.startedAt),
            "expires_at": .integer(sessions.end(of: session)),
        ]
        return .json(.ok, reader.text)
    }

    /// The session with the groups that count now; with all of them if they are of another
    /// definition, so that the next page renews the session.
    private func confirmed(_ session: Session, _ request: Request, at now: NumericDate) -> Session {
        guard let policy = request.release.flatMap(storage.policy),
            policy.groupsDigest == session.groupsDigest
        else { return session }
        return session.confirmed(in: policy, at: now)
    }
}
