import Diagnostics
import Synchronization

/// Finds keys by which other tools hide a page, or show it to some readers only.
///
/// Their meaning differs from tool to tool, so it is not guessed: each is an error that no option
/// lowers, and the message names the keys that sitegen reads instead.
enum ForeignAccessKey {
    /// In lower case, without `_` and `-`.
    private static let names: Set<String> = [
        // For some readers: Redocly, Mintlify, Fern, Retype, Grav, Ghost, Docusaurus and MkDocs
        // plugins, Backstage, wikis.
        "acl", "allow", "allowed", "allowedgroups", "allowedroles", "allowedusers", "auth",
        "authenticated", "authentication", "authorization", "authorize", "authorized", "clearance",
        "confidential", "confidentiality", "deny", "group", "groups", "internal", "internalonly",
        "isinternal", "isprivate", "isprotected", "login", "loginrequired", "members",
        "membersonly", "permission", "permissions", "private", "protected", "rbac", "readers",
        "requireauth", "requireslogin", "requiresauth", "requiredrole", "requiredroles", "restrict",
        "restricted", "restrictedto", "restriction", "restrictions", "role", "roles", "secret",
        "secured", "security", "sensitive", "sensitivity", "viewer", "viewers",
        "usergroups", "userroles", "visibility", "visibleto", "whocanread",
        // Under a password: Hexo, VuePress, Nikola, WordPress.
        "encrypt", "encrypted", "password", "passphrase",
        // Conditions: GitBook.
        "if",
        // For nobody: GitBook, Mintlify, ReadMe, Starlight, Lektor, Grav, Pelican, Nikola, Ghost,
        // WordPress, Cobalt, Zola.
        "active", "archived", "deleted", "dgpublish", "disabled", "enabled", "exclude", "excluded",
        "hidden", "hide", "ignore", "isdraft",
        "ishidden", "ispublished", "postponed", "public", "routable", "skip", "unpublish",
        "unpublished", "visible", "wip",
    ]

    private static let stateKeys: Set<String> = [
        "status", "state", "poststatus", "pagestatus", "workflow",
    ]

    /// Values of `status` and similar keys that hide a page.
    private static let states: Set<String> = [
        "archived", "confidential", "draft", "hidden", "inactive", "inreview", "internal",
        "pending", "planned", "private", "protected", "restricted", "scheduled", "secret",
        "unpublished", "wip",
    ]

    /// The message for a key, or `nil` for a key that hides nothing.
    static func message(for entry: FrontMatterEntry) -> String? {
        let key = plain(entry.key)
        let word = plain(entry.value.text ?? "")
        let advice = "write 'access: […]', 'draft: true' or 'unlisted: true' instead"
        if stateKeys.contains(key) {
            guard states.contains(word) else { return nil }
            return
                "'\(entry.key): \(entry.value.text ?? "")' may be meant to hide this page; \(advice)"
        }
        if let inner = entry.value.tables.lazy.compactMap(inner).first {
            return
                "'\(inner)' in '\(entry.key)' may be meant to hide this page or pages below it; \(advice)"
        }
        guard let name = names.contains(key) || isAccess(key) ? key : near(key),
            !isHarmless(name, entry.value, word)
        else { return nil }
        return name == key
            ? "'\(entry.key)' hides or protects a page in other tools; \(advice)"
            : "'\(entry.key)' resembles '\(name)', which hides or protects a page in other tools; \(advice)"
    }

    /// Whether the key is `accessGroups`, `access_level` or similar, but not a word such as
    /// `accessibility`.
    private static func isAccess(_ key: String) -> Bool {
        key.hasPrefix("access")
            && !["accessi", "accesso", "accessr"].contains { key.hasPrefix($0) }
    }

    /// The first key in a table that would hide a page if it were a key of the page itself.
    ///
    /// Hugo's `cascade` applies to all pages below; other tools have tables with other names.
    private static func inner(_ entries: [FrontMatterEntry]) -> String? {
        for entry in entries {
            let isOwn = FrontMatter.key(named: entry.key).map(guarding.contains) == true
            if isOwn, !isHarmless(plain(entry.key), entry.value, "") { return entry.key }
            if message(for: entry) != nil { return entry.key }
            if let key = entry.value.tables.lazy.compactMap(inner).first { return key }
        }
        return nil
    }

    private static let guarding: Set<FrontMatter.Key> = [
        .access, .build, .draft, .expiryDate, .headless, .publishDate, .published, .render,
        .unlisted,
    ]

    /// The first key of `params` that may be meant to hide the page.
    ///
    /// Only unmistakable names count, because a template may use any name.
    static func param(in entries: [FrontMatterEntry]) -> FrontMatterEntry? {
        let strong: Set<String> = [
            "acl", "confidential", "draft", "groups", "hidden", "internalonly", "isprivate",
            "membersonly", "permissions", "private", "protected", "published", "restricted",
            "roles", "visibility",
        ]
        return entries.first { entry in
            let key = plain(entry.key)
            return strong.contains(key)
                && !isHarmless(key, entry.value, plain(entry.value.text ?? ""))
        }
    }

    /// Whether a line of text that begins with this name may be meant to protect the page.
    static func isName(_ name: String) -> Bool { names.contains(plain(name)) }

    /// Material for MkDocs hides parts of the page's frame by `hide: [navigation, toc]`.
    static func arePartsOfFrame(_ parts: [FrontMatterValue]) -> Bool {
        let known = ["navigation", "toc", "path", "footer", "feedback", "tags"]
        return parts.allSatisfy { known.contains($0.text ?? "") }
    }

    /// Whether the value hides nothing, as in `private: false`.
    private static func isHarmless(_ name: String, _ value: FrontMatterValue, _ word: String)
        -> Bool
    {
        if name == "hide", case .list(let parts) = value.content { return arePartsOfFrame(parts) }
        let shows = [
            "active", "dgpublish", "enabled", "ispublished", "public", "publish", "published",
            "render", "routable", "visible",
        ].contains(name)
        if let bool = value.bool { return bool == shows }
        return name == "visibility" && ["public", "visible"].contains(word)
    }

    /// The name that differs by one edit.
    ///
    /// Short keys are skipped: they resemble too many other words.
    private static func near(_ key: String) -> String? {
        guard key.utf8.count >= 6, !["author", "authors", "project", "projected"].contains(key)
        else {
            return nil
        }
        if let known = nearest.withLock({ $0[key] }) { return known }
        let near = names.filter { name in
            name.utf8.count >= 6 && NearestName.distance(key, name) <= 1
        }
        .min()
        nearest.withLock { nearest in
            if nearest.count >= 10_000 { nearest = [:] }
            nearest[key] = .some(near)
        }
        return near
    }

    /// The answers for keys that were looked up: thousands of pages have the same few unknown keys.
    private static let nearest = Mutex<[String: String?]>([:])

    private static func plain(_ text: String) -> String {
        String(text.lowercased().filter { !"_- ".contains($0) })
    }
}
