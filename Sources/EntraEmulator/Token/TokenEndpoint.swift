import HTTPTypes
import Jansson

/// The token endpoint, which redeems codes, refresh tokens and an application's own credentials.
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
            return .json(error.status, error.json(emulator.correlation()))
        }
    }

    private func answer(_ request: EmulatorRequest) throws(ProtocolError) -> EmulatorResponse {
        try request.requirePost()
        let form = request.form
        if request.http.headerFields[.origin] != nil {
            throw .invalidRequest(
                9_002_326,
                "A request with 'Origin' requires a redirect URI of the kind 'spa', not 'web'."
            )
        }
        if let setting = emulator.faults.take(.tokenError),
            let error = ProtocolError.catalogued(setting.number)
        {
            throw error
        }
        guard let grantType = form["grant_type"] else { throw .missing("grant_type") }
        guard let grantType = GrantType(rawValue: grantType) else {
            throw ProtocolError(
                "unsupported_grant_type",
                70003,
                "The grant type '\(grantType)' is not supported."
            )
        }
        let authentication = ClientAuthentication(
            directory: emulator.directory,
            authority: authority,
            finder: emulator.finder,
            keys: emulator.keys,
            origin: origin,
            now: emulator.now()
        )
        let client = try authentication.client(form, request)
        emulator.events.add([
            "event": "token", "grant_type": .string(grantType.rawValue),
            "client_id": .string(client.application.clientID),
        ])
        let issuer = TokenIssuer(emulator: emulator, authority: authority)
        let answer: JSON
        switch grantType {
        case .authorizationCode:
            let redemption = AuthorizationCodeGrant(emulator: emulator, authority: authority)
            answer = try issuer.answer(redemption.grant(form, client), client, form)
        case .refreshToken:
            let redemption = RefreshTokenGrant(emulator: emulator, authority: authority)
            answer = try issuer.answer(redemption.grant(form, client), client, form)
        case .deviceCode:
            let redemption = DeviceCodeGrant(emulator: emulator, authority: authority)
            answer = try issuer.answer(redemption.grant(form, client), client, form)
        case .clientCredentials:
            try client.requireProof(unless: false)
            answer = try issuer.answer(forItself: client, resource(form), home: home(client))
        }
        return .json(.ok, answer)
    }

    /// The API for which an application wants a token for itself.
    private func resource(_ form: QueryItems) throws(ProtocolError) -> Resource {
        let scopes = RequestedScopes.list(form["scope"])
        guard !scopes.isEmpty, scopes.allSatisfy({ $0.hasSuffix("/.default") }) else {
            throw ProtocolError(
                "invalid_scope",
                1_002_012,
                "An application that acts for itself must ask for the scope '<resource>/.default'."
            )
        }
        return try RequestedScopes(scopes, authority, emulator.finder).resource
    }

    private func home(_ client: Client) -> Tenant {
        let found = emulator.directory.application(client.application.clientID)
        return found?.home ?? emulator.directory.tenants[0]
    }
}

/// The supported grant types (RFC 6749, section 4; RFC 8628, section 3.4).
enum GrantType: String, Sendable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
}
