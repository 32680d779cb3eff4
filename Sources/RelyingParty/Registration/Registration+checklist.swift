extension Registration {
    /// The values to enter in the Entra portal, page by page.
    public var checklist: String {
        var lines = [
            "In the Entra portal, the app registration needs:",
            "  Authentication, supported account types", "    \(accounts.audience)",
            "  Authentication, platform Web, redirect URIs",
        ]
        lines += redirectURIs.map { "    \($0)" }
        lines += ["  Authentication, front-channel logout URL"]
        lines += ["    \(logoutURL ?? "none: Entra accepts https only")"]
        lines += [
            "  Authentication, implicit grant and hybrid flows", "    nothing ticked",
            "  Token configuration, optional claims of the ID token",
            "    sid, login_hint; optional: auth_time, acct, email, xms_edov",
        ]
        if usesSecurityGroups {
            lines += [
                "  Token configuration, groups claim",
                "    Groups assigned to the application, as Group ID",
            ]
        }
        if !roles.isEmpty {
            lines += ["  App roles, for users and groups, values"]
            lines += roles.map { "    \($0)" }
        }
        if watchesAccounts {
            lines += [
                "  API permissions, Microsoft Graph, application permissions, with admin consent",
                "    User.Read.All, GroupMember.Read.All",
            ]
        }
        lines += [
            "  Enterprise application, properties, assignment required",
            "    yes, unless every account of the tenant may read pages for 'signed-in'",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
