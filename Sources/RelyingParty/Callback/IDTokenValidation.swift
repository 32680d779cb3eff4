import Access
import JOSE
import OpenSSL
import SiteauthConfiguration

/// An ID token that has passed every rule.
///
/// Only ``IDTokenValidation`` creates one.
struct VerifiedIDToken: Sendable {
    let token: IDToken
    /// The reader, in the form of ``Session/tenantID`` and ``Session/objectID``.
    let tenantID: String
    let objectID: String

    fileprivate init(_ token: IDToken, tenantID: String, objectID: String) {
        self.token = token
        self.tenantID = tenantID
        self.objectID = objectID
    }
}

/// The rules that an ID token must pass.
///
/// They are checked in this order, and the first broken one is reported:
///
/// 1. Signature: an allowed algorithm, by the key of the provider that `kid` names.
/// 2. Claims: each has the right type (``IDToken``).
/// 3. Issuer and tenant: `ver`, `iss`, issuer and cloud of the key, `allowed_tenants`.
/// 4. Audience: `aud` and `azp` are our client ID.
/// 5. Times: `exp`, `nbf`, `iat`, and `auth_time` if the sign-in demanded credentials.
/// 6. `nonce` belongs to this sign-in, and `at_hash` to the access token of the same response.
/// 7. The authentication context that was asked for: `acrs` or `acr` names it, and elsewhere than at
///    Entra `auth_time` says that it was confirmed lately.
/// 8. Entra: `tid` and `oid` are GUIDs, and `iss` belongs to that tenant.
struct IDTokenValidation: Sendable {
    let metadata: ProviderMetadata
    let clientID: String
    let allowedTenants: AllowedTenants
    var algorithms: Set<SignatureAlgorithm> = [.rs256]
    let now: NumericDate
    /// The nonce of the authorization request.
    let nonce: String
    /// When the sign-in started, if the reader must have entered credentials since then.
    var loginDemandedAt: NumericDate?
    /// The authentication context that the reader has to confirm.
    var context: AuthenticationContext?
    /// The tenants whose administrators decide what a context demands, where several may sign in.
    var contextTenants: Set<String> = []

    /// - Parameters:
    ///   - accessToken: the access token of the same response.
    ///   - keys: returns the provider's keys that may have signed a token with that header.
    ///   - newKeys: returns the same from a key set that is newer, if there may be one: a provider may
    ///     change a key that has no id, or keep the id.
    func verify(
        _ text: String,
        accessToken: String? = nil,
        keys: (UnverifiedHeader) throws(ProviderError) -> [JSONWebKey],
        newKeys: (UnverifiedHeader) throws(ProviderError) -> [JSONWebKey]
    ) throws -> VerifiedIDToken {
        // Entra at a domain of the company's own is known by its metadata only.
        let accepted = metadata.isEntra ? algorithms.intersection([.rs256]) : algorithms
        if accepted.isEmpty { throw IDTokenRejection.noAlgorithm }
        guard let signature = JSONWebSignature(compact: text, accepting: accepted) else {
            let name = JSONWebSignature.unverifiedAlgorithm(of: text, accepting: accepted)
            throw IDTokenRejection.algorithm(name, expected: accepted)
        }
        // Entra always sends `kid`; a token without it is not from Entra.
        let header = signature.unverifiedHeader
        let keyID = header.keyID
        if keyID == nil, metadata.isEntra { throw IDTokenRejection.shape("'kid'") }
        let candidates = try keys(header)
        if candidates.isEmpty {
            throw keyID.map(IDTokenRejection.unknownKey) ?? .shape("'kid'")
        }
        func payload(_ keys: [JSONWebKey]) -> VerifiedPayload? {
            keys.lazy.compactMap { signature.verified(by: $0) }.first
        }
        guard let payload = try payload(candidates) ?? payload(newKeys(header)) else {
            throw IDTokenRejection.signature
        }
        let token = try IDToken(payload, isEntra: metadata.isEntra)
        try checkIssuerAndTenant(token, payload.key)
        guard token.audience == clientID else {
            throw IDTokenRejection.audience(token.audience, expected: clientID)
        }
        // OpenID Connect Core 1.0, section 3.1.3.7: a token that another client asked for.
        if let party = token.authorizedParty, party != clientID {
            throw IDTokenRejection.authorizedParty(party, expected: clientID)
        }
        try checkTimes(token)
        guard Digest.equal(Array(token.nonce.utf8), Array(nonce.utf8)) else {
            throw IDTokenRejection.nonce
        }
        // OpenID Connect Core 1.0, section 3.1.3.8: the digest that the signature uses, which is
        // SHA-512 for Ed25519 (RFC 8032, section 5.1).
        if let hash = token.accessTokenHash, let accessToken {
            let bytes = Array(accessToken.utf8)
            let digest =
                header.algorithm == .ed25519 ? Digest.sha512(bytes) : Digest.sha256(bytes)
            guard hash == Base64URL.encode(Array(digest.prefix(digest.count / 2))) else {
                throw IDTokenRejection.accessTokenHash
            }
        }
        if let context { try check(context, of: token) }
        return try identify(token)
    }

    private func check(
        _ context: AuthenticationContext,
        of token: IDToken
    ) throws(IDTokenRejection) {
        guard token.contexts.contains(where: { $0.utf8.elementsEqual(context.name.utf8) }) else {
            throw .unconfirmed(context.name, answered: token.contexts)
        }
        // Entra's policy says how old a confirmation may be, and Entra has judged it just now.
        // Others are asked with `max_age`, and must answer with `auth_time` (OpenID Connect Core
        // 1.0, section 3.1.2.1).
        if metadata.isEntra {
            // Each tenant has policies of its own for the same ids.
            let tenant = token.tenantID.flatMap(DisplayText.guid) ?? ""
            guard !metadata.isForSeveralTenants || contextTenants.contains(tenant) else {
                throw .foreignContext(context.name, tenant: tenant)
            }
            return
        }
        // No more than the check takes, or the reader would be sent round in a circle.
        guard let date = token.authenticatedAt, date > now - context.seconds,
            date <= now + Sessions.clockSkew
        else { throw .unconfirmed(context.name, answered: nil) }
    }

    private func checkIssuerAndTenant(_ token: IDToken, _ key: JSONWebKey) throws(IDTokenRejection)
    {
        if let version = token.version, version != "2.0" { throw .version(version) }
        let tenant = token.tenantID.flatMap(DisplayText.guid)
        if metadata.isForSeveralTenants, tenant == nil { throw .noTenantOrObjectID }
        let expected = Self.substitute(tenant ?? "", in: metadata.issuer)
        guard token.issuer == expected else { throw .issuer(token.issuer, expected: expected) }
        if let keyIssuer = key.issuer {
            let substituted = Self.substitute(tenant ?? "", in: keyIssuer)
            guard substituted == token.issuer else {
                throw .keyIssuer(keyIssuer, expected: token.issuer)
            }
        }
        if let cloud = key.cloudInstanceName, let ours = metadata.cloudInstanceName, cloud != ours {
            throw .cloud(cloud, expected: ours)
        }
        // 'organizations' excludes personal accounts, whatever 'allowed_tenants' says.
        if metadata.isForOrganizations, tenant == AuthConfiguration.personalAccountsTenant {
            throw .personalAccount
        }
        switch allowedTenants {
        case .any: break
        case .unspecified: if metadata.isForSeveralTenants { throw .tenant(tenant ?? "") }
        case .these(let tenants):
            guard let tenant, tenants.contains(tenant) else { throw .tenant(tenant ?? "") }
        }
    }

    private func checkTimes(_ token: IDToken) throws(IDTokenRejection) {
        let skew = Sessions.clockSkew
        guard now < token.expiration + skew else { throw .expired(token.expiration) }
        if let notBefore = token.notBefore, now < notBefore - skew { throw .notYetValid(notBefore) }
        guard token.issuedAt <= now + skew else { throw .issuedInFuture(token.issuedAt) }
        guard let demanded = loginDemandedAt else { return }
        // Entra sends the claim only if the registration asks for it; other providers must send it
        // for `max_age` (OpenID Connect Core 1.0, section 3.1.2.1).
        if token.authenticatedAt == nil, metadata.isEntra { return }
        guard let date = token.authenticatedAt, date >= demanded - skew else {
            throw .authenticatedAt(token.authenticatedAt)
        }
    }

    private func identify(_ token: IDToken) throws(IDTokenRejection) -> VerifiedIDToken {
        guard metadata.isEntra else {
            return VerifiedIDToken(token, tenantID: token.issuer, objectID: token.subject)
        }
        guard let tenantID = token.tenantID.flatMap(DisplayText.guid),
            let objectID = token.objectID.flatMap(DisplayText.guid)
        else { throw .noTenantOrObjectID }
        guard token.issuer.lowercased().contains(tenantID) else {
            throw .otherTenant(tenantID, issuer: token.issuer)
        }
        return VerifiedIDToken(token, tenantID: tenantID, objectID: objectID)
    }

    /// Microsoft writes the placeholder in lower case, its own pseudo-code in mixed case.
    private static func substitute(_ tenant: String, in issuer: String) -> String {
        let lower = issuer.lowercased()
        guard let range = lower.firstRange(of: ProviderMetadata.tenantPlaceholder) else {
            return issuer
        }
        let offset = lower.distance(from: lower.startIndex, to: range.lowerBound)
        let length = ProviderMetadata.tenantPlaceholder.count
        return String(issuer.prefix(offset)) + tenant + String(issuer.dropFirst(offset + length))
    }
}
