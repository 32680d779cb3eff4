import HTTPTypes
import JOSE

/// The authorization endpoint, which finds out who somebody is, and sends them back with a code.
struct Authorize: Sendable {
    let emulator: Emulator

    func respond(to request: EmulatorRequest, tenant: String) -> EmulatorResponse {
        // Entra takes the request as a query or as a form; our pages add what was chosen.
        let items = QueryItems(request.query)
        let choice = QueryItems(String(decoding: request.body, as: UTF8.self))
        let parameters: AuthorizationParameters
        do {
            parameters = try AuthorizationParameters(items, emulator.directory)
        } catch {
            return emulator.errorPage(error)
        }
        if let mistake = parameters.mistake { return redirect(mistake, parameters) }
        if choice["cancel"] != nil { return redirect(Self.cancelled, parameters) }
        if let objectID = choice["account"] {
            // A form of somebody else's page chooses nobody.
            guard request.isSameOrigin(emulator.base) else {
                return picker(parameters, request)
            }
            return signIn(objectID, parameters, request, tenant: tenant)
        }
        let users = emulator.session(of: request)?.users ?? []
        switch items["prompt"] {
        case "none":
            guard users.count == 1 else { return redirect(Self.loginRequired, parameters) }
            return signIn(users[0], parameters, request, tenant: tenant)
        case nil where users.count == 1:
            return signIn(users[0], parameters, request, tenant: tenant)
        default:
            return picker(parameters, request)
        }
    }

    private func picker(
        _ parameters: AuthorizationParameters,
        _ request: EmulatorRequest
    ) -> EmulatorResponse {
        let signedIn = emulator.session(of: request)?.users ?? []
        return AccountPicker(
            title: "Pick an account",
            detail: "to sign in to \(parameters.application.name)",
            action: request.path + "?" + request.query,
            users: emulator.directory.users,
            signedIn: Set(signedIn),
            hasCancel: true
        ).response(emulator.directory)
    }

    private func signIn(
        _ objectID: String,
        _ parameters: AuthorizationParameters,
        _ request: EmulatorRequest,
        tenant: String
    ) -> EmulatorResponse {
        guard let user = emulator.directory.user(objectID) else {
            return picker(parameters, request)
        }
        if let refusal = Self.refusal(user, parameters.application) {
            return emulator.errorPage(refusal)
        }
        let cookie = emulator.cookie(of: request) ?? Base64URL.encode(emulator.random(32))
        let session = emulator.sessions.signIn(
            user.objectID,
            cookie: cookie,
            newID: emulator.guid()
        )
        // Long, as real ones are: whoever keeps it in a cookie or a log line shall notice.
        let code = "1." + Base64URL.encode(emulator.random(480))
        emulator.grants.add(
            Grant(
                tenant: tenant,
                clientID: parameters.application.clientID,
                redirectURI: parameters.redirectURI,
                scope: parameters.items["scope"] ?? "",
                nonce: parameters.items["nonce"],
                codeChallenge: parameters.items["code_challenge"],
                codeChallengeMethod: parameters.challengeMethod,
                user: user,
                sessionID: session.id,
                issuedAt: emulator.now()
            ),
            code: code
        )
        var answer = [("code", code)]
        if let state = parameters.items["state"] { answer.append(("state", state)) }
        answer.append(("session_state", session.id))
        var response = EmulatorResponse.redirect(to: parameters.redirectURI, answer)
        response.setCookie(BrowserSessions.cookieName, cookie)
        return response
    }

    private func redirect(
        _ error: ProtocolError,
        _ parameters: AuthorizationParameters
    ) -> EmulatorResponse {
        var answer = [
            ("error", error.error),
            ("error_description", error.description(emulator.stamp())),
            ("error_uri", "https://login.microsoftonline.com/error?code=\(error.number)"),
        ]
        if let subcode = error.subcode { answer.append(("error_subcode", subcode)) }
        if let state = parameters.items["state"] { answer.append(("state", state)) }
        return .redirect(to: parameters.redirectURI, answer)
    }

    /// What Entra shows on a page of its own, so that the application never hears of it.
    private static func refusal(
        _ user: Directory.User,
        _ application: Directory.Application
    ) -> ProtocolError? {
        if user.isDisabled {
            return ProtocolError(
                error: "invalid_grant",
                number: 50057,
                message: "The user account is disabled."
            )
        }
        if application.isAssignmentRequired, user.roles.isEmpty {
            return ProtocolError(
                error: "interaction_required",
                number: 50105,
                message: "Your administrator has configured the application \(application.name) to"
                    + " block users unless they are specifically granted ('assigned') access."
            )
        }
        return nil
    }

    private static let cancelled = ProtocolError(
        error: "access_denied",
        number: 65004,
        message: "User declined to consent to access the app.",
        subcode: "cancel"
    )

    private static let loginRequired = ProtocolError(
        error: "login_required",
        number: 50058,
        message: "A silent sign-in request was sent but no user is signed in."
    )
}
