import JOSE
import Jansson

/// The claims of an ID token whose signature holds, not judged yet (OpenID Connect Core 1.0,
/// section 2; Microsoft, "ID token claims reference").
struct IDToken: Sendable {
    let issuer: String
    let audience: String
    let subject: String
    let expiration: NumericDate
    let notBefore: NumericDate?
    let issuedAt: NumericDate
    let nonce: String
    let version: String?
    let tenantID: String?
    let objectID: String?
    let name: String
    let sessionID: String?
    let loginHint: String?
    let roles: [String]
    /// At Entra; elsewhere ``ReaderProfile`` finds them.
    let groups: [String]
    /// Whether Entra had more groups than fit: then ``groups`` says nothing.
    let hasGroupOverage: Bool
    /// All claims, for those whose names only `secrets.toml` knows.
    let claims: JSON.Members

    /// Reads the claims; a claim of the wrong shape is a refusal, never "as if it were not there".
    ///
    /// - Parameter isEntra: whether claims that Microsoft invented mean what they mean there. Others
    ///   have claims of the same names and of any shape, such as Okta's `ver`, a number.
    init(_ payload: VerifiedPayload, isEntra: Bool = true) throws(IDTokenRejection) {
        guard let json = try? JSON(parsing: payload.bytes), let claims = json.members else {
            throw .shape("the payload")
        }
        // `tid` and `TID` are one claim to some readers.
        guard Set(claims.names.map { $0.lowercased() }).count == claims.names.count else {
            throw .shape("the payload, which has a claim twice")
        }
        let reader = ClaimReader(claims: claims)
        issuer = try reader.string("iss")
        audience = try reader.audience()
        subject = try reader.string("sub")
        guard subject.utf8.count <= 255 else { throw .shape("'sub'") }
        expiration = try reader.date("exp")
        notBefore = try reader.optionalDate("nbf")
        issuedAt = try reader.date("iat")
        nonce = try reader.string("nonce")
        self.claims = claims
        version = isEntra ? try reader.optionalString("ver") : nil
        tenantID = isEntra ? try reader.optionalString("tid") : claims["tid"]?.string
        objectID = isEntra ? try reader.optionalString("oid") : nil
        let name = isEntra ? try reader.optionalString("name") : ReaderProfile.name(in: claims)
        self.name = DisplayText.clean(name ?? "", maximumLength: 128)
        sessionID = try reader.optionalString("sid").flatMap(DisplayText.opaque)
        let loginHint = isEntra ? try reader.optionalString("login_hint") : nil
        self.loginHint = loginHint.flatMap(DisplayText.opaque)
        guard isEntra else {
            // What is no list of texts makes nobody a member.
            roles = claims["roles"]?.strings ?? []
            groups = []
            hasGroupOverage = false
            return
        }
        roles = try reader.strings("roles")
        groups = try reader.strings("groups")
        hasGroupOverage =
            claims["hasgroups"] != nil || claims["_claim_names"]?["groups"] != nil
            || (claims["_claim_names"] != nil && claims["_claim_names"]?.members == nil)
    }
}

/// Reads claims of one shape.
private struct ClaimReader {
    let claims: JSON.Members

    func string(_ name: String) throws(IDTokenRejection) -> String {
        guard let text = try optionalString(name) else { throw .shape("'\(name)'") }
        return text
    }

    func optionalString(_ name: String) throws(IDTokenRejection) -> String? {
        guard let value = claims[name] else { return nil }
        guard let text = value.string, !text.isEmpty, text.utf8.count <= 2048 else {
            throw .shape("'\(name)'")
        }
        return text
    }

    func date(_ name: String) throws(IDTokenRejection) -> NumericDate {
        guard let date = try optionalDate(name) else { throw .shape("'\(name)'") }
        return date
    }

    /// Whole seconds until the year 9999: sums with them cannot overflow.
    func optionalDate(_ name: String) throws(IDTokenRejection) -> NumericDate? {
        guard let value = claims[name] else { return nil }
        guard let date = value.integer, (0...253_402_300_799).contains(date) else {
            throw .shape("'\(name)'")
        }
        return date
    }

    /// One audience.
    ///
    /// A token for us and for others is not one that we asked for.
    func audience() throws(IDTokenRejection) -> String {
        if let text = claims["aud"]?.string { return text }
        guard let list = claims["aud"]?.strings, list.count == 1 else { throw .shape("'aud'") }
        return list[0]
    }

    func strings(_ name: String) throws(IDTokenRejection) -> [String] {
        guard let value = claims[name] else { return [] }
        guard let strings = value.strings else { throw .shape("'\(name)'") }
        return strings
    }
}
