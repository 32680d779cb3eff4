import HTTPTypes
import Jansson
import SiteauthConfiguration

/// The account page, and the same facts as JSON: what the site tells a reader about their session.
struct Account: Sendable {
    let configuration: AuthConfiguration
    let sessions: Sessions
    let signOut: SignOut

    func page(_ request: Request, at now: NumericDate) -> Response {
        guard let session = sessions.live(in: request.cookie, at: now) else {
            return .redirect(to: configuration.origin + "/auth/sign-in?return=/auth/account")
        }
        return ReaderPage.account(
            session,
            until: sessions.end(of: session),
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
        let reader: JSON = [
            "name": .string(session.name),
            "tenant_id": .string(session.tenantID),
            "object_id": .string(session.objectID),
            "groups": .array(session.groups.map(JSON.string)),
            "signed_in_at": .integer(session.startedAt),
            "expires_at": .integer(sessions.end(of: session)),
        ]
        return .json(.ok, reader.text)
    }
}
