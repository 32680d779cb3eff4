import Diagnostics
import Settings

/// What `[theme]` in `sitegen.toml` says: a company's colours and signs.
public struct ThemeSettings: Sendable {
    /// A picture that everybody may see, before they sign in.
    struct Picture: Sendable {
        /// Below the theme, or below the folder of the pages.
        let path: String
        let location: SourceLocation
        let key: String
    }

    var accent: Colour?
    /// The same for the dark scheme, where it is another one.
    var accentDark: Colour?
    var logo: Picture?
    var favicon: Picture?

    /// A picture alone, for nobody shall publish a page by a slip of the pen.
    private static let endings = ["svg", "png", "webp", "avif", "jpg", "jpeg", "gif", "ico"]

    init() {}

    mutating func read(_ table: SettingsTable) {
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
