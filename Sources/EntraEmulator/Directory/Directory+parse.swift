import Diagnostics
import Settings

extension Directory {
    /// The text of the built-in file.
    public static let builtIn = String(
        decoding: PackageResources.default_tenants_toml,
        as: UTF8.self
    )

    /// Reads a file with tenants.
    ///
    /// - Parameters:
    ///   - path: the path for diagnostics.
    ///   - read: returns the bytes of a file that the tenants file names, or `nil`.
    /// - Returns: the directory if there is no error, and all errors.
    public static func parse(
        _ bytes: [UInt8],
        path: String,
        read: (String) -> [UInt8]? = { _ in nil }
    ) -> (directory: Directory?, diagnostics: [Diagnostic]) {
        let file = SettingsFile(bytes, path: path)
        guard file.diagnostics.isEmpty else { return (nil, file.diagnostics) }
        let root = file.root
        let tables = root.tables("tenant")
        var directory = Directory(tenants: tables.map { Tenant($0, read: read) })
        if let count = root.integer("code_bytes") {
            if (16...4096).contains(count) {
                directory.codeBytes = count
            } else {
                root.report("'code_bytes' is \(count); it must be 16 to 4096", at: "code_bytes")
            }
        }
        root.refuseUnknownKeys()
        if directory.tenants.isEmpty { root.report("there is no [[tenant]]", at: "tenant") }
        directory.reportContradictions(root, tables)
        let diagnostics = file.diagnostics.sorted()
        return (diagnostics.isEmpty ? directory : nil, diagnostics)
    }

    /// Reports contradictions between tables that are each correct.
    private func reportContradictions(_ root: SettingsTable, _ tables: [SettingsTable]) {
        if !tenants.isEmpty, tenants.allSatisfy(\.users.isEmpty) {
            root.report("there is no [[tenant.user]]; add an account to sign in with", at: "tenant")
        }
        if !tenants.isEmpty, tenants.allSatisfy(\.applications.isEmpty) {
            root.report(
                "there is no [[tenant.application]]; add an application to sign in to",
                at: "tenant"
            )
        }
        var seen: Set<String> = []
        func once(_ value: String, _ key: String, _ table: SettingsTable, element: Int = 0) {
            if !value.isEmpty, !seen.insert(value).inserted {
                table.report("'\(value)' occurs twice", at: key, element: element)
            }
        }
        for (tenant, table) in zip(tenants, tables) {
            once(tenant.id, "id", table)
            for (index, domain) in tenant.domains.enumerated() {
                once(domain, "domains", table, element: index)
            }
            if !tenant.subdomain.isEmpty {
                once("\(tenant.kind.rawValue) \(tenant.subdomain)", "subdomain", table)
            }
            // A key of the wrong type was already reported.
            let users = tenant.users.isEmpty ? [] : table.tables("user")
            for (user, table) in zip(tenant.users, users) {
                once(user.objectID, "object_id", table)
                once(user.userName.lowercased(), "user_name", table)
            }
            let applications = tenant.applications.isEmpty ? [] : table.tables("application")
            for (application, table) in zip(tenant.applications, applications) {
                once(application.clientID, "client_id", table)
                for (index, uri) in application.identifierURIs.enumerated() {
                    once(uri, "identifier_uris", table, element: index)
                }
                reportUnknownPermissions(application, table)
            }
        }
    }

    private func reportUnknownPermissions(_ application: Application, _ table: SettingsTable) {
        let roles = tenants.flatMap(\.applications).flatMap { api in
            (api.identifierURIs + [api.clientID]).flatMap { name in
                api.appRoles.map { "\(name)/\($0)" }
            }
        }
        let known = roles + Application.graphPermissions
        for (index, permission) in application.applicationPermissions.enumerated()
        where !known.contains(permission) {
            let hint = NearestName.hint(permission, in: known)
            table.report(
                "'\(permission)' is not the name of an API and one of its app roles\(hint)",
                at: "application_permissions",
                element: index
            )
        }
    }
}
