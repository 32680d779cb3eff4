/// A user's sign-in to an application, which codes and tokens stand for.
struct Grant: Sendable {
    let clientID: String
    let objectID: String
    let scopes: [String]
    let nonce: String?
    let sessionID: String
    /// `auth_time`.
    let authenticatedAt: Int
    /// The user flow of a B2C tenant.
    let policy: String?
    /// The authentication contexts that were asked for and met: `acrs`.
    var contexts: [String] = []

    /// The grant with other scopes, and without the nonce, which is for the first answer only.
    func with(scopes: [String], nonce: String? = nil) -> Grant {
        Grant(
            clientID: clientID,
            objectID: objectID,
            scopes: scopes,
            nonce: nonce,
            sessionID: sessionID,
            authenticatedAt: authenticatedAt,
            policy: policy,
            contexts: contexts
        )
    }
}
