import Synchronization

/// What a code stands for until it is redeemed.
struct Grant: Sendable {
    /// As it stood in the URL of the authorization endpoint.
    let tenant: String
    let clientID: String
    let redirectURI: String
    let scope: String
    let nonce: String?
    let codeChallenge: String?
    let codeChallengeMethod: String
    let user: Directory.User
    let sessionID: String
    let issuedAt: Int
    var isRedeemed = false
}

/// The codes that were given out.
final class Grants: Sendable {
    /// Seconds for which a code holds.
    static let lifetime = 600

    private let grants = Mutex<[String: Grant]>([:])

    func add(_ grant: Grant, code: String) {
        grants.withLock { grants in
            // What nobody can redeem any more need not be remembered.
            grants = grants.filter { grant.issuedAt - $0.value.issuedAt <= 2 * Self.lifetime }
            grants[code] = grant
        }
    }

    subscript(code: String) -> Grant? { grants.withLock { $0[code] } }

    /// Marks a code as used.
    ///
    /// - Returns: whether it was not used before.
    func redeem(_ code: String) -> Bool {
        grants.withLock { grants in
            guard grants[code]?.isRedeemed == false else { return false }
            grants[code]?.isRedeemed = true
            return true
        }
    }
}
