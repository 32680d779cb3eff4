import HTTPTypes
import JOSE
import Jansson
import SiteauthConfiguration

/// Ends sessions because the provider says so from server to server (OpenID Connect Back-Channel
/// Logout 1.0): within a second, and without the reader's browser.
///
/// Entra does not call; other providers send a logout token that they have signed. Anybody can call,
/// so a call waits among the doubtful ones, and what is refused is logged once a minute at most.
struct BackChannelSignOut: Sendable {
    /// The greatest age of a logout token in seconds.
    static let maximumAge = 300

    let clientID: String
    let algorithms: Set<SignatureAlgorithm>
    let provider: Provider
    let storage: Storage
    let reports = FrontChannelSignOut.Reports()

    func outcome(of request: Request, at now: NumericDate) -> Outcome {
        guard request.method == .post else { return .answer(Response(.methodNotAllowed)) }
        let form = Form(String(decoding: request.body, as: UTF8.self))
        guard let text = form?["logout_token"],
            let signature = JSONWebSignature(
                compact: text,
                accepting: algorithms,
                types: ["jwt", "logout+jwt"]
            )
        else {
            let names = algorithms.names
            return .answer(refused("there is no logout token that is signed with \(names)", now))
        }
        return .wait(
            Waiting(queue: .doubtful, since: now) { now in
                do { return try end(try token(signature, at: now), at: now) } catch {
                    return refused("\(error)", now)
                }
            } refusal: { now in
                refused("too many requests are waiting for the provider", now)
            }
        )
    }

    /// Whose sessions end, and when the provider has said so.
    private struct LogoutToken {
        let issuer: String
        let subject: String?
        let sessionID: String?
        let issuedAt: NumericDate
    }

    private struct Rejection: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// - Throws: the first rule that the token breaks (section 2.6 of the standard).
    private func token(
        _ signature: JSONWebSignature,
        at now: NumericDate
    ) throws -> LogoutToken {
        let metadata = try provider.current().metadata
        // Its accounts are known by other claims than a logout token has.
        guard !metadata.isEntra else { throw Rejection("Entra sends no logout tokens") }
        let header = signature.unverifiedHeader
        func payload(_ keys: [JSONWebKey]) -> VerifiedPayload? {
            keys.lazy.compactMap { signature.verified(by: $0) }.first
        }
        guard
            let payload = try payload(provider.keys(for: header))
                ?? payload(provider.newKeys(for: header))
        else { throw Rejection("no key of the provider has signed the logout token") }
        guard let claims = (try? JSON(parsing: payload.bytes))?.members,
            Set(claims.names.map { $0.lowercased() }).count == claims.names.count
        else { throw Rejection("the logout token is no object, or has a claim twice") }
        let token = LogoutToken(
            issuer: try claims.text("iss"),
            subject: try claims.textIfPresent("sub"),
            sessionID: try claims.textIfPresent("sid"),
            issuedAt: try claims.required("iat", claims.integerIfPresent("iat", in: Self.dates))
        )
        let expiration = try claims.required("exp", claims.integerIfPresent("exp", in: Self.dates))
        _ = try claims.text("jti")
        guard token.issuer == metadata.issuer else { throw Rejection("'iss' is another issuer") }
        let audience = claims["aud"]
        guard audience?.string == clientID || audience?.strings == [clientID] else {
            throw Rejection("'aud' is not this client alone")
        }
        guard (now - Self.maximumAge...now + Sessions.clockSkew).contains(token.issuedAt),
            now < expiration + Sessions.clockSkew
        else { throw Rejection("the logout token is too old, or of the future") }
        // Otherwise an ID token could be one.
        let event = "http://schemas.openid.net/event/backchannel-logout"
        let logout = try claims.objectIfPresent("events")?.objectIfPresent(event)
        guard claims["nonce"] == nil, logout != nil else {
            throw Rejection("'events' does not name a logout, or there is a 'nonce'")
        }
        guard token.subject != nil || token.sessionID != nil else {
            throw Rejection("neither 'sub' nor 'sid' is there")
        }
        return token
    }

    /// Before the year 10000, so that sums cannot overflow.
    private static let dates = 0...253_402_300_799

    private func end(_ token: LogoutToken, at now: NumericDate) throws -> Response {
        let done = Response(.ok)
        let session = try token.sessionID.flatMap { sid -> Revocation? in
            guard let id = DisplayText.sessionID(sid) else { throw Rejection("'sid' is no text") }
            let session = Revocation.providerSession(DisplayText.guid(id) ?? id)
            guard let isKnown = storage.knowsProviderSession(session.name) else {
                throw Rejection("the list of sessions at the provider cannot be read")
            }
            return isKnown ? session : nil
        }
        let account = token.subject.map {
            Revocation.account(objectID: $0, tenantID: token.issuer)
        }
        // A session that nobody has recorded is none of ours, or its record is lost: then all
        // sessions of the account end.
        guard let revocation = session ?? account else { return done }
        // A token that comes again ends nothing that began after it.
        if let date = storage.revocations([revocation.name])?.first ?? nil, date >= token.issuedAt {
            return done
        }
        guard storage.revoke(revocation.name) else {
            throw Rejection("the list of ended sessions cannot be written")
        }
        let what = session == nil ? "an account" : "a session at the provider"
        return done.logging(.notice, "signed out \(what) by back channel", as: .revocation)
    }

    /// The standard's answer to a logout that was invalid or failed (section 2.8).
    private func refused(_ reason: String, _ now: NumericDate) -> Response {
        let response = Response.json(.badRequest, #"{"error":"invalid_request"}"#)
        guard reports.isDue(at: now) else { return response }
        return response.logging(.warning, "back-channel sign-out refused: \(reason)")
    }
}
