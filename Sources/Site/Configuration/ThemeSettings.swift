import Diagnostics
import Settings

/// The table `[theme]` of `sitegen.toml`: colours and images of a company.
public struct ThemeSettings: Sendable {
    /// An image that is served to everybody, without signing in.
    package struct Picture: Sendable {
        /// A path in the theme or in the source folder.
        package let path: String
        package let location: SourceLocation
        package let key: String
    }

    package var accent: Colour?
    /// The accent colour of the dark scheme, if it differs.
    package var accentDark: Colour?
    package var logo: Picture?
    package var favicon: Picture?

    /// Images only, so that a typing mistake cannot publish a page to everybody.
    private static let endings = ["svg", "png", "webp", "avif", "jpg", "jpeg", "gif", "ico"]

    package init() {}

    package mutating func read(_ table: SettingsTable) {
        accent = Self.colour("accent", table)
        accentDark = Self.colour("accent_dark", table)
        logo = Self.picture("logo", table)
        favicon = Self.picture("favicon", table)
        if accentDark != nil, !table.has("accent") {
            table.report("'accent_dark' needs 'accent'", at: "accent_dark")
        }
        table.refuseUnknownKeys()
    }

    private static func colour(_ key: String, _ table: SettingsTable) -> Colour? {
        guard let text = table.string(key) else { return nil }
        if let colour = Colour(text) { return colour }
        table.report("'\(key)' is '\(text)'; it must be a colour such as '#1a5fb4'", at: key)
        return nil
    }

    private static func picture(_ key: String, _ table: SettingsTable) -> Picture? {
        guard let path = table.string(key) else { return nil }
        let ending = path.split(separator: ".").last?.lowercased() ?? ""
        guard endings.contains(ending) else {
            table.report("'\(key)' is '\(path)'; it must be a picture such as 'logo.svg'", at: key)
            return nil
        }
        return Picture(path: path, location: table.location(of: key), key: key)
    }
}
