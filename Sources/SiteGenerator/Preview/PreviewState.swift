import Jansson

/// The state of a preview: the newest site that may be shown, and the errors of the newest one.
public struct PreviewState: Sendable {
    private(set) var site: PreviewSite?
    /// Identifies what open pages show; they reload when it changes.
    ///
    /// It changes with each site that is shown, and with each reading while there is none. It differs
    /// in each run of the program.
    private(set) var generation: String
    /// The findings of the newest site as text, if it has errors; otherwise empty.
    private(set) var errors = ""
    /// Whether ``site`` is older than the errors.
    private var isOutdated = false
    private let run: UInt64
    private var count = 0

    /// - Parameter run: a number that distinguishes this run of the program from earlier ones.
    init(run: UInt64) {
        self.run = run
        generation = "\(run)-0"
    }

    /// Shows another site.
    mutating func show(_ site: PreviewSite) {
        self.site = site
        isOutdated = false
        next()
    }

    /// Tells the errors of the newest site; empty if it has none.
    ///
    /// - Parameter isShown: whether it is the site that is shown.
    mutating func tell(_ errors: String, isShown: Bool) {
        self.errors = errors
        isOutdated = !isShown
        if site == nil { next() }
    }

    private mutating func next() {
        count += 1
        generation = "\(run)-\(count)"
    }

    /// The state as a server-sent event.
    var event: [UInt8] {
        let state: JSON = [
            "generation": .string(generation),
            // Without a site the page itself shows the errors.
            "errors": .string(site == nil ? "" : errors),
            "title": .string(
                isOutdated
                    ? "Not shown: this is the site before the last change"
                    : "With these errors nothing is published"
            ),
        ]
        return Array("data: \(state.text)\n\n".utf8)
    }
}
