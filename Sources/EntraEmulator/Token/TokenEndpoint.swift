import HTTPTypes
import Jansson

/// The token endpoint: a code, a refresh token or an application's own credentials for tokens.
struct TokenEndpoint: Sendable {
    let emulator: Emulator
    let origin: Origin
    let authority: Authority

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        do {
            return try answer(request)
        } catch {
            emulator.events.add([
                "event": "token-refusal", "number": .integer(error.number),
                "error": .string(error.error),
            ])
            return .json(error.status, error.json(emulator.stamp()))
        }
    }

    private func answer(_ request: EmulatorRequest) throws(ProtocolError) -> EmulatorResponse {
        guard request.http.method == .post else {
            throw ProtocolError(
                "invalid_request",
                900_561,
                "The endpoint takes POST, and this was \(request.http.method.rawValue)."
            )
        }
        let form = request.form
        if request.http.headerFields[.origin] != nil {
            throw ProtocolError(
                "invalid_request",
                9_002_326,
                "A request with 'Origin' is for redirect URIs of the kind 'spa', not for 'web'."
            )
        }
        if let setting = emulator.faults.take(.tokenError),
            let error = ProtocolError.catalogued(setting.number)
        {
            throw error
        }
        guard let grantType = form["grant_type"] else { throw ProtocolError.missing("grant_type") }
        let grants = ["authorization_code", "refresh_token", "client_credentials"]
        guard grants.contains(grantType) else {
            throw ProtocolError(
                "unsupported_grant_type",
                70003,
                "'\(grantType)' is no grant type that is supported."
            )
        }
        let client = ClientAuthentication(
            directory: emulator.directory,
            authority: authority,
            finder: emulator.finder,
            keys: emulator.keys,
            origin: origin,
            now: emulator.now()
        )
        let application = try client.application(form, request)
        emulator.events.add([
            "event": "token", "grant_type": .string(grantType),
            "client_id": .string(application.clientID),
        ])
        let issuer = TokenIssuer(emulator: emulator)
        switch grantType {
        case "authorization_code":
            let redemption = CodeRedemption(emulator: emulator, authority: authority)
            return .json(
                .ok,
                try issuer.answer(redemption.grant(form, application), application, form)
            )
        case "refresh_token":
            let redemption = RefreshRedemption(emulator: emulator)
            return .json(
                .ok,
                try issuer.answer(redemption.grant(form, application), application, form)
            )
        default:
            let scope = form["scope"] ?? ""
            guard scope.hasSuffix("/.default") else {
                throw ProtocolError(
                    "invalid_scope",
                    1_002_012,
                    "An application of its own account asks for '<resource>/.default'."
                )
            }
            return .json(.ok, issuer.answer(forItself: application))
        }
    }
}
