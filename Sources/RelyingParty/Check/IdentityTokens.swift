import HTTPTypes
import JOSE
import Jansson
import OpenSSL

/// Signed statements of who reads, for applications that believe a signature and no header field.
///
/// They are JSON Web Tokens (RFC 7519) under Ed25519 (RFC 8037). The keys are made from the cookie
/// secrets, so that there is no file to look after and all machines of a site have the same ones.
/// The algorithm is called `EdDSA`, since libraries do not yet know it by the name of RFC 9864.
struct IdentityTokens: Sendable {
    /// How long one is good.
    ///
    /// An application gets a new one with each request, so it has to last over the way there, and
    /// over the difference between two clocks.
    static let lifetime = 120

    /// The site's address without a slash at its end: who signs.
    let origin: String
    /// The first one signs; all of them are published, so that a new secret can be put in front.
    private let keys: [Ed25519PrivateKey]
    private let header: JSON.Members

    init(origin: String, keys: KeyRing) {
        self.origin = origin
        self.keys = keys.signingSeeds.map(Ed25519PrivateKey.init)
        header = [
            "alg": "EdDSA", "typ": "JWT", "kid": .string(JSONWebKey.thumbprint(of: self.keys[0])),
        ]
    }

    /// - Parameter audience: the path under which the application is found, `/wiki/`.
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

    /// The public keys, for everybody (RFC 7517, section 5).
    ///
    /// They tell nothing of the secrets, and an application may run on another machine.
    var keySet: Response {
        let keys = keys.map { JSONWebKey.json(of: $0) }
        return .json(.ok, JSON.object(["keys": .array(keys)]).text)
    }
}
