import HTTPTypes
import Jansson

/// The end-session endpoint (OpenID Connect RP-Initiated Logout 1.0, as Entra does it).
struct Logout: Sendable {
    let emulator: Emulator
    let origin: Origin
    let authority: Authority

    /// - Parameter asksAlways: whether to ask for the account even if there is only one, as the
    ///   v2.0 endpoint does; the v1 endpoint signs a single account out.
    func respond(to request: EmulatorRequest, asksAlways: Bool) -> EmulatorResponse {
        // Entra accepts the parameters as a query or as a form; the emulator's page adds the
        // choice.
        let form = request.form
        let isRequest = form["account"] == nil
        let items = QueryItems(request.query + (isRequest ? "&\(form.text)" : ""))
        let cookie = request.cookie(BrowserSessions.cookieName)
        let session = cookie.flatMap { emulator.sessions[$0] }
        let accounts = (session?.accounts ?? []).compactMap {
            emulator.directory.account($0.objectID)
        }
        guard let cookie, let session, !accounts.isEmpty else { return leave(items, told: []) }
        let hinted = accounts.first { $0.user.loginHint == items["logout_hint"] }
        let chosen =
            request.isSameOrigin(origin)
            ? form["account"].flatMap { id in accounts.first { $0.id == id } } : nil
        let only = !asksAlways && accounts.count == 1 ? accounts.first : nil
        guard let account = hinted ?? chosen ?? only else {
            return AccountPicker(
                title: "Pick an account",
                detail: "Which account do you want to sign out of?",
                action: request.path + "?" + items.text,
                accounts: accounts,
                signedIn: Set(accounts.map(\.id)),
                isForSigningIn: false
            ).response(authority.tenant?.name ?? "")
        }
        let signedIn = emulator.sessions.signOut(account.id, cookie: cookie)
        emulator.events.add([
            "event": "sign-out", "user": .string(account.user.userName),
            "session": .string(session.id),
        ])
        return leave(items, told: frontChannel(signedIn?.applications ?? [], session.id))
    }

    /// `GET {logoutUrl}?sid=…`, without `iss`, to every application of the session
    /// (OpenID Connect Front-Channel Logout 1.0, as Entra does it).
    private func frontChannel(_ clientIDs: [String], _ sid: String) -> [String] {
        if emulator.faults.consume(.frontChannelMissing) { return [] }
        let hasIssuer = emulator.faults.consume(.frontChannelWithIssuer)
        let hasSID = !emulator.faults.consume(.frontChannelWithoutSID)
        let urls = clientIDs.compactMap {
            emulator.directory.application($0)?.application.logoutURL
        }
        return urls.map { url in
            var items: [(String, String)] = []
            if hasSID { items.append(("sid", sid)) }
            if hasIssuer {
                let tenant = authority.tenant ?? emulator.directory.tenants[0]
                items.append(("iss", emulator.finder.issuer(tenant)))
            }
            if items.isEmpty { return url }
            return url + (url.contains("?") ? "&" : "?") + QueryItems.encode(items)
        }
    }

    /// Redirects to the application if the URI is one of its redirect URIs, which Entra also uses
    /// for signing out.
    private func leave(_ items: QueryItems, told: [String]) -> EmulatorResponse {
        let registered = emulator.directory.tenants.flatMap(\.applications).flatMap(\.redirectURIs)
        let isStuck = emulator.faults.consume(.signOutStuck)
        let uri = items["post_logout_redirect_uri"].flatMap { uri in
            registered.contains { RedirectURI.matches(uri, registered: $0) } ? uri : nil
        }
        let state = items["state"].map { [("state", $0)] } ?? []
        guard let uri, !isStuck else { return SignedOutPage(told: told, onward: nil).response }
        let back = EmulatorResponse.redirect(to: uri, state)
        if told.isEmpty { return back }
        return SignedOutPage(told: told, onward: back.http.headerFields[.location]).response
    }
}
