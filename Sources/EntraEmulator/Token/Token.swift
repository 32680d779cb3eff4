import HTTPTypes
import JOSE
import Jansson
import OpenSSL

/// The token endpoint: a code for an ID token.
struct Token: Sendable {
    let emulator: Emulator

    func respond(to request: EmulatorRequest, tenant: String) -> EmulatorResponse {
        do {
            return try redeem(request, tenant: tenant)
        } catch {
            return .json(error.status, error.json(emulator.stamp()))
        }
    }

    private func redeem(
        _ request: EmulatorRequest,
        tenant: String
    ) throws(ProtocolError) -> EmulatorResponse {
        guard request.http.method == .post else {
            throw ProtocolError(
                error: "invalid_request",
                number: 900_561,
                message: "The endpoint only accepts POST requests. Received a"
                    + " \(request.http.method.rawValue) request."
            )
        }
        let form = QueryItems(String(decoding: request.body, as: UTF8.self))
        if request.http.headerFields[.origin] != nil {
            throw ProtocolError(
                error: "invalid_request",
                number: 9_002_326,
                message: "Cross-origin token redemption is permitted only for the"
                    + " 'Single-Page Application' client-type."
            )
        }
        guard let grantType = form["grant_type"] else {
            throw AuthorizationParameters.missing("grant_type")
        }
        guard grantType == "authorization_code" else {
            throw ProtocolError(
                error: "unsupported_grant_type",
                number: 70003,
                message: "The app requested an unsupported grant type '\(grantType)'."
            )
        }
        let application = try ClientAuthentication.application(form, request, emulator.directory)
        let grant = try self.grant(form, application, tenant: tenant)
        return try answer(grant, application)
    }

    private func grant(
        _ form: QueryItems,
        _ application: Directory.Application,
        tenant: String
    ) throws(ProtocolError) -> Grant {
        guard let code = form["code"] else { throw AuthorizationParameters.missing("code") }
        guard let grant = emulator.grants[code], grant.clientID == application.clientID else {
            throw Self.invalidGrant(9_002_313, "Invalid request. Request is malformed or invalid.")
        }
        guard grant.tenant == tenant else {
            throw Self.invalidGrant(
                700_005,
                "Provided Authorization Code is intended to use"
                    + " against other tenant, thus rejected."
            )
        }
        guard emulator.now() - grant.issuedAt <= Grants.lifetime else {
            throw Self.invalidGrant(
                70008,
                "The provided authorization code or refresh token has"
                    + " expired due to inactivity."
            )
        }
        guard form["redirect_uri"] == grant.redirectURI else {
            throw ProtocolError(
                error: "invalid_client",
                number: 500_112,
                message: "The reply address does not match the one of the authorization request."
            )
        }
        try checkProof(form["code_verifier"], grant)
        guard emulator.grants.redeem(code) else {
            throw Self.invalidGrant(
                54005,
                "OAuth2 Authorization code was already redeemed, please"
                    + " retry with a new valid code or use an existing refresh token."
            )
        }
        return grant
    }

    /// RFC 7636, section 4.6.
    ///
    /// Once a challenge was sent, the verifier has to come.
    private func checkProof(_ verifier: String?, _ grant: Grant) throws(ProtocolError) {
        guard let challenge = grant.codeChallenge else { return }
        guard let verifier, (43...128).contains(verifier.count) else {
            throw Self.invalidGrant(
                50148,
                "The code_verifier does not match the code_challenge"
                    + " supplied in the authorization request for PKCE."
            )
        }
        let proof =
            grant.codeChallengeMethod == "plain"
            ? verifier : Base64URL.encode(Digest.sha256(Array(verifier.utf8)))
        guard Digest.equal(Array(proof.utf8), Array(challenge.utf8)) else {
            throw Self.invalidGrant(
                501_481,
                "The Code_Verifier does not match the code_challenge"
                    + " supplied in the authorization request."
            )
        }
    }

    private func answer(
        _ grant: Grant,
        _ application: Directory.Application
    ) throws(ProtocolError) -> EmulatorResponse {
        var scopes = grant.scope.split(separator: " ").map(String.init)
        var members: JSON.Members = ["token_type": "Bearer"]
        let wantsIDToken = scopes.contains("openid")
        scopes.removeAll { $0 == "offline_access" }
        members["scope"] = .string((scopes + ["User.Read"]).joined(separator: " "))
        members["expires_in"] = 3599
        members["ext_expires_in"] = 3599
        // For Graph, and nobody else's business: not even its shape is to be relied upon.
        members["access_token"] = .string(Base64URL.encode(emulator.random(900)))
        if wantsIDToken {
            let claims = IDTokenClaims(
                grant: grant,
                application: application,
                issuer: emulator.issuer(emulator.directory.tenantID),
                tenantID: emulator.directory.tenantID,
                now: emulator.now(),
                random: emulator.random
            )
            do { members["id_token"] = .string(try emulator.key.sign(claims.json)) } catch {
                throw ProtocolError(
                    error: "server_error",
                    number: 90033,
                    message: "A transient error has occurred.",
                    status: .serviceUnavailable
                )
            }
        }
        return .json(.ok, .object(members))
    }

    private static func invalidGrant(_ number: Int, _ message: String) -> ProtocolError {
        ProtocolError(error: "invalid_grant", number: number, message: message)
    }
}
