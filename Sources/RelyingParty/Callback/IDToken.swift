import JOSE
import Jansson
import SiteauthConfiguration

/// The claims of an ID token whose signature was verified, before ``IDTokenValidation`` applies its
/// rules (OpenID Connect Core 1.0, section 2; Microsoft, "ID token claims reference").
struct IDToken: Sendable {
    let issuer: String
    let audience: String
    /// The client that the token was issued to (`azp`), if the token names one.
    let authorizedParty: String?
    let subject: String
    let expiration: NumericDate
    let notBefore: NumericDate?
    let issuedAt: NumericDate
    /// When the reader last entered credentials (`auth_time`).
    let authenticatedAt: NumericDate?
    let nonce: String
    /// The left half of the access token's digest (`at_hash`).
    let accessTokenHash: String?
    /// The authentication contexts that the reader has met: `acrs` at Entra, `acr` elsewhere.
    let contexts: [String]
    let version: String?
    let tenantID: String?
    let objectID: String?
    let name: String
    let sessionID: String?
    let loginHint: String?
    let roles: [String]
    /// The groups at Entra; for other providers ``ReaderProfile`` reads them.
    let groups: [String]
    /// Whether Entra had more groups than fit into the token; ``groups`` is meaningless then.
    let hasGroupOverage: Bool
    /// All claims, for claims that `secrets.toml` names.
    let claims: JSON.Members

    /// Reads the claims; a claim of the wrong type is a rejection, and never ignored.
    ///
    /// - Parameter isEntra: whether Microsoft's claims have Microsoft's meaning. Other providers
    ///   use the same names for other things, such as Okta's `ver`, a number.
    init(_ payload: VerifiedPayload, isEntra: Bool = true) throws(IDTokenRejection) {
        guard let claims = (try? JSON(parsing: payload.bytes))?.members else {
            throw .shape("the payload")
        }
        // Some JSON readers take `tid` and `TID` for one claim.
        guard Set(claims.names.map { $0.lowercased() }).count == claims.names.count else {
            throw .claimTwice
        }
        do throws(MemberError) { try self.init(claims, isEntra) } catch {
            throw .shape("'\(error.name)'")
        }
    }

    private init(_ claims: JSON.Members, _ isEntra: Bool) throws(MemberError) {
        self.claims = claims
        issuer = try claims.text("iss")
        audience = try Self.audience(claims)
        authorizedParty = try claims.textIfPresent("azp")
        subject = try Self.subject(claims)
        expiration = try claims.required("exp", Self.dateIfPresent("exp", claims))
        notBefore = try Self.dateIfPresent("nbf", claims)
        issuedAt = try claims.required("iat", Self.dateIfPresent("iat", claims))
        authenticatedAt = try Self.momentIfPresent("auth_time", claims)
        nonce = try claims.text("nonce")
        accessTokenHash = try claims.textIfPresent("at_hash")
        // A value of another type confirms nothing.
        contexts =
            isEntra
            ? (try? claims.textsIfPresent("acrs")).flatMap(\.self) ?? []
            : (try? claims.textIfPresent("acr")).flatMap(\.self).map { [$0] } ?? []
        sessionID = try Self.sessionID(claims)
        let name: String?
        if isEntra {
            name = try claims.displayTextIfPresent("name")
            version = try claims.textIfPresent("ver")
            tenantID = try claims.textIfPresent("tid")
            objectID = try claims.textIfPresent("oid")
            // The hint only saves the reader a question at sign-out, so an unusual value is
            // dropped.
            loginHint = try claims.textIfPresent("login_hint").flatMap(DisplayText.opaque)
            roles = try claims.textsIfPresent("roles") ?? []
            groups = try claims.textsIfPresent("groups") ?? []
            let elsewhere = try claims.objectIfPresent("_claim_names")?["groups"]
            hasGroupOverage = try claims.boolIfPresent("hasgroups") != nil || elsewhere != nil
        } else {
            name = ReaderProfile.name(in: claims)
            (version, objectID, loginHint) = (nil, nil, nil)
            // Only 'allowed_tenants' needs the tenant, and refuses a reader without one.
            tenantID = (try? claims.textIfPresent("tid")) ?? nil
            // A value that is not a list of texts gives no roles.
            roles = (try? claims.textsIfPresent("roles")) ?? []
            groups = []
            hasGroupOverage = false
        }
        self.name = DisplayText.clean(name ?? "", maximumLength: 128)
    }

    /// A date in whole seconds before the year 10000, so that sums with it cannot overflow.
    private static func dateIfPresent(
        _ name: String,
        _ claims: JSON.Members
    ) throws(MemberError) -> NumericDate? {
        try claims.integerIfPresent(name, in: 0...253_402_300_799)
    }

    /// A date that may have a fraction of a second, as RFC 7519, section 2, allows and Canaille does.
    private static func momentIfPresent(
        _ name: String,
        _ claims: JSON.Members
    ) throws(MemberError) -> NumericDate? {
        guard case .number(let seconds) = claims[name], (0...253_402_300_799).contains(seconds)
        else { return try dateIfPresent(name, claims) }
        return Int(seconds)
    }

    /// The subject: at most 255 bytes (OpenID Connect Core 1.0, section 2) without line breaks,
    /// because it is written into logs.
    private static func subject(_ claims: JSON.Members) throws(MemberError) -> String {
        let text = try claims.text("sub", maximumBytes: 255)
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw MemberError("sub", .wrong(expected: "a text without control characters"))
        }
        return text
    }

    /// One audience.
    ///
    /// A token with several audiences is refused: this site asks for tokens for itself alone.
    private static func audience(_ claims: JSON.Members) throws(MemberError) -> String {
        guard case .array = claims["aud"] else { return try claims.text("aud") }
        guard let list = try claims.textsIfPresent("aud"), list.count == 1 else {
            throw MemberError("aud", .wrong(expected: "a single audience"))
        }
        return list[0]
    }

    /// The session id; it must be plain, or front-channel sign-out could not find the session.
    private static func sessionID(_ claims: JSON.Members) throws(MemberError) -> String? {
        guard let text = try claims.textIfPresent("sid") else { return nil }
        guard let id = DisplayText.sessionID(text) else {
            throw MemberError("sid", .wrong(expected: "a text of 1 to 512 ASCII characters"))
        }
        return id
    }
}
