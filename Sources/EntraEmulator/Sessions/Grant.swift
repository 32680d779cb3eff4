/// That somebody let an application know who they are: what codes and tokens stand for.
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

    /// The same for other scopes, without the nonce, which is for the first answer alone.
    func with(scopes: [String], nonce: String? = nil) -> Grant {
        Grant(
            clientID: clientID,
            objectID: objectID,
            scopes: scopes,
            nonce: nonce,
            sessionID: sessionID,
            authenticatedAt: authenticatedAt,
            policy: policy
        )
    }
}
