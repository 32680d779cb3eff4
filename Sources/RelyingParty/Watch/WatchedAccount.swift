import SiteauthConfiguration

/// An account that has signed in here.
struct WatchedAccount: Sendable {
    /// The name of the ``Revocation`` that ends its sessions.
    let name: String
    let objectID: String
    /// When the provider last confirmed it here.
    let verifiedAt: NumericDate

    /// - Parameter tenant: the id of the tenant that Graph answers for; other accounts are `nil`.
    init?(_ name: String, at time: NumericDate, in tenant: CompactText) {
        let parts = name.split(separator: "-")
        guard parts.count == 3, parts[1].utf8.count == 32 else { return nil }
        let digits = Array(parts[1])
        objectID = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
            .joined(separator: "-")
        let object = CompactText(objectID)
        guard object.isGUID, name == Revocation.accountName(object, in: tenant) else { return nil }
        (self.name, verifiedAt) = (name, time)
    }
}
