import HTTPTypes

/// The end-session endpoint (OpenID Connect RP-Initiated Logout 1.0, with Entra's ways).
struct Logout: Sendable {
    let emulator: Emulator

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        let items = QueryItems(request.query)
        let choice = QueryItems(String(decoding: request.body, as: UTF8.self))
        let users = (emulator.session(of: request)?.users ?? []).compactMap(emulator.directory.user)
        if users.isEmpty { return leave(items) }
        let hinted = users.first { IDTokenClaims.loginHint($0) == items["logout_hint"] }
        let chosen = choice["account"].flatMap { id in users.first { $0.objectID == id } }
        // Without a hint Entra asks, even if there is one account only.
        guard let user = hinted ?? chosen else {
            return AccountPicker(
                title: "Pick an account",
                detail: "Which account do you want to sign out of?",
                action: request.path + "?" + request.query,
                users: users,
                signedIn: Set(users.map(\.objectID)),
                hasCancel: false
            ).response(emulator.directory)
        }
        if let cookie = emulator.cookie(of: request) {
            emulator.sessions.signOut(user.objectID, cookie: cookie)
        }
        return leave(items)
    }

    /// Back to the application if its address is registered; there is one list for coming and going.
    private func leave(_ items: QueryItems) -> EmulatorResponse {
        let registered = emulator.directory.applications.flatMap(\.redirectURIs)
        guard let uri = items["post_logout_redirect_uri"],
            registered.contains(where: { RedirectURI.matches(uri, registered: $0) })
        else {
            return MessagePage(
                title: "You signed out of your account",
                paragraphs: ["It's a good idea to close all browser windows."]
            ).response(emulator.directory)
        }
        return .redirect(to: uri, items["state"].map { [("state", $0)] } ?? [])
    }
}
