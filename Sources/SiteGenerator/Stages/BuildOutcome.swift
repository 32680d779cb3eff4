import Diagnostics

extension SiteBuild {
    public struct Outcome: Sendable {
        /// Sorted findings; nothing was published if one is an error.
        public var diagnostics: [Diagnostic]
        public var pages = 0
        /// The number of pages that are not published: drafts, future and expired pages.
        public var drafts = 0
        /// The number of unpublished pages by reason.
        public var unpublishedReasons: [Page.UnpublishedReason: Int] = [:]
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
}

extension SiteBuild.Outcome {
    /// The outcome of a build that has not published anything yet.
    init(_ outlines: PageOutlines, _ model: SiteModel) {
        diagnostics = []
        pages = model.site.pages.count
        drafts = outlines.pages.count - pages
        for case let reason? in outlines.pages.map(\.unpublishedReason) {
            unpublishedReasons[reason, default: 0] += 1
        }
    }

    /// Adds errors of the clean-up after the release was published.
    mutating func report(_ failures: [String], _ folders: SiteFolders) {
        diagnostics += failures.compactMap { failure in
            let message = "the release is published, but cleaning up after it failed: \(failure)"
            return folders.configuration.checks.applied(to: Diagnostic(.cleanUp, message, at: nil))
        }
    }

    /// Adds a warning if nginx and siteauth cannot read the release.
    mutating func reportPermissions(_ folders: SiteFolders) {
        guard release != nil, !ReleaseFolder(output: folders.output).isForOthers else { return }
        let output = folders.output
        // With '*', the cache in the folder '.cache' stays closed.
        let remedy =
            "as root, run 'chgrp -R www-data \(output)', 'chmod g+xs \(output)', "
            + "'chmod -R g+rX \(output)/*' and 'chmod g+s \(output)/releases', with nginx's group "
            + "in place of www-data"
        let message =
            "only this account can read the release, so nginx and siteauth cannot; \(remedy)"
        let warning = Diagnostic(.unreadableRelease, message, at: nil)
        diagnostics += folders.configuration.checks.applied(to: warning).map { [$0] } ?? []
    }

    /// The outcome of a build that could not begin.
    static func failed(_ message: String) -> Self {
        Self(diagnostics: [Diagnostic(.error, message, at: nil)])
    }
}
