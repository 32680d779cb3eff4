import Access
import Settings
import SourceFolder

/// The groups of `sitegen.toml`.
extension SiteConfiguration {
    /// The keys of a group.
    private static let keysOfGroup: Set = [
        "role", "group", "users", "title", "authentication_context",
        "authentication_context_seconds", "audit",
    ]

    mutating func read(groups table: SettingsTable) {
        for name in table.keys {
            guard let entry = table.table(name) else { continue }
            if AccessKeywords.reserved.contains(name) {
                table.report("'\(name)' is reserved and not a valid group name", atKey: name)
                continue
            }
            guard GroupDefinition.isName(name) else {
                table.report(
                    "'\(name)' is not a valid group name; it must be a letter, then letters, digits, '-' or '_'",
                    atKey: name
                )
                continue
            }
            // siteauth ignores the case of paths, and each group has a path of its own.
            if let other = groups.first(where: { $0.name.lowercased() == name.lowercased() }) {
                table.report(
                    "group '\(name)' differs from '\(other.name)' only in case",
                    atKey: name
                )
                continue
            }
            let group = GroupDefinition(
                name: name,
                roles: entry.stringOrStrings("role") ?? [],
                groups: ids("group", entry),
                users: ids("users", entry),
                context: context(of: entry),
                isAudited: entry.bool("audit") ?? false
            )
            if let title = entry.string("title") {
                groupTitles[name] = title
                if title.isEmpty { entry.report("'title' is empty", at: "title") }
            }
            entry.refuseUnknownKeys()
            for (index, role) in group.roles.enumerated()
            where role.isEmpty || role.contains(" ") {
                let message =
                    "'\(role)' is not the value of an app role; it must have no spaces and not be empty"
                entry.report(message, at: "role", element: index)
            }
            // A group without members is more likely forgotten than intended.
            // An unknown key is already reported, and is more likely a misspelt one.
            if group.roles.isEmpty, group.groups.isEmpty, group.users.isEmpty,
                Set(entry.keys).isSubset(of: Self.keysOfGroup)
            {
                table.report(
                    "group '\(name)' is empty; it needs 'role', 'group' or 'users'",
                    at: name
                )
            }
            groups.append(group)
        }
    }

    /// What members of a group have to confirm before they read.
    private func context(of entry: SettingsTable) -> AuthenticationContext? {
        let (nameKey, secondsKey) = ("authentication_context", "authentication_context_seconds")
        let seconds = entry.integer(secondsKey)
        if let seconds, !(60...86_400).contains(seconds) {
            entry.report("'\(secondsKey)' is \(seconds); it must be 60 to 86400", at: secondsKey)
        }
        guard let name = entry.string(nameKey) else {
            if seconds != nil {
                entry.report("'\(secondsKey)' has no effect without '\(nameKey)'", at: secondsKey)
            }
            return nil
        }
        let isKnown =
            switch provider {
            case .entra: (1...99).contains { name == "c\($0)" }
            case .other: AuthenticationContext.isName(name)
            }
        if !isKnown {
            let expected =
                provider == .entra
                ? "the id of an authentication context of Conditional Access, 'c1' to 'c99'"
                : "a value of 'acr' at the provider, without spaces"
            entry.report("'\(nameKey)' is '\(name)'; it must be \(expected)", at: nameKey)
        }
        return AuthenticationContext(name: name, seconds: seconds ?? 3600)
    }

    /// Whether the text is `object-id@tenant-id`, for sites with readers of several tenants.
    private static func isUserOfTenant(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && parts.allSatisfy(isGUID)
    }

    /// Reads ids of groups or people, and reports those that are not valid.
    private func ids(_ key: String, _ entry: SettingsTable) -> [String] {
        let values = entry.stringOrStrings(key) ?? []
        for (index, value) in values.enumerated() {
            switch provider {
            case .entra where key == "users" && Self.isUserOfTenant(value): break
            case .entra where !Self.isGUID(value):
                let advice =
                    "copy it from the Entra portal, or set 'provider = \"other\"'"
                    + " if readers sign in with another provider"
                let message = "'\(value)' is not an object id (a GUID); \(advice)"
                entry.report(message, at: key, element: index)
            case .other where value.isEmpty || !value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }:
                let message =
                    "'\(value)' is not an id; it must not be empty or have control characters"
                entry.report(message, at: key, element: index)
            default: break
            }
        }
        return provider == .entra ? values.map { $0.lowercased() } : values
    }

    private static func isGUID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let hexadecimal = "0123456789abcdefABCDEF".utf8
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.joined().allSatisfy { hexadecimal.contains($0) }
    }
}
