import Settings
import SourceFolder

/// What links mean that were written for another tool, which are not checked, and what names in braces stand for.
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

    mutating func readVariables(_ table: SettingsTable) {
        for name in table.keys {
            guard let value = table.string(name) else { continue }
            if let mistake = VariableText.mistake(name, value) {
                table.report("variable \(mistake)", atKey: name)
            }
            variables[name] = value
        }
    }
}
