import JOSE
import Jansson
import OpenSSL

/// Makes tokens, sound ones and such as a test asked for.
struct TokenIssuer: Sendable {
    let emulator: Emulator

    /// What the token endpoint answers.
    func answer(
        _ grant: Grant,
        _ application: Application,
        _ form: QueryItems
    ) throws(ProtocolError) -> JSON {
        let account = emulator.directory.account(grant.objectID)
        let isB2C = account?.tenant.kind == .b2c
        var members: JSON.Members = ["token_type": "Bearer"]
        let scopes = grant.scopes.filter { $0 != "offline_access" }
        // Entra lists what was consented to before, asked for or not.
        let listed = scopes.contains("User.Read") ? scopes : scopes + ["User.Read"]
        members["scope"] = .string(listed.joined(separator: " "))
        let lifetime = IssuedTokens.accessLifetime
        if isB2C {
            members["not_before"] = .string("\(emulator.now())")
            members["expires_in"] = .string("\(lifetime)")
        } else {
            members["expires_in"] = .integer(lifetime)
            members["ext_expires_in"] = .integer(lifetime)
        }
        members["access_token"] = .string(accessToken(grant))
        if grant.scopes.contains("offline_access") {
            members["refresh_token"] = .string(refreshToken(grant))
        }
        if grant.scopes.contains("openid"), !emulator.faults.shows(.idTokenMissing) {
            members["id_token"] = .string(try idToken(grant, application))
        }
        if form["client_info"] == "1" {
            members["client_info"] = account.map { .string($0.clientInfo) }
        }
        return .object(members)
    }

    /// What the token endpoint answers to an application that acts for itself.
    func answer(forItself application: Application) -> JSON {
        let token = IssuedTokens.Token(
            grant: nil,
            clientID: application.clientID,
            issuedAt: emulator.now(),
            lifetime: IssuedTokens.accessLifetime
        )
        return [
            "token_type": "Bearer", "expires_in": .integer(token.lifetime),
            "ext_expires_in": .integer(token.lifetime), "access_token": .string(add(token, "")),
        ]
    }

    /// For Graph, and nobody else's business: not even its shape is to be relied upon.
    func accessToken(_ grant: Grant) -> String {
        let token = IssuedTokens.Token(
            grant: grant,
            clientID: grant.clientID,
            issuedAt: emulator.now(),
            lifetime: IssuedTokens.accessLifetime
        )
        return add(token, "")
    }

    /// - Parameter frontChannel: digests of what travels beside it, for a token that comes straight
    ///   from the authorization endpoint.
    func idToken(
        _ grant: Grant,
        _ application: Application,
        frontChannel: JSON.Members? = nil
    ) throws(ProtocolError) -> String {
        guard let account = emulator.directory.account(grant.objectID) else {
            throw ProtocolError("invalid_grant", 50034, "The user account does not exist.")
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
        let forgery = Forgery(
            faults: Set(emulator.faults.take(of: .idToken)),
            keys: emulator.keys,
            family: SigningKeys.Family(account.tenant)
        )
        do { return try forgery.token(claims.json) } catch {
            throw ProtocolError.catalogued(90033) ?? ProtocolError.missing("id_token")
        }
    }

    private func refreshToken(_ grant: Grant) -> String {
        let token = IssuedTokens.Token(
            grant: grant,
            clientID: grant.clientID,
            issuedAt: emulator.now(),
            lifetime: IssuedTokens.refreshLifetime
        )
        return add(token, "1.")
    }

    private func add(_ token: IssuedTokens.Token, _ prefix: String) -> String {
        let text = prefix + Base64URL.encode(emulator.random(900))
        emulator.tokens.add(token, text)
        return text
    }
}
