import Diagnostics

/// A link to another site, as its author wrote it.
struct ExternalLink: Sendable {
    let url: String
    let location: SourceLocation
}
