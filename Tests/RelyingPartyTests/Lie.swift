import JOSE
import Jansson
import Testing

@testable import RelyingParty

/// What can be untrue of one member of a document.
enum Lie: String, CaseIterable, Sendable {
    case absent, null, emptyText, number, fraction, truth, emptyArray, listOfIt, emptyObject
    case longText, twoLines, wrong, genuine, twice

    static let all = Set(allCases)
    static let texts: Set = [wrong, genuine, twoLines]
}

/// A member that a provider sends, and which lies about it change nothing.
struct HostileMember: CustomTestStringConvertible, Sendable {
    let document: HostileProvider.Document
    let name: String
    /// What it is where the provider is honest, if it would not have the member at all.
    let genuine: JSON
    /// Of the right type, and not what it should be.
    let wrong: JSON
    /// After these, readers come in as they should; after all others, nobody does.
    let harmless: Set<Lie>
    let kinds: Set<HostileProvider.Kind>

    var testDescription: String { "\(document) '\(name)'" }

    /// Puts a lie into a document.
    ///
    /// - Returns: the member that has to be written twice.
    func tell(_ lie: Lie, in members: inout JSON.Members) -> String? {
        let honest = members[name] ?? genuine
        switch lie {
        case .absent: members[name] = nil
        case .null: members[name] = JSON.null
        case .emptyText: members[name] = ""
        case .number: members[name] = 7
        case .fraction: members[name] = .number(1.5)
        case .truth: members[name] = true
        case .emptyArray: members[name] = []
        case .listOfIt: members[name] = [honest]
        case .emptyObject: members[name] = [:]
        case .longText: members[name] = .string(String(repeating: "x", count: 100_000))
        case .twoLines: members[name] = "a\r\nb"
        case .wrong: members[name] = wrong
        case .genuine, .twice: members[name] = honest
        }
        return lie == .twice ? name : nil
    }
}

/// Every member that siteauth reads, and some that it does not.
///
/// A member that is read anew is a new line.
extension HostileMember {
    static let all: [HostileMember] =
        metadata + keys + keysOfOtherAlgorithms + header + headersOfOtherAlgorithms
        + claims + claimsOfEntra + claimsOfOthers + answer

    private static let entra: Set<HostileProvider.Kind> = [.entra, .organizations]
    private static let anywhere = Set(HostileProvider.Kind.allCases)
    private static let everywhere = entra.union([.standard])

    private static func required(
        _ document: HostileProvider.Document,
        _ name: String,
        wrong: JSON,
        harmless: Set<Lie> = [],
        at kinds: Set<HostileProvider.Kind> = everywhere
    ) -> HostileMember {
        HostileMember(
            document: document,
            name: name,
            genuine: .null,
            wrong: wrong,
            harmless: harmless.union([.genuine]),
            kinds: kinds
        )
    }

    private static func optional(
        _ document: HostileProvider.Document,
        _ name: String,
        _ genuine: JSON = .null,
        wrong: JSON,
        harmless: Set<Lie> = [.genuine],
        at kinds: Set<HostileProvider.Kind> = everywhere
    ) -> HostileMember {
        HostileMember(
            document: document,
            name: name,
            genuine: genuine,
            wrong: wrong,
            harmless: harmless.union([.absent]),
            kinds: kinds
        )
    }

    private static func unread(
        _ document: HostileProvider.Document,
        _ name: String,
        at kinds: Set<HostileProvider.Kind> = everywhere
    ) -> HostileMember {
        optional(
            document,
            name,
            "a",
            wrong: "b",
            harmless: Lie.all.subtracting([.twice]),
            at: kinds
        )
    }

    private static let metadata = [
        required(.metadata, "issuer", wrong: "https://evil.example"),
        required(
            .metadata,
            "issuer",
            wrong: "https://login.microsoftonline.com/33333333-cccc-4000-8000-000000000003/v2.0",
            at: entra
        ),
        required(.metadata, "authorization_endpoint", wrong: "http://evil.example/authorize"),
        required(.metadata, "token_endpoint", wrong: "https://127.0.0.1/token"),
        required(.metadata, "jwks_uri", wrong: "file:///etc/passwd"),
        optional(.metadata, "end_session_endpoint", wrong: "http://evil.example/"),
        optional(.metadata, "cloud_instance_name", wrong: "microsoftonline.us", at: entra),
        optional(.metadata, "cloud_instance_name", "a", wrong: "b", harmless: [], at: [.standard]),
        optional(.metadata, "msgraph_host", wrong: "evil.example/path", at: entra),
        optional(
            .metadata,
            "authorization_response_iss_parameter_supported",
            false,
            wrong: true
        ),
        optional(
            .metadata,
            "userinfo_endpoint",
            "https://id.example.com/userinfo",
            wrong: "http://evil.example/"
        ),
        required(.userInfo, "sub", wrong: "another", at: [.standard]),
        optional(
            .userInfo,
            "groups",
            ["a"],
            wrong: ["b"],
            harmless: Lie.texts.union([.null, .emptyText, .emptyArray, .longText]),
            at: [.standard]
        ),
        unread(.userInfo, "name", at: [.standard]),
        unread(.userInfo, "email_verified", at: [.standard]),
        optional(
            .metadata,
            "id_token_signing_alg_values_supported",
            ["RS256"],
            wrong: ["ES256"],
            harmless: [.genuine, .wrong, .emptyArray]
        ),
        optional(
            .metadata,
            "pushed_authorization_request_endpoint",
            "https://id.example.com/par",
            wrong: "http://evil.example/par"
        ),
        optional(.metadata, "require_pushed_authorization_requests", false, wrong: true),
        optional(.metadata, "error", "invalid_tenant", wrong: "x", harmless: []),
        unread(.metadata, "claims_supported"), unread(.metadata, "x_of_tomorrow"),
    ]

    private static let keys = [
        required(.keySet, "keys", wrong: ["a"]),
        required(.key, "kty", wrong: "EC"),
        required(.key, "n", wrong: "AQAB"),
        required(.key, "e", wrong: "AQ"), required(.key, "e", wrong: "Ag"),
        required(.key, "kid", wrong: "k2"),
        optional(.key, "use", wrong: "enc"), optional(.key, "alg", "RS256", wrong: "PS256"),
        optional(.key, "alg", "RS256", wrong: "ES256"),
        // The private half, for everybody to see.
        optional(.key, "d", "AQAB", wrong: "AQAC", harmless: [], at: anywhere),
        optional(.key, "key_ops", ["verify"], wrong: ["sign", "encrypt"]),
        optional(.key, "issuer", wrong: "https://evil.example", at: entra),
        optional(.key, "cloud_instance_name", wrong: "microsoftonline.us", at: entra),
        unread(.key, "x5c"), unread(.keySet, "x_of_tomorrow"),
    ]

    private static func bytes(_ value: UInt8, _ first: UInt8) -> JSON {
        .string(Base64URL.encode([first] + [UInt8](repeating: value, count: 31)))
    }

    private static let elliptic: Set<HostileProvider.Kind> = [.es256, .ed25519]
    private static let p256 = TokenFactory.P256.self

    private static let keysOfOtherAlgorithms = [
        // A key without an algorithm of its own verifies the algorithms of its kind.
        optional(.key, "alg", wrong: "RS256", at: [.ps256]),
        optional(.key, "alg", wrong: "ES384", at: [.es256]),
        optional(.key, "alg", wrong: "RS256", at: elliptic),
        optional(.key, "alg", wrong: "EdDSA", harmless: [.genuine, .wrong], at: [.ed25519]),
        required(.key, "kty", wrong: "RSA", at: elliptic),
        required(.key, "kty", wrong: "OKP", at: [.es256]),
        required(.key, "kty", wrong: "EC", at: [.ed25519]),
        required(.key, "crv", wrong: "P-384", at: elliptic),
        required(.key, "crv", wrong: "secp256k1", at: elliptic),
        required(.key, "crv", wrong: "X25519", at: elliptic),
        required(.key, "crv", wrong: "Ed448", at: elliptic),
        // Points off the curve, too long and too short.
        required(.key, "x", wrong: bytes(1, 1), at: elliptic),
        required(.key, "y", wrong: bytes(1, 1), at: [.es256]),
        required(.key, "y", wrong: .string(Base64URL.encode(p256.x)), at: [.es256]),
        required(.key, "x", wrong: .string(Base64URL.encode([0] + p256.x)), at: elliptic),
        required(
            .key,
            "x",
            wrong: .string(Base64URL.encode(Array(p256.x.dropLast()))),
            at: elliptic
        ),
        // Points for which anybody can sign.
        required(.key, "x", wrong: bytes(0, 0), at: elliptic),
        required(.key, "x", wrong: bytes(0, 1), at: elliptic),
    ]

    private static let headersOfOtherAlgorithms =
        ["none", "HS256", "RS256", "rs256", "ES384", "ES256K", "Ed448"].map {
            required(.header, "alg", wrong: .string($0), at: elliptic.union([.ps256]))
        } + [
            required(.header, "alg", wrong: "EdDSA", harmless: [.wrong], at: [.ed25519]),
            required(.header, "alg", wrong: "EdDSA", at: [.es256, .ps256]),
            required(.header, "alg", wrong: "PS256", at: elliptic.union([.standard])),
            required(.header, "alg", wrong: "ES256", at: [.ed25519, .ps256, .standard]),
            required(.header, "alg", wrong: "Ed25519", at: [.es256, .ps256, .standard]),
        ]

    private static let header = [
        required(.header, "alg", wrong: "HS256"), required(.header, "alg", wrong: "none"),
        required(.header, "kid", wrong: "k2", at: entra),
        optional(.header, "kid", wrong: "k2", at: [.standard]),
        optional(.header, "typ", wrong: "at+jwt"), optional(.header, "typ", wrong: "JWE"),
        optional(.header, "crit", ["exp"], wrong: ["b64"], harmless: []),
        optional(.header, "x5t", "abc", wrong: "abd", harmless: Lie.texts),
        unread(.header, "jwk"), unread(.header, "jku"), unread(.header, "x5u"),
    ]

    private static let other: JSON = "33333333-cccc-4000-8000-000000000003"
    private static let past: JSON = .integer(TokenFactory.now - 3600)
    private static let future: JSON = .integer(TokenFactory.now + 3600)

    private static let claims = [
        required(.claims, "iss", wrong: "https://evil.example"),
        // At Entra, nobody is known by it.
        required(.claims, "sub", wrong: "another", harmless: [.wrong], at: entra),
        // UserInfo speaks of somebody else then.
        required(.claims, "sub", wrong: "another", at: [.standard]),
        required(.claims, "aud", wrong: other, harmless: [.listOfIt]),
        required(
            .claims,
            "aud",
            wrong: [.string(TokenFactory.client), other],
            harmless: [.listOfIt]
        ),
        optional(.claims, "azp", .string(TokenFactory.client), wrong: other),
        required(.claims, "exp", wrong: past),
        required(.claims, "iat", wrong: future, harmless: [.number]),
        optional(.claims, "nbf", wrong: future, harmless: [.genuine, .number]),
        // Fractions are allowed (RFC 7519, section 2), and some providers have them.
        optional(
            .claims,
            "auth_time",
            past,
            wrong: past,
            harmless: [.genuine, .wrong, .number, .fraction]
        ),
        required(.claims, "nonce", wrong: "another"),
        optional(
            .claims,
            "at_hash",
            .string(HostileProvider.accessTokenHash),
            wrong: "AAAAAAAAAAAAAAAAAAAAAA",
            at: Set(HostileProvider.Kind.allCases).subtracting([.ed25519])
        ),
        optional(
            .claims,
            "at_hash",
            .string(HostileProvider.longAccessTokenHash),
            wrong: .string(HostileProvider.accessTokenHash),
            at: [.ed25519]
        ),
        optional(.claims, "sid", "abc", wrong: "abd", harmless: [.genuine, .wrong]),
        unread(.claims, "email"), unread(.claims, "preferred_username"),
        // They count only where a page demands them.
        unread(.claims, "acrs"), unread(.claims, "acr"),
    ]

    private static let claimsOfEntra = [
        optional(
            .claims,
            "name",
            wrong: "Another",
            harmless: Lie.texts.union([.null, .emptyText]),
            at: entra
        ),
        optional(
            .claims,
            "roles",
            wrong: ["Other"],
            harmless: [.genuine, .wrong, .emptyArray],
            at: entra
        ),
        optional(
            .claims,
            "groups",
            ["a"],
            wrong: ["b"],
            harmless: [.genuine, .wrong, .emptyArray],
            at: entra
        ),
        optional(
            .claims,
            "_claim_names",
            ["a": "b"],
            wrong: ["groups": "src1"],
            harmless: [.genuine, .emptyObject],
            at: entra
        ),
        optional(.claims, "ver", wrong: "1.0", at: entra),
        required(.claims, "tid", wrong: other, at: entra),
        required(.claims, "oid", wrong: "alice", at: entra),
        optional(.claims, "hasgroups", true, wrong: false, harmless: [], at: entra),
        optional(.claims, "login_hint", "abc", wrong: "abd", harmless: Lie.texts, at: entra),
    ]

    /// What Microsoft defined means nothing elsewhere.
    ///
    /// Roles of another shape make nobody a member. A claim for groups is a text or a list of texts.
    private static let claimsOfOthers =
        ["ver", "tid", "oid", "hasgroups", "login_hint", "name", "roles", "_claim_names"].map {
            unread(.claims, $0, at: [.standard])
        } + [
            optional(
                .claims,
                "groups",
                ["a"],
                wrong: ["b"],
                harmless: Lie.texts.union([.null, .emptyText, .emptyArray, .longText]),
                at: [.standard]
            )
        ]

    private static let answer = [
        required(.answer, "id_token", wrong: "a.b.c"),
        required(.answer, "token_type", wrong: "DPoP"),
        optional(
            .answer,
            "access_token",
            wrong: "another",
            harmless: [.genuine, .wrong],
            at: entra
        ),
        // UserInfo is asked with it.
        required(.answer, "access_token", wrong: "a b", at: [.standard]),
        optional(.answer, "error", "invalid_grant", wrong: "x", harmless: []),
        unread(.answer, "expires_in"), unread(.answer, "scope"), unread(.answer, "refresh_token"),
    ]
}
