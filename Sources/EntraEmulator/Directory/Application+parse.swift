import Diagnostics
import JOSE
import OpenSSL
import Settings

extension Application {
    /// Reads a `[[tenant.application]]`.
    init(_ table: SettingsTable, read: (String) -> [UInt8]?) {
        let clientID = table.guid("client_id")
        let audience = table.word("audience", Audience.oneTenant)
        let scopes = table.strings("scopes") ?? []
        self.init(
            name: table.required("name"),
            clientID: clientID,
            audience: audience,
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
            identifierURIs: table.strings("identifier_uris")
                ?? (scopes.isEmpty ? [] : ["api://\(clientID)"]),
            scopes: scopes,
            // As at Entra, the default is tokens of version 1.0.
            accessTokenVersion: table.integer("access_token_version")
                ?? (audience.takesPersonal ? 2 : 1),
            applicationPermissions: table.strings("application_permissions") ?? [],
            isAssignmentRequired: table.bool("assignment_required") ?? false,
            assigned: Set(table.strings("assigned") ?? []),
            consent: table.word("consent", Consent.granted),
            issuesIDTokens: table.bool("id_tokens") ?? false,
            isPublic: table.bool("public") ?? false,
            allowsPublicFlows: table.bool("public_client_flows") ?? false,
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
            table.report("'\(name)' cannot be used: \(error)", at: "file")
            return nil
        }
    }

    private func reportMistakes(_ table: SettingsTable) {
        let hasOtherUse =
            isPublic || allowsPublicFlows || !identifierURIs.isEmpty
            || !applicationPermissions.isEmpty
        if redirectURIs.isEmpty, !hasOtherUse {
            table.report("'redirect_uris' is empty", at: "redirect_uris")
        }
        for (index, uri) in redirectURIs.enumerated() {
            if let mistake = RedirectURI.registrationMistake(uri, audience: audience) {
                table.report("'\(uri)' \(mistake)", at: "redirect_uris", element: index)
            }
        }
        if let logoutURL, !logoutURL.hasPrefix("https://") {
            table.report(
                "'logout_url' is '\(logoutURL)'; it must be https, even for localhost",
                at: "logout_url"
            )
        }
        for claim in optionalClaims.subtracting(Self.knownOptionalClaims).sorted() {
            let hint = NearestName.hint(claim, in: Self.knownOptionalClaims)
            table.report(
                "'\(claim)' is not an optional claim that the emulator sends\(hint)",
                at: "optional_claims"
            )
        }
        for (index, role) in appRoles.enumerated() where role.contains(" ") {
            let message = "'\(role)' is not a value of an app role; it must have no space"
            table.report(message, at: "app_roles", element: index)
        }
        if audience.takesPersonal, !appRoles.isEmpty {
            table.report(
                "an application for personal accounts must have no app roles",
                at: "app_roles"
            )
        }
        reportMistakesOfAPI(table)
    }

    private func reportMistakesOfAPI(_ table: SettingsTable) {
        for (index, scope) in scopes.enumerated()
        where scope.isEmpty || scope.hasPrefix(".") || scope.contains(where: { "/ ".contains($0) })
        {
            let message = "'\(scope)' is not the name of a scope; it must have no '/' and no space"
            table.report(message, at: "scopes", element: index)
        }
        for (index, uri) in identifierURIs.enumerated() where table.has("identifier_uris") {
            guard !["api://", "https://"].contains(where: uri.hasPrefix) || uri.hasSuffix("/")
            else {
                continue
            }
            let message = "'\(uri)' is not an identifier URI, such as 'api://\(clientID)'"
            table.report(message, at: "identifier_uris", element: index)
        }
        if !(audience.takesPersonal ? 2...2 : 1...2).contains(accessTokenVersion) {
            let numbers = audience.takesPersonal ? "2 where personal accounts sign in" : "1 or 2"
            table.report(
                "'access_token_version' is \(accessTokenVersion); it must be \(numbers)",
                at: "access_token_version"
            )
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
            if keys == nil { table.report("'\(name)' is not a key set", at: "keys_file") }
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
