/// Finds the authority of a request, and the issuer of its tokens.
struct AuthorityFinder: Sendable {
    let directory: Directory
    /// The configured origin of the emulator.
    let base: Origin

    /// The authority of a host and a path, and the remaining segments.
    ///
    /// - Parameters:
    ///   - origin: the origin of the request.
    ///   - path: the segments of the path; the first names the tenant.
    func authority(
        at origin: Origin,
        _ path: [String]
    ) -> (authority: Authority, rest: ArraySlice<String>)? {
        guard let segment = path.first else { return nil }
        let cloud = Cloud.allCases.first { origin.host == base.at($0.host).host }
        let shared = cloud ?? .public
        switch segment.lowercased() {
        case "common": return (authority(.common, shared, segment), path.dropFirst())
        case "organizations": return (authority(.organizations, shared, segment), path.dropFirst())
        default: break
        }
        let name = segment.lowercased() == "consumers" ? Tenant.consumersID : segment
        guard let tenant = directory.tenant(named: name), isFound(tenant, at: origin, cloud) else {
            return nil
        }
        guard tenant.kind == .b2c else {
            return (authority(.tenant(tenant), tenant.cloud, segment), path.dropFirst())
        }
        guard path.count > 1, tenant.policies.contains(path[1].lowercased()) else { return nil }
        let found = authority(.tenant(tenant), tenant.cloud, segment, path[1].lowercased())
        return (found, path.dropFirst(2))
    }

    /// The `iss` of a tenant's tokens (v2.0).
    ///
    /// The issuer of an external tenant has the tenant's id as its host, whatever host the request
    /// has. It is Entra's issuer, letter for letter, because Microsoft's libraries recognise it; no
    /// request goes there.
    func issuer(_ tenant: Tenant) -> String {
        switch tenant.kind {
        case .workforce, .consumers:
            let origin = tenant.cloud == .public ? base : base.at(tenant.cloud.host)
            return "\(origin.text)/\(tenant.id)/v2.0"
        case .external:
            return "https://\(tenant.id).ciamlogin.com/\(tenant.id)/v2.0"
        case .b2c:
            return "\(base.at("\(tenant.subdomain).b2clogin.com").text)/\(tenant.id)/v2.0/"
        }
    }

    /// The `issuer` of a discovery document; for several tenants, a template.
    func issuer(_ authority: Authority) -> String {
        if let tenant = authority.tenant { return issuer(tenant) }
        return template(authority.cloud)
    }

    /// The issuer with `{tenantid}` in place of the id.
    func template(_ cloud: Cloud) -> String {
        let origin = cloud == .public ? base : base.at(cloud.host)
        return "\(origin.text)/{tenantid}/v2.0"
    }

    /// A host that names a cloud or a tenant has only that one; plain `localhost` has all tenants.
    private func isFound(_ tenant: Tenant, at origin: Origin, _ cloud: Cloud?) -> Bool {
        if let cloud {
            return tenant.cloud == cloud && (tenant.kind == .workforce || tenant.kind == .consumers)
        }
        if let owner = directory.tenants.first(where: { hosts(of: $0).contains(origin.host) }) {
            return owner.id == tenant.id
        }
        return true
    }

    private func hosts(of tenant: Tenant) -> [String] {
        switch tenant.kind {
        case .workforce, .consumers: return []
        case .b2c: return [base.at("\(tenant.subdomain).b2clogin.com").host]
        case .external:
            let own = ["\(tenant.subdomain).ciamlogin.com", "\(tenant.id).ciamlogin.com"]
            return own.map { base.at($0).host } + (tenant.customDomain.map { [$0] } ?? [])
        }
    }

    private func authority(
        _ scope: Authority.Scope,
        _ cloud: Cloud,
        _ segment: String,
        _ policy: String? = nil
    ) -> Authority {
        Authority(scope: scope, cloud: cloud, segment: segment, policy: policy)
    }
}
