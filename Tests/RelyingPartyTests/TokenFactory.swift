import JOSE
import Jansson
import OpenSSL

@testable import RelyingParty
@testable import SiteauthConfiguration

/// Signs ID tokens as Entra would, and as nobody should.
struct TokenFactory {
    static let tenant = "11111111-aaaa-4000-8000-000000000001"
    static let client = "22222222-bbbb-4000-8000-000000000002"
    static let issuer = "https://login.microsoftonline.com/\(tenant)/v2.0"
    static let now = 1_800_000_000

    /// Made once: a key takes longer than all tests with it.
    static let key = try? RSAPrivateKey()
    static let otherKey = try? RSAPrivateKey()

    struct NoKey: Error {}

    var claims: JSON.Members = [
        "ver": "2.0", "iss": .string(issuer), "sub": "subject", "aud": .string(client),
        "exp": .integer(now + 3600), "iat": .integer(now - 300), "nbf": .integer(now - 300),
        "nonce": "the-nonce", "tid": .string(tenant), "oid": "a11ce000-0000-4000-8000-00000000000a",
        "name": "Alice Adams", "roles": ["HR"],
    ]
    var header: JSON.Members = ["typ": "JWT", "alg": "RS256", "kid": "k1"]

    func token() throws -> String {
        guard let key = Self.key else { throw NoKey() }
        return try JSONWebSignature.sign(.object(claims), header: header, with: key)
    }

    static func webKey(
        _ name: String = "k1",
        issuer: String? = "https://login.microsoftonline.com/{tenantid}/v2.0",
        cloud: String? = "microsoftonline.com",
        of key: RSAPrivateKey? = TokenFactory.key
    ) throws -> JSON {
        guard let key else { throw NoKey() }
        var members: JSON.Members = [
            "kty": "RSA", "use": "sig", "kid": .string(name),
            "n": .string(Base64URL.encode(key.modulus)),
            "e": .string(Base64URL.encode(key.exponent)),
        ]
        members["issuer"] = issuer.map(JSON.string)
        members["cloud_instance_name"] = cloud.map(JSON.string)
        return .object(members)
    }

    /// - Parameter isForSeveral: whether the provider is `organizations` rather than one tenant.
    static func metadata(isForSeveral: Bool = false) throws -> ProviderMetadata {
        let base = "https://login.microsoftonline.com/\(isForSeveral ? "organizations" : tenant)"
        let document: JSON = [
            "issuer": .string(
                isForSeveral ? "https://login.microsoftonline.com/{tenantid}/v2.0" : issuer
            ),
            "authorization_endpoint": .string(base + "/oauth2/v2.0/authorize"),
            "token_endpoint": .string(base + "/oauth2/v2.0/token"),
            "jwks_uri": .string(base + "/discovery/v2.0/keys"),
            "cloud_instance_name": "microsoftonline.com",
        ]
        guard let url = WebURL(base + "/v2.0/.well-known/openid-configuration") else {
            throw NoKey()
        }
        return try ProviderMetadata.parse(Array(document.text.utf8), from: url).get()
    }

    func verify(
        _ text: String? = nil,
        keys: [JSON]? = nil,
        isForSeveral: Bool = false,
        metadata: ProviderMetadata? = nil,
        allowedTenants: AllowedTenants = .unspecified,
        newKeys: [JSON] = []
    ) throws -> VerifiedIDToken {
        let validation = IDTokenValidation(
            metadata: try metadata ?? Self.metadata(isForSeveral: isForSeveral),
            clientID: Self.client,
            allowedTenants: allowedTenants,
            now: Self.now,
            nonce: "the-nonce"
        )
        func parse(_ keys: [JSON]) throws -> JSONWebKeySet {
            let set = JSON.object(["keys": .array(keys)])
            guard let parsed = JSONWebKeySet(parsing: Array(set.text.utf8)) else { throw NoKey() }
            return parsed
        }
        let known = try parse(keys ?? [Self.webKey()])
        let new = try newKeys.isEmpty ? nil : parse(newKeys)
        return try validation.verify(
            try text ?? token(),
            keys: { (header) throws(ProviderError) in known.candidates(for: header) },
            newKeys: { (header) throws(ProviderError) in new?.candidates(for: header) ?? [] }
        )
    }
}
