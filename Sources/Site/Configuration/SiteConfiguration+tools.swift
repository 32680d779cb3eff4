import Rules
import Settings
import SourceFolder

/// What a site keeps of the tool that its pages come from.
extension SiteConfiguration {
    mutating func readTools(_ root: SettingsTable) {
        if let navigation = root.table("navigation") {
            otherPages = Self.oneOf(OtherPages.self, "other_pages", navigation)
            navigation.refuseUnknownKeys()
        }
        if let matter = root.table("front_matter") { readFrontMatter(matter) }
        from = root.stringOrStrings("from") ?? []
        for (index, path) in from.enumerated() {
            let isOutside = path.hasPrefix("/") || path.split(separator: "/").contains("..")
            if ToolSettings.knows(path), !isOutside { continue }
            let names = ToolSettings.names.map { "'\($0)'" }.joined(separator: ", ")
            let message =
                "'from' has '\(path)'; it must name \(names), below the folder of this file"
            root.report(message, at: "from", element: index)
        }
    }

    private mutating func readFrontMatter(_ table: SettingsTable) {
        let keys = table.stringOrStrings("ignore") ?? []
        for (index, key) in keys.enumerated() {
            // 'layout' is also GitBook's table of the parts of a page.
            let isOwn = FrontMatter.key(named: key) != nil && key.lowercased() != "layout"
            guard isOwn || Rule.unknownKey(key) != .unknownKey else { continue }
            let what = isOwn ? "is a key of sitegen" : "resembles a key that protects a page"
            table.report("'ignore' has '\(key)', which \(what)", at: "ignore", element: index)
        }
        ignoredKeys = Set(keys.map { $0.lowercased() })
        table.refuseUnknownKeys()
    }
}
