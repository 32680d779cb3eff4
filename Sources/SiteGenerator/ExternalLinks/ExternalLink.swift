import Diagnostics

/// A link that leads away from the site, as its author wrote it.
struct ExternalLink: Sendable {
    let url: String
    let location: SourceLocation
}
