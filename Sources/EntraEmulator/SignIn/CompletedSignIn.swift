import JOSE
import Jansson

/// A completed sign-in: the browser is signed in, and consent is remembered.
struct CompletedSignIn: Sendable {
    let session: BrowserSessions.Session
    let account: BrowserSessions.SignedIn
    private let cookie: String

    init(_ account: Account, _ journey: SignInJourney, _ request: EmulatorRequest) {
        let emulator = journey.emulator
        let clientID = journey.application.clientID
        cookie = request.cookie(BrowserSessions.cookieName) ?? Base64URL.encode(emulator.random(32))
        (session, self.account) = emulator.sessions.signIn(
            account.id,
            to: clientID,
            cookie: cookie,
            newID: emulator.guid(),
            now: emulator.now(),
            isFresh: journey.choice.password != nil,
            hasSecondFactor: journey.choice.isApproved
        )
        if journey.choice.hasConsented { emulator.consents.give(to: clientID, by: account.id) }
        emulator.events.add([
            "event": "sign-in", "client_id": .string(clientID),
            "user": .string(account.user.userName), "session": .string(session.id),
        ])
    }

    /// The answer with the cookies that the browser keeps.
    func remembered(_ response: EmulatorResponse, _ emulator: Emulator) -> EmulatorResponse {
        var response = response
        response.setCookie(BrowserSessions.cookieName, cookie)
        response.setCookie("fpc", Base64URL.encode(emulator.random(24)))
        response.setCookie("x-ms-gateway-slice", "estsfd")
        response.setCookie("stsservicecookie", "estsfd")
        return response
    }
}
