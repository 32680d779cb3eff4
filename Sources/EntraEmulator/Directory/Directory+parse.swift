import Diagnostics
import Settings

extension Directory {
    /// Reads a tenant file.
    ///
    /// - Returns: the directory if there is no mistake, and all mistakes.
    public static func parse(
        _ bytes: [UInt8],
        path: String
    ) -> (directory: Directory?, diagnostics: [Diagnostic]) {
        let file = SettingsFile(bytes, path: path)
        guard file.diagnostics.isEmpty else { return (nil, file.diagnostics) }
        let root = file.root
        let directory = Directory(
            tenantID: guid("tenant_id", root),
            domain: required("domain", root),
            name: required("name", root),
            applications: root.tables("application").map(application),
            users: root.tables("user").map(user)
        )
        root.refuseUnknownKeys()
        if directory.applications.isEmpty {
            root.report("there is no [[application]] to sign in to", at: "application")
        }
        if directory.users.isEmpty { root.report("there is no [[user]] to sign in", at: "user") }
        for (ids, key) in [
            (directory.users.map(\.objectID), "user"),
            (directory.applications.map(\.clientID), "application"),
        ] where Set(ids).count != ids.count {
            root.report("two tables [[\(key)]] have the same id", at: key)
        }
        let diagnostics = file.diagnostics.sorted()
        return (diagnostics.isEmpty ? directory : nil, diagnostics)
    }

    private static func application(_ table: SettingsTable) -> Application {
        let application = Application(
            name: required("name", table),
            clientID: guid("client_id", table),
            clientSecret: required("client_secret", table),
            redirectURIs: table.strings("redirect_uris") ?? [],
            optionalClaims: Set(table.strings("optional_claims") ?? []),
            sendsGroups: table.bool("group_claims") ?? false,
            isAssignmentRequired: table.bool("assignment_required") ?? false
        )
        table.refuseUnknownKeys()
        if application.redirectURIs.isEmpty {
            table.report("'redirect_uris' lists none", at: "redirect_uris")
        }
        for uri in application.redirectURIs {
            if let mistake = RedirectURI.registrationMistake(uri) {
                table.report("'\(uri)' \(mistake)", at: "redirect_uris")
            }
        }
        let known: Set = ["sid", "login_hint", "email"]
        for claim in application.optionalClaims.subtracting(known).sorted() {
            let hint = NearestName.hint(claim, in: known)
            table.report(
                "'\(claim)' is no optional claim that is sent here\(hint)",
                at: "optional_claims"
            )
        }
        return application
    }

    private static func user(_ table: SettingsTable) -> User {
        let user = User(
            objectID: guid("object_id", table),
            name: required("name", table),
            userName: required("user_name", table),
            email: table.string("email"),
            roles: table.strings("roles") ?? [],
            groups: table.strings("groups") ?? [],
            isDisabled: table.bool("disabled") ?? false
        )
        table.refuseUnknownKeys()
        return user
    }

    private static func required(_ key: String, _ table: SettingsTable) -> String {
        let value = table.string(key)
        if !table.has(key) || value?.isEmpty == true {
            table.report("'\(key)' is missing", at: key)
        }
        return value ?? ""
    }

    private static func guid(_ key: String, _ table: SettingsTable) -> String {
        let value = required(key, table).lowercased()
        let lengths = value.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
        if !value.isEmpty,
            lengths != [8, 4, 4, 4, 12] || !value.allSatisfy({ $0.isHexDigit || $0 == "-" })
        {
            table.report("'\(key)' is '\(value)'; it must be a GUID", at: key)
        }
        return value
    }
}
