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
    /// The oldest of more tokens than these are forgotten.
    private static let limit = 20_000

    private struct Store: Sendable {
        var tokens: [String: Token] = [:]
        var order: [String] = []
        /// Whose refresh tokens from before a moment are dead.
        var revokedUntil: [String: Int] = [:]
    }

    private let store = Mutex(Store())

    func add(_ token: Token, _ text: String) {
        store.withLock { store in
            store.tokens[text] = token
            store.order.append(text)
            if store.order.count > 2 * Self.limit {
                for old in store.order.prefix(Self.limit) { store.tokens[old] = nil }
                store.order.removeFirst(Self.limit)
            }
        }
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
