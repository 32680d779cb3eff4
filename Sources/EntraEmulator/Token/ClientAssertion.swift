import HTTPTypes
import JOSE
import Jansson

/// A client assertion (RFC 7523, section 3) before its verification.
///
/// `jti` is ignored: Microsoft's libraries send one assertion for ten minutes, and Entra accepts it
/// each time. There is no maximum lifetime either.
struct ClientAssertion: Sendable {
    /// How far the clocks of both sides may be apart, in seconds.
    static let skew = 300

    let signature: JSONWebSignature

    /// `iss`, by which the keys are found; use it for nothing else.
    let unverifiedIssuer: String

    /// Whether the assertion is for a federated credential: its issuer is a URL, while the issuer
    /// of an application's own assertion is the application's id.
    var isFederated: Bool { unverifiedIssuer.contains("://") }

    init(parsing text: String) throws(Rejection) {
        guard
            let signature = JSONWebSignature(compact: text, accepting: [.rs256, .ps256]),
            let payload = Base64URL.decode(
                text.split(separator: ".", omittingEmptySubsequences: false)[1]
            ),
            let claims = try? JSON(parsing: payload), claims.members != nil
        else {
            throw Rejection(
                number: 50_027,
                message:
                    "Invalid JWT token: the value of 'client_assertion' is not a JSON object that"
                    + " is signed with RS256 or PS256."
            )
        }
        self.signature = signature
        unverifiedIssuer = claims["iss"]?.string ?? ""
    }

    /// Refuses an assertion before `nbf`, at or after `exp`, or without `exp`.
    static func checkTimes(_ claims: JSON, now: Int) throws(Rejection) {
        let expiration = claims["exp"].flatMap(numericDate)
        let start = claims["nbf"] == nil ? now : claims["nbf"].flatMap(numericDate)
        // Nothing is added to the signed numbers, which could be the greatest there are.
        guard let expiration, let start, expiration > now - skew, start <= now + skew else {
            let given = "'nbf' \(start.map(String.init) ?? "?"), 'exp'"
            throw Rejection(
                number: 700_024,
                message: "The client assertion has expired or is not valid yet: it is"
                    + " \(now), the assertion has \(given) \(expiration.map(String.init) ?? "?")."
            )
        }
    }

    /// Whole seconds since 1970; MSAL for Python sends fractions.
    private static func numericDate(_ json: JSON) -> Int? {
        guard case .number(let number) = json else { return json.integer }
        return Int(exactly: number.rounded(.down))
    }

    /// The values of `aud`, which is a text or a list of them (RFC 7519, section 4.1.3).
    static func audiences(_ claims: JSON) -> [String] {
        claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.strings ?? []
    }

    /// Why an assertion is rejected.
    struct Rejection: Error, Equatable {
        /// OAuth's `error`, the same for all of them (RFC 7523, section 3.2).
        let error = "invalid_client"
        let status = HTTPResponse.Status.unauthorized
        /// The AADSTS number.
        let number: Int
        let message: String
    }
}
