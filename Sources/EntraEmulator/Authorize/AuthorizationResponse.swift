import JOSE
import Jansson
import OpenSSL

/// The authorization response, in the response mode that the application asked for.
struct AuthorizationResponse: Sendable {
    let emulator: Emulator
    let origin: Origin
    let parameters: AuthorizationParameters

    init(emulator: Emulator, origin: Origin, _ parameters: AuthorizationParameters) {
        self.emulator = emulator
        self.origin = origin
        self.parameters = parameters
    }

    func success(
        _ account: Account,
        _ session: BrowserSessions.Session,
        _ signedIn: BrowserSessions.SignedIn,
        _ authority: Authority
    ) -> EmulatorResponse {
        let types = parameters.responseTypes
        let grant = Grant(
            clientID: parameters.application.clientID,
            objectID: account.id,
            scopes: parameters.scopes,
            nonce: parameters.items["nonce"],
            sessionID: session.id,
            authenticatedAt: signedIn.authenticatedAt,
            policy: authority.policy,
            contexts: parameters.items.requestedContexts
        )
        var answer: [(String, String)] = []
        var hashed: JSON.Members = [:]
        if types.contains("code") {
            let code = addCode(grant, authority)
            if !emulator.faults.consume(.codeMissing) { answer.append(("code", code)) }
            hashed["c_hash"] = .string(Self.hash(code))
        }
        let issuer = TokenIssuer(emulator: emulator, authority: authority)
        let client = Client(application: parameters.application, proof: .none)
        if types.contains("token"),
            let requested = try? RequestedScopes(parameters.scopes, authority, emulator.finder),
            let token = try? issuer.accessToken(grant, client, requested)
        {
            answer += [("access_token", token), ("token_type", "Bearer"), ("expires_in", "3599")]
            hashed["at_hash"] = .string(Self.hash(token))
        }
        if types.contains("id_token"),
            let token = try? issuer.idToken(grant, parameters.application, frontChannel: hashed)
        {
            answer.append(("id_token", token))
        }
        if parameters.items["client_info"] == "1" {
            answer.append(("client_info", account.clientInfo))
        }
        return send(answer + state + [("session_state", session.id)] + foreignIssuer)
    }

    func refusal(_ error: ProtocolError) -> EmulatorResponse {
        emulator.events.add([
            "event": "refusal", "number": .integer(error.number), "error": .string(error.error),
        ])
        var answer = [
            ("error", error.error),
            ("error_description", error.description(emulator.correlation())),
            ("error_uri", error.uri),
        ]
        if let subcode = error.subcode { answer.append(("error_subcode", subcode)) }
        return send(answer + state)
    }

    private var state: [(String, String)] {
        guard let state = parameters.items["state"] else { return [] }
        if emulator.faults.consume(.stateMissing) { return [] }
        return [("state", emulator.faults.consume(.stateWrong) ? state + "A" : state)]
    }

    private var foreignIssuer: [(String, String)] {
        emulator.faults.consume(.issuerInAnswer) ? [("iss", "https://idp.example.com")] : []
    }

    private func addCode(_ grant: Grant, _ authority: Authority) -> String {
        // As long as a real code, so that an application that stores it in a cookie or a log line
        // fails here too.
        let text = "1." + Base64URL.encode(emulator.random(emulator.directory.codeBytes))
        let code = Codes.Code(
            grant: grant,
            authority: authority.path,
            redirectURI: parameters.redirectURI,
            codeChallenge: parameters.items["code_challenge"],
            codeChallengeMethod: parameters.challengeMethod,
            issuedAt: emulator.now()
        )
        emulator.codes.add(code, text)
        return text
    }

    private func send(_ items: [(String, String)]) -> EmulatorResponse {
        switch parameters.responseMode {
        case .query:
            return .redirect(to: RedirectURI.answered(parameters.redirectURI), items)
        case .fragment:
            let uri = RedirectURI.answered(parameters.redirectURI)
            return .redirect(to: uri, items, separator: "#")
        case .formPost:
            return FormPostPage(action: parameters.redirectURI, items: items).response
        }
    }

    /// The left half of the digest (OpenID Connect Core 1.0, section 3.3.2.11).
    private static func hash(_ text: String) -> String {
        Base64URL.encode(Array(Digest.sha256(Array(text.utf8)).prefix(16)))
    }
}
