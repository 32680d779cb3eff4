import HTTPTypes
import Jansson

/// The page on which a person types the code of a device, and signs in for that device (RFC 8628,
/// section 3.3).
struct DeviceSignIn: Sendable {
    static let path = "/device"

    let emulator: Emulator
    let origin: Origin

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        let form = request.form
        // The code must be typed: a link with a code could come from a stranger who owns the device
        // (RFC 8628, section 5.4). Entra offers no such link either.
        guard request.http.method == .post, request.isSameOrigin(origin) else {
            return DevicePages.code(nil)
        }
        guard let typed = form["user_code"] ?? QueryItems(request.query)["user_code"] else {
            return DevicePages.code(nil)
        }
        guard let code = emulator.deviceCodes.pending(DeviceCodes.normalized(typed)),
            emulator.now() - code.issuedAt <= DeviceCodes.lifetime
        else {
            return DevicePages.code("That code is wrong or has expired. Check it and try again.")
        }
        if let setting = emulator.faults.take(.signInError),
            let error = ProtocolError.catalogued(setting.number)
        {
            return refusal(error, code)
        }
        do {
            let application = try Registration.application(
                code.clientID,
                code.authority,
                emulator.directory
            )
            return signIn(application, code, request)
        } catch { return refusal(error, code) }
    }

    private func signIn(
        _ application: Application,
        _ code: DeviceCodes.Code,
        _ request: EmulatorRequest
    ) -> EmulatorResponse {
        let cookie = request.cookie(BrowserSessions.cookieName)
        let journey = SignInJourney(
            emulator: emulator,
            authority: code.authority,
            application: application,
            // A device sign-in always asks for the account.
            wishes: QueryItems("prompt=select_account"),
            scopes: code.scopes,
            choice: Choice(request.form),
            session: cookie.flatMap { emulator.sessions[$0] }
        )
        let pages = SignInPages(
            action: "\(Self.path)?user_code=\(code.userCode)",
            journey: journey,
            directory: emulator.directory
        )
        switch journey.step {
        case .refuse(let error) where error.number == 65004:
            _ = emulator.deviceCodes.answer(code.userCode, .declined)
            return DevicePages.declined(application, code.authority)
        case .refuse(let error): return refusal(error, code)
        case .ask(let question): return pages.page(for: question)
        case .finish(let account) where !journey.choice.hasConfirmed:
            return pages.confirmation(account)
        case .finish(let account):
            let signIn = CompletedSignIn(account, journey, request)
            let grant = Grant(
                clientID: application.clientID,
                objectID: account.id,
                scopes: code.scopes,
                nonce: nil,
                sessionID: signIn.session.id,
                authenticatedAt: signIn.account.authenticatedAt,
                policy: nil
            )
            guard emulator.deviceCodes.answer(code.userCode, .approved(grant)) else {
                return DevicePages.code(
                    "That code is wrong or has expired. Check it and try again."
                )
            }
            return signIn.remembered(DevicePages.done(application, account.tenant), emulator)
        }
    }

    /// The device is not told; it waits until the code expires.
    private func refusal(_ error: ProtocolError, _ code: DeviceCodes.Code) -> EmulatorResponse {
        emulator.events.add(["event": "refusal-page", "number": .integer(error.number)])
        let page = ErrorPage(error: error, correlation: emulator.correlation())
        return page.response(code.authority.tenant?.name ?? "")
    }
}
