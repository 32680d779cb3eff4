import Diagnostics

/// A link that leads away from the site, as its author wrote it.
struct OutsideLink: Sendable {
    let url: String
    let place: Place
}
