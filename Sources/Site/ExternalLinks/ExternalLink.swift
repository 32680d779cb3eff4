import Diagnostics

/// A link to another site, as its author wrote it.
package struct ExternalLink: Sendable {
    let url: String
    let location: SourceLocation
}
