/// Paths of a preview that are not pages.
enum PreviewRoute {
    /// The prefix of the preview's own files.
    static let prefix = "/_preview/"
    static let script = "\(prefix)preview.js"
    static let styleSheet = "\(prefix)preview.css"
    static let events = "\(prefix)events"
    /// The menu of readers, as JSON.
    static let readers = "\(prefix)readers"

    /// The path at which siteauth tells the theme's script who is signed in.
    static let me = "/auth/me"
}
