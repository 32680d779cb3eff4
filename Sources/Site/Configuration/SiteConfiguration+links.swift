import Settings

/// What links mean that were written for another tool, and which are not checked.
extension SiteConfiguration {
    /// What the relative links of other tools are relative to.
    enum RelativeLinks: String, Sendable, CaseIterable {
        case file, address
    }

    mutating func readLinks(_ table: SettingsTable) {
        ignoredLinks = table.stringOrStrings("ignore") ?? []
        // Every link begins with an empty string.
        if ignoredLinks.contains("") {
            table.report(
                "'ignore' contains an empty string, which matches every link",
                at: "ignore"
            )
        }
        for root in table.stringOrStrings("root") ?? [] {
            if root.hasPrefix("/"), root.count > 1 {
                linkRoots.append(root.hasSuffix("/") ? root : root + "/")
            } else {
                table.report("'root' has '\(root)'; it must be a path such as '/docs/'", at: "root")
            }
        }
        relativeLinks = Self.oneOf(RelativeLinks.self, "relative", table)
        table.refuseUnknownKeys()
    }
}
