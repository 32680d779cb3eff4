import Settings

extension SessionSettings {
    /// Reads the keys for sessions in `[auth]`, and reports mistakes at their positions.
    init(_ table: SettingsTable?, callbackPath: String?) {
        self.init()
        guard let table else { return }
        if let seconds = table.integer("revalidate_after_seconds") {
            revalidateAfterSeconds = seconds
            Self.limit(seconds, "revalidate_after_seconds", orZeroFor: "never", table)
        }
        if let seconds = table.integer("revalidate_grace_seconds") {
            revalidateGraceSeconds = seconds
            Self.limit(seconds, "revalidate_grace_seconds", orZeroFor: "no grace", table)
        }
        isCookiePersistent = table.bool("persistent_cookie") ?? isCookiePersistent
        signIn = Self.word("sign_in", table) ?? signIn
        signOut = Self.word("sign_out", table) ?? signOut
        identityTokenAlgorithm =
            Self.word("identity_token_algorithm", table) ?? identityTokenAlgorithm
        sendsLogoutHint = table.bool("logout_hint") ?? sendsLogoutHint
        pathAfterSignOut = Self.landingPath(table, callbackPath: callbackPath ?? "")
        domainHint = Self.domainHint(table)
    }

    private static func limit(
        _ seconds: Int,
        _ key: String,
        orZeroFor meaning: String,
        _ table: SettingsTable
    ) {
        let longest = 30 * 86_400
        if (0...longest).contains(seconds) { return }
        table.report(
            "'\(key)' is \(seconds); it must be 1 to \(longest), or 0 for \(meaning)",
            at: key
        )
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ key: String,
        _ table: SettingsTable
    ) -> Word? where Word.RawValue == String {
        guard let text = table.string(key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
        table.report("'\(key)' is '\(text)'; it must be \(words)", at: key)
        return nil
    }

    private static func landingPath(_ table: SettingsTable, callbackPath: String) -> String? {
        guard let path = table.string("after_sign_out") else { return nil }
        let isOwn =
            path == ReturnPath.home
            || ReturnPath.sanitize(path, callbackPath: callbackPath) == path
        if isOwn, path != "/auth/account" { return path }
        let rule = "it must be a path of this site, such as '/goodbye/'"
        table.report("'after_sign_out' is '\(path)'; \(rule)", at: "after_sign_out")
        return nil
    }

    private static func domainHint(_ table: SettingsTable) -> String? {
        guard let hint = table.string("domain_hint") else { return nil }
        let isPlain = hint.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
        }
        if !hint.isEmpty, hint.utf8.count <= 253, isPlain { return hint }
        let rule = "it must be a domain in lower case, 'organizations' or 'consumers'"
        table.report("'domain_hint' is '\(hint)'; \(rule)", at: "domain_hint")
        return nil
    }
}
