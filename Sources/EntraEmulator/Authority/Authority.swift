/// The authority of a URL: the accounts that its host and first segment stand for.
struct Authority: Sendable {
    enum Scope: Sendable {
        case tenant(Tenant)
        /// Work and school accounts of all tenants.
        case organizations
        /// Work and school accounts, and personal accounts.
        case common
    }

    let scope: Scope
    let cloud: Cloud
    /// The segment in the URL: codes are bound to it, and endpoints keep it.
    let segment: String
    /// The user flow of a B2C tenant.
    let policy: String?

    /// Whether accounts of a tenant can sign in here.
    func admits(_ tenant: Tenant) -> Bool {
        switch scope {
        case .tenant(let own): own.id == tenant.id
        case .organizations: tenant.kind == .workforce && tenant.cloud == cloud
        case .common:
            tenant.kind == .workforce && tenant.cloud == cloud || tenant.kind == .consumers
        }
    }

    var tenant: Tenant? {
        guard case .tenant(let tenant) = scope else { return nil }
        return tenant
    }

    /// The path before the endpoints.
    var path: String { policy.map { "/\(segment)/\($0)" } ?? "/\(segment)" }
}
