import Diagnostics
import JOSE
import OpenSSL
import Settings

extension Application {
    /// Reads a `[[tenant.application]]`.
    init(_ table: SettingsTable, read: (String) -> [UInt8]?) {
        self.init(
            name: table.required("name"),
            clientID: table.guid("client_id"),
            audience: table.word("audience", Audience.oneTenant),
            redirectURIs: table.strings("redirect_uris") ?? [],
            logoutURL: table.string("logout_url"),
            secrets: table.tables("secret").map(Secret.init),
            certificates: table.tables("certificate").compactMap { Self.certificate($0, read) },
            federatedCredentials: table.tables("federated_credential").map {
                FederatedCredential($0, read: read)
            },
            optionalClaims: Set(table.strings("optional_claims") ?? []),
            groupClaims: table.word("group_claims", GroupClaims.none),
            appRoles: table.strings("app_roles") ?? [],
            isAssignmentRequired: table.bool("assignment_required") ?? false,
            assigned: Set(table.strings("assigned") ?? []),
            consent: table.word("consent", Consent.granted),
            issuesIDTokens: table.bool("id_tokens") ?? false,
            isPublic: table.bool("public") ?? false,
            isDisabled: table.bool("disabled") ?? false
        )
        table.refuseUnknownKeys()
        reportMistakes(table)
    }

    private static func certificate(
        _ table: SettingsTable,
        _ read: (String) -> [UInt8]?
    ) -> Certificate? {
        let name = table.required("file")
        table.refuseUnknownKeys()
        guard !name.isEmpty else { return nil }
        guard let bytes = read(name) else {
            table.report("'\(name)' cannot be read", at: "file")
            return nil
        }
        do { return try Certificate(pem: bytes) } catch {
            table.report("'\(name)' is no certificate to use: \(error)", at: "file")
            return nil
        }
    }

    private func reportMistakes(_ table: SettingsTable) {
        if redirectURIs.isEmpty { table.report("'redirect_uris' lists none", at: "redirect_uris") }
        for (index, uri) in redirectURIs.enumerated() {
            if let mistake = RedirectURI.registrationMistake(uri, audience: audience) {
                table.report("'\(uri)' \(mistake)", at: "redirect_uris", element: index)
            }
        }
        if let logoutURL, !logoutURL.hasPrefix("https://") {
            table.report(
                "'logout_url' is '\(logoutURL)'; Entra takes https only, for localhost too",
                at: "logout_url"
            )
        }
        for claim in optionalClaims.subtracting(Self.knownOptionalClaims).sorted() {
            let hint = NearestName.hint(claim, in: Self.knownOptionalClaims)
            table.report(
                "'\(claim)' is no optional claim that is sent here\(hint)",
                at: "optional_claims"
            )
        }
        for (index, role) in appRoles.enumerated() where role.contains(" ") {
            let message = "'\(role)' has a space; values of app roles have none"
            table.report(message, at: "app_roles", element: index)
        }
        if audience.takesPersonal, !appRoles.isEmpty {
            table.report("applications for personal accounts have no app roles", at: "app_roles")
        }
    }
}

extension Application.Secret {
    fileprivate init(_ table: SettingsTable) {
        let value = table.required("value")
        self.init(
            value: value,
            expires: table.moment("expires"),
            id: table.has("id") ? table.guid("id") : OpaqueID.guid(of: "secret \(value)")
        )
        table.refuseUnknownKeys()
    }
}

extension Application.FederatedCredential {
    fileprivate init(_ table: SettingsTable, read: (String) -> [UInt8]?) {
        var keys: JSONWebKeySet?
        if let name = table.string("keys_file") {
            keys = read(name).flatMap { JSONWebKeySet(parsing: $0) }
            if keys == nil { table.report("'\(name)' is no key set", at: "keys_file") }
        }
        self.init(
            issuer: table.required("issuer"),
            subject: table.required("subject"),
            audience: table.required("audience"),
            keys: keys
        )
        table.refuseUnknownKeys()
    }
}
