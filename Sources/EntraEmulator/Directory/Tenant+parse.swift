import Diagnostics
import Settings

extension Tenant {
    /// Reads a `[[tenant]]`.
    init(_ table: SettingsTable, read: (String) -> [UInt8]?) {
        let kind = table.word("kind", Kind.workforce)
        let isForEverybody = kind == .consumers
        let subdomain = table.string("subdomain")?.lowercased() ?? ""
        let groups = table.tables("group").map(Group.init)
        let contexts = table.table("contexts")
        self.init(
            id: isForEverybody && !table.has("id") ? Tenant.consumersID : table.guid("id"),
            domains: (table.strings("domains") ?? []).map { $0.lowercased() },
            name: table.required("name"),
            kind: kind,
            cloud: table.word("cloud", Cloud.public),
            subdomain: subdomain,
            customDomain: table.string("custom_domain")?.lowercased(),
            policies: (table.strings("policies") ?? []).map { $0.lowercased() },
            contexts: (contexts?.keys ?? []).reduce(into: [:]) { policies, id in
                policies[id] = contexts?.word(id, ContextPolicy.secondFactor)
            },
            asksPassword: table.bool("asks_password") ?? false,
            users: table.tables("user").map { User($0, groups: groups) },
            groups: groups,
            applications: table.tables("application").map { Application($0, read: read) },
            managedIdentities: table.tables("managed_identity").map(ManagedIdentity.init)
        )
        table.refuseUnknownKeys()
        if isForEverybody, id != Tenant.consumersID {
            table.report(
                "'id' of the tenant of kind 'consumers' must be '\(Tenant.consumersID)'",
                at: "id"
            )
        }
        let needsSubdomain = kind == .external || kind == .b2c
        if needsSubdomain != !subdomain.isEmpty {
            let message =
                needsSubdomain
                ? "'subdomain' is missing; it is the tenant's part of the host name"
                : "'subdomain' is for tenants of kind 'external' and 'b2c'"
            table.report(message, at: "subdomain")
        }
        if let customDomain {
            if kind != .external {
                table.report(
                    "'custom_domain' is for tenants of kind 'external'",
                    at: "custom_domain"
                )
            } else if !customDomain.hasSuffix(".localhost") {
                table.report(
                    "'custom_domain' is '\(customDomain)'; it must end in '.localhost', which"
                        + " always means this machine",
                    at: "custom_domain"
                )
            }
        }
        if (kind == .b2c) == policies.isEmpty {
            let message =
                kind == .b2c
                ? "'policies' is empty" : "'policies' is for tenants of kind 'b2c'"
            table.report(message, at: "policies")
        }
    }
}

extension Group {
    fileprivate init(_ table: SettingsTable) {
        self.init(id: table.guid("id"), name: table.required("name"))
        table.refuseUnknownKeys()
    }
}

extension ManagedIdentity {
    fileprivate init(_ table: SettingsTable) {
        self.init(
            name: table.required("name"),
            clientID: table.guid("client_id"),
            principalID: table.guid("principal_id")
        )
        table.refuseUnknownKeys()
    }
}
