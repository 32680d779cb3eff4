import HTTPTypes
import JOSE
import Jansson
import OpenSSL
import SiteauthConfiguration

/// Makes signed tokens that name the reader, for applications that trust signatures only.
///
/// The tokens are JSON Web Tokens (RFC 7519), signed with Ed25519 (RFC 8037). The keys are derived
/// from the cookie secrets, so there is no key file, and all machines of a site have the same keys.
/// The algorithm is called `EdDSA` or, if `secrets.toml` says so, `Ed25519` (RFC 9864), which many
/// libraries do not know yet.
struct IdentityTokens: Sendable {
    /// The lifetime of a token in seconds.
    ///
    /// Each request carries a new token, so the lifetime covers only the way to the application and
    /// the difference between two clocks.
    static let lifetime = 120

    /// The site's origin, the issuer of the tokens.
    let origin: String
    /// The first key signs.
    ///
    /// All keys are published, so that a new secret can be put in front.
    private let keys: [Ed25519PrivateKey]
    private let algorithm: String
    private let header: JSON.Members

    init(origin: String, keys: KeyRing, algorithm: String) {
        self.origin = origin
        self.keys = keys.signingSeeds.map(Ed25519PrivateKey.init(seed:))
        self.algorithm = algorithm
        header = [
            "alg": .string(algorithm), "typ": "JWT",
            "kid": .string(JSONWebKey.thumbprint(of: self.keys[0])),
        ]
    }

    /// - Parameter audience: the application's path, such as `/wiki/`.
    func token(
        for identity: Identity,
        of session: Session,
        audience: String,
        at now: NumericDate
    ) -> String {
        let claims: JSON = [
            "iss": .string(origin),
            "aud": .string(origin + audience),
            "sub": .string(identity.subject),
            "name": .string(session.name),
            "groups": .array(session.groups.map { .string($0) }),
            "iat": .integer(now),
            "exp": .integer(now + Self.lifetime),
        ]
        return JSONWebSignature.sign(claims, header: header, with: keys[0])
    }

    /// The public keys as a key set (RFC 7517, section 5), readable by everybody.
    ///
    /// They reveal nothing about the secrets, and the application may run on another machine.
    var keySet: Response {
        let keys = keys.map { JSONWebKey.json(of: $0, algorithm: algorithm) }
        return .json(.ok, JSON.object(["keys": .array(keys)]).text)
    }
}
