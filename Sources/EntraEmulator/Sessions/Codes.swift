import Synchronization

/// The authorization codes that were issued.
final class Codes: Sendable {
    /// A code until it is redeemed.
    struct Code: Sendable {
        let grant: Grant
        /// The path of the authority in the request.
        let authority: String
        let redirectURI: String
        let codeChallenge: String?
        let codeChallengeMethod: String
        let issuedAt: Int
        var isRedeemed = false
    }

    /// The lifetime of a code in seconds.
    static let lifetime = 600

    private let codes = Mutex(RecentValues<Code>(limit: 5000))

    func add(_ code: Code, _ text: String) {
        codes.withLock { $0[text] = code }
    }

    subscript(text: String) -> Code? { codes.withLock { $0[text] } }

    /// Marks a code as used.
    ///
    /// - Returns: whether this is the first use.
    func redeem(_ text: String) -> Bool {
        codes.withLock { codes in
            guard codes[text]?.isRedeemed == false else { return false }
            codes[text]?.isRedeemed = true
            return true
        }
    }
}
