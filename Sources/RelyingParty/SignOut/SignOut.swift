import HTTPTypes
import OpenSSL
import SiteauthConfiguration

/// Ends the session here first, then the session at the provider.
///
/// Both end unless the configuration says otherwise: with the provider's session alive, the next
/// click signs the reader in again without a question.
struct SignOut: Sendable {
    /// How long the sign-out button of a page works, in seconds.
    static let tokenLifetime = 24 * 3600

    let configuration: AuthConfiguration
    let provider: Provider
    let keys: KeyRing
    let sessions: Sessions
    let storage: Storage

    func respond(to request: Request, at now: NumericDate) -> Response {
        // Expired and ambiguous sessions too: copies of their cookies must not come back.
        let known = sessions.allToEnd(in: request.cookie)
        guard request.method == .post else {
            return confirmation(known, request, at: now)
        }
        // This comes first and changes nothing: another site's form arrives without the session
        // cookie, and the answer must not delete the cookie.
        guard isMeant(request, known, at: now) else {
            return confirmation(known, request, at: now)
                .logging(
                    .warning,
                    "sign-out refused: the form came from another site",
                    as: .signOutRefusal
                )
        }
        guard let session = known.first else { return end(.redirect(to: signedOutURL)) }
        guard known.allSatisfy({ storage.revoke($0.revocationName) }) else {
            // The browser's cookie is deleted anyway, but a copy of it would still open pages.
            let reason = "but the list of ended sessions cannot be written"
            return end(ReaderPage.signOutIncomplete.response(request))
                .logging(
                    .error,
                    "signed out '\(session.objectID)', \(reason)",
                    about: Event.Subject(session)
                )
        }
        return end(.redirect(to: providerURL(session, request)))
            .logging(
                .notice,
                "signed out '\(session.objectID)' of '\(session.tenantID)'",
                as: .signOut,
                about: Event.Subject(session)
            )
    }

    private func confirmation(
        _ known: [Session],
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        let token = known.first.map { self.token(for: $0, at: now) }
        return ReaderPage.confirmSignOut(token: token, settings, request)
    }

    func signedOut(_ request: Request) -> Response {
        // The site's own goodbye page is reached through this address, so that only this address
        // has to be registered and the steps below happen in any case.
        var response =
            if let path = settings.pathAfterSignOut {
                Response.redirect(to: configuration.origin + path)
            } else {
                ReaderPage.signedOut(settings, request)
            }
        // Once more, because the page that was open entered the browser's memory after the first
        // time.
        response.http.headerFields[.clearSiteData] = "\"cache\""
        return response
    }

    /// The token in the sign-out forms of siteauth's pages.
    func token(for session: Session, at now: NumericDate) -> String {
        var writer = FieldWriter()
        writer.write(session.id)
        writer.write(now)
        return keys.seal(writer.bytes, for: .signOut)
    }

    /// Whether the reader pressed a sign-out button of this site.
    ///
    /// The pages of sitegen are the same for all readers and contain no token; for them the browser
    /// says which site the form was on.
    private func isMeant(_ request: Request, _ known: [Session], at now: NumericDate) -> Bool {
        if let site = request.headerFields[.secFetchSite] { return site == "same-origin" }
        if let origin = request.headerFields[.origin] { return origin == configuration.origin }
        let form = Form(String(decoding: request.body, as: UTF8.self))
        guard let bytes = form?["token"].flatMap({ keys.open($0, for: .signOut) }) else {
            return false
        }
        var reader = FieldReader(bytes)
        guard let id = reader.field(), let date = reader.date(), reader.isAtEnd else {
            return false
        }
        let isOurs = known.contains { Digest.equal(id, $0.id) }
        return isOurs && date <= now && now - date < Self.tokenLifetime
    }

    private func end(_ response: Response) -> Response {
        var response = response
        response.setCookie(sessions.attributes.delete(Sessions.cookieName))
        response.setCookie(sessions.attributes.delete(Browser.cookieName))
        if configuration.provider.sendsIDTokenHint { response.setCookie(hint.deletion) }
        // Cached pages must not come back with the Back button.
        response.http.headerFields[.clearSiteData] = "\"cache\""
        return response
    }

    private var settings: SessionSettings { configuration.session }

    private var hint: IDTokenHint { IDTokenHint(keys: keys, attributes: sessions.attributes) }

    private var signedOutURL: String { configuration.origin + "/auth/signed-out" }

    /// The provider's end-session endpoint (OpenID Connect RP-Initiated Logout 1.0), or siteauth's
    /// own page if the endpoint is unknown: signing out never waits for the network.
    private func providerURL(_ session: Session, _ request: Request) -> String {
        guard settings.signOut == .everywhere, let endpoint = provider.known?.endSessionEndpoint
        else { return signedOutURL }
        var parameters = [
            ("client_id", configuration.clientID),
            ("post_logout_redirect_uri", signedOutURL),
        ]
        // Without the hint Entra asks which account to sign out, even if there is only one.
        if settings.sendsLogoutHint, !session.loginHint.isEmpty {
            parameters.append(("logout_hint", session.loginHint))
        }
        if configuration.provider.sendsIDTokenHint,
            let token = hint.token(of: session, in: request.cookie)
        {
            parameters.append(("id_token_hint", token))
        }
        let separator = endpoint.query.isEmpty ? "?" : "&"
        return endpoint.text + separator + Form.encode(parameters)
    }
}
