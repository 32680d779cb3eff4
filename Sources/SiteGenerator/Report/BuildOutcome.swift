import Diagnostics
import Site

/// What a build or a check found and published.
public struct BuildOutcome: Sendable {
    /// Sorted findings; nothing was published if one is an error.
    public var diagnostics: [Diagnostic]
    public var pages = 0
    /// The number of pages that are not published: drafts, future and expired pages.
    public var drafts = 0
    /// The number of unpublished pages by reason.
    public var unpublishedReasons: [UnpublishedReason: Int] = [:]
    /// The number of the new release, or of the current one if it stays.
    public var release: Int?
    /// Whether the current release stays, because the new one would have the same files.
    public var isUnchanged = false
    /// The output folder of ``release``.
    public var output = ""
    /// The number of findings that the baseline suppressed.
    public var suppressed = 0
    /// How many files are new, and how many are those of the release before; `nil` if nothing
    /// was published.
    public var files: (new: Int, linked: Int)?

    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    /// Whether an error has no location: then a file operation failed, and the site has no
    /// mistake.
    public var hasFailed: Bool {
        diagnostics.contains { $0.severity == .error && $0.location == nil }
    }
}

extension BuildOutcome {
    /// The outcome of a build that has not published anything yet.
    ///
    /// - Parameter found: all findings.
    init(
        _ sources: SiteSources,
        _ outlines: PageOutlines,
        _ model: SiteModel,
        _ found: [Diagnostic],
        _ options: BuildOptions
    ) {
        let folders = sources.folders
        var checks = options.checks
        checks.baseline =
            checks.baseline ?? folders.configuration.baseline.map { folders.base + $0 }
        let filter = DiagnosticFilter(
            settings: folders.configuration.checks,
            options: checks,
            folder: folders.base
        )
        (diagnostics, suppressed) = filter.apply(found)
        pages = model.site.pages.count
        drafts = outlines.pages.count - pages
        for case let reason? in outlines.pages.map(\.unpublishedReason) {
            unpublishedReasons[reason, default: 0] += 1
        }
    }

    /// The outcome of a build that could not begin.
    static func failed(_ message: String) -> Self {
        Self(diagnostics: [Diagnostic(.error, message, at: nil)])
    }
}
