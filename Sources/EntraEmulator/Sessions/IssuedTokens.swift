import Synchronization

/// The access and refresh tokens that were given out.
final class IssuedTokens: Sendable {
    struct Token: Sendable {
        /// `nil` for an application that acts for itself.
        let grant: Grant?
        let clientID: String
        let issuedAt: Int
        let lifetime: Int
    }

    /// Seconds of an access token.
    static let accessLifetime = 3599
    /// A refresh token dies when it was not used for ninety days.
    static let refreshLifetime = 90 * 86_400

    private struct Store: Sendable {
        var tokens = RecentValues<Token>(limit: 20_000)
        /// Whose refresh tokens from before a moment are dead.
        var revokedUntil: [String: Int] = [:]
    }

    private let store = Mutex(Store())

    func add(_ token: Token, _ text: String) {
        store.withLock { $0.tokens[text] = token }
    }

    subscript(text: String) -> Token? { store.withLock { $0.tokens[text] } }

    /// Ends all refresh tokens that somebody has by now.
    func revoke(_ objectID: String, now: Int) {
        store.withLock { $0.revokedUntil[objectID] = now }
    }

    func isRevoked(_ token: Token) -> Bool {
        guard let objectID = token.grant?.objectID else { return false }
        return store.withLock { token.issuedAt <= $0.revokedUntil[objectID] ?? .min }
    }
}
