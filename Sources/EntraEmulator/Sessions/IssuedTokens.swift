import Synchronization

/// The access and refresh tokens that were issued.
final class IssuedTokens: Sendable {
    struct Token: Sendable {
        /// `nil` for an application that acts for itself.
        let grant: Grant?
        let clientID: String
        let issuedAt: Int
        let lifetime: Int
    }

    /// The lifetime of an access token in seconds.
    static let accessLifetime = 3599
    /// The lifetime of a refresh token that is not used: ninety days.
    static let refreshLifetime = 90 * 86_400

    private struct Store: Sendable {
        var tokens = RecentValues<Token>(limit: 20_000)
        /// For each account, the time before which its refresh tokens are revoked.
        var revokedUntil: [String: Int] = [:]
    }

    private let store = Mutex(Store())

    func add(_ token: Token, _ text: String) {
        store.withLock { $0.tokens[text] = token }
    }

    subscript(text: String) -> Token? { store.withLock { $0.tokens[text] } }

    /// Revokes all refresh tokens that an account has now.
    func revoke(_ objectID: String, now: Int) {
        store.withLock { $0.revokedUntil[objectID] = now }
    }

    func isRevoked(_ token: Token) -> Bool {
        guard let objectID = token.grant?.objectID else { return false }
        return store.withLock { token.issuedAt <= $0.revokedUntil[objectID] ?? .min }
    }
}
