import HTTPTypes
import Jansson

/// The authorization endpoint, which signs an account in and sends the browser back with a code.
struct Authorize: Sendable {
    let emulator: Emulator
    let origin: Origin
    let authority: Authority

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        // Entra accepts the request as a query or as a form; the emulator's pages add the choices.
        let form = request.form
        let items = QueryItems(request.query + (form["client_id"] == nil ? "" : "&\(form.text)"))
        let parameters: AuthorizationParameters
        do {
            parameters = try AuthorizationParameters(items, authority, emulator.finder)
        } catch {
            return refusalPage(error)
        }
        let answer = AuthorizationResponse(emulator: emulator, origin: origin, parameters)
        if let mistake = parameters.mistake { return answer.refusal(mistake) }
        if let setting = emulator.faults.take(.signInError),
            let error = ProtocolError.catalogued(setting.number)
        {
            return error.isRedirected ? answer.refusal(error) : refusalPage(error)
        }
        // A form of another site chooses no account.
        let choice = request.isSameOrigin(origin) ? Choice(form) : Choice()
        let session = request.cookie(BrowserSessions.cookieName).flatMap { emulator.sessions[$0] }
        let journey = SignInJourney(
            emulator: emulator,
            authority: authority,
            application: parameters.application,
            wishes: parameters.items,
            scopes: parameters.scopes,
            choice: choice,
            session: session
        )
        let pages = SignInPages(
            action: request.path + "?" + items.text,
            journey: journey,
            directory: emulator.directory
        )
        switch journey.step {
        case .refuse(let error):
            return error.isRedirected
                ? answer.refusal(error)
                : refusalPage(error, onward: "\(request.path)?\(items.askingForAccount.text)")
        case .ask(let question): return pages.page(for: question)
        case .finish(let account):
            let signIn = CompletedSignIn(account, journey, request)
            return signIn.remembered(
                answer.success(account, signIn.session, signIn.account, authority),
                emulator
            )
        }
    }

    /// The error page for errors that Entra does not send to the application, with status 200.
    private func refusalPage(_ error: ProtocolError, onward: String? = nil) -> EmulatorResponse {
        emulator.events.add(["event": "refusal-page", "number": .integer(error.number)])
        let page = ErrorPage(error: error, correlation: emulator.correlation(), onward: onward)
        return page.response(authority.tenant?.name ?? "")
    }
}

extension QueryItems {
    /// The same authorization request, in which the user picks an account.
    fileprivate var askingForAccount: QueryItems {
        let kept = items.filter { $0.name != "prompt" && $0.name != "login_hint" }
        return QueryItems(
            Self.encode(kept.map { ($0.name, $0.value) } + [("prompt", "select_account")])
        )
    }
}
