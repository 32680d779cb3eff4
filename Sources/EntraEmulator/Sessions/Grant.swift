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
}
