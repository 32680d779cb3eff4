import HTTPTypes
import JOSE
import Jansson
import OpenSSL

/// Issues tokens, correct ones and faulty ones for tests.
struct TokenIssuer: Sendable {
    let emulator: Emulator
    let authority: Authority

    /// The token endpoint's answer for a user.
    func answer(
        _ grant: Grant,
        _ client: Client,
        _ form: QueryItems
    ) throws(ProtocolError) -> JSON {
        let account = emulator.directory.account(grant.objectID)
        let isB2C = account?.tenant.kind == .b2c
        let requested = try RequestedScopes(grant.scopes, authority, emulator.finder)
        var members: JSON.Members = ["token_type": "Bearer"]
        members["scope"] = .string(requested.answered.joined(separator: " "))
        let lifetime = IssuedTokens.accessLifetime
        if isB2C {
            members["not_before"] = .string("\(emulator.now())")
            members["expires_in"] = .string("\(lifetime)")
        } else {
            members["expires_in"] = .integer(lifetime)
            members["ext_expires_in"] = .integer(lifetime)
        }
        members["access_token"] = .string(try accessToken(grant, client, requested))
        if grant.scopes.contains("offline_access") {
            members["refresh_token"] = .string(refreshToken(grant))
        }
        if grant.scopes.contains("openid"), !emulator.faults.consume(.idTokenMissing) {
            members["id_token"] = .string(try idToken(grant, client.application))
        }
        if form["client_info"] == "1" {
            members["client_info"] = account.map { .string($0.clientInfo) }
        }
        return .object(members)
    }

    /// The token endpoint's answer for an application that acts for itself.
    ///
    /// - Parameter home: the tenant of the registration, for authorities that name no tenant.
    func answer(
        forItself client: Client,
        _ resource: Resource,
        home: Tenant
    ) throws(ProtocolError) -> JSON {
        let lifetime = IssuedTokens.accessLifetime
        let text: String
        switch resource {
        case .graph: text = add(grant: nil, client.application.clientID, lifetime, "")
        case .service: text = opaque("")
        case .application(let api, let identifier):
            let roles = client.application.roles(at: api)
            if api.isAssignmentRequired, roles.isEmpty {
                throw .invalidGrant(
                    501_051,
                    "The application '\(client.application.clientID)' is not assigned to a role"
                        + " for the application '\(identifier)'."
                )
            }
            let caller = AccessTokenClaims.Caller.application(roles: roles)
            text = try token(caller, client, api, identifier, authority.tenant ?? home)
        }
        return [
            "token_type": "Bearer", "expires_in": .integer(lifetime),
            "ext_expires_in": .integer(lifetime), "access_token": .string(text),
        ]
    }

    /// An access token: a JWT for an API of the directory, an opaque text for Graph.
    ///
    /// Applications must not rely on the format of a token for Graph.
    func accessToken(
        _ grant: Grant,
        _ client: Client,
        _ requested: RequestedScopes
    ) throws(ProtocolError) -> String {
        switch requested.resource {
        case .graph: return add(grant: grant, grant.clientID, IssuedTokens.accessLifetime, "")
        case .service: return opaque("")
        case .application(let api, let identifier):
            guard let account = emulator.directory.account(grant.objectID) else {
                throw Self.unknownAccount
            }
            let caller = AccessTokenClaims.Caller.user(grant, account, scopes: requested.granted)
            return try token(caller, client, api, identifier, account.tenant)
        }
    }

    /// - Parameter frontChannel: digests of code and access token, for a token that comes from the
    ///   authorization endpoint.
    func idToken(
        _ grant: Grant,
        _ application: Application,
        frontChannel: JSON.Members? = nil
    ) throws(ProtocolError) -> String {
        guard let account = emulator.directory.account(grant.objectID) else {
            throw Self.unknownAccount
        }
        let claims = IDTokenClaims(
            grant: grant,
            application: application,
            account: account,
            issuer: emulator.finder.issuer(account.tenant),
            now: emulator.now(),
            frontChannel: frontChannel,
            random: emulator.random
        )
        let forgery = FaultyIDToken(
            faults: Set(emulator.faults.take(of: .idToken)),
            keys: emulator.keys,
            family: SigningKeys.Family(account.tenant)
        )
        do { return try forgery.token(claims.json) } catch { throw Self.noKey }
    }

    private func token(
        _ caller: AccessTokenClaims.Caller,
        _ client: Client,
        _ api: Application,
        _ identifier: String,
        _ tenant: Tenant
    ) throws(ProtocolError) -> String {
        let claims = AccessTokenClaims(
            caller: caller,
            client: client,
            api: api,
            identifier: identifier,
            tenant: tenant,
            issuer: emulator.finder.issuer(tenant),
            now: emulator.now(),
            random: emulator.random
        )
        do {
            let key = try emulator.keys.signing(SigningKeys.Family(tenant))
            let payload = Array(claims.json.text.utf8)
            return try key.sign(payload, isVersion1: claims.isVersion1)
        } catch { throw Self.noKey }
    }

    private func refreshToken(_ grant: Grant) -> String {
        add(grant: grant, grant.clientID, IssuedTokens.refreshLifetime, "1.")
    }

    private func add(
        grant: Grant?,
        _ clientID: String,
        _ lifetime: Int,
        _ prefix: String
    ) -> String {
        let token = IssuedTokens.Token(
            grant: grant,
            clientID: clientID,
            issuedAt: emulator.now(),
            lifetime: lifetime
        )
        let text = opaque(prefix)
        emulator.tokens.add(token, text)
        return text
    }

    private func opaque(_ prefix: String) -> String {
        prefix + Base64URL.encode(emulator.random(900))
    }

    private static let unknownAccount = ProtocolError(
        "invalid_grant",
        50034,
        "The user account does not exist."
    )

    private static let noKey = ProtocolError(
        "temporarily_unavailable",
        90033,
        "The service is temporarily unavailable.",
        status: .serviceUnavailable
    )
}
