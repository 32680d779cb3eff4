/// What a path of a preview means, beside the pages.
enum PreviewRoute {
    /// Below it lies what only a preview has.
    static let prefix = "/_preview/"
    static let script = "\(prefix)preview.js"
    static let styleSheet = "\(prefix)preview.css"
    static let events = "\(prefix)events"

    /// Who the reader is, as siteauth tells the theme's script.
    static let me = "/auth/me"
}
