import Diagnostics
import Releases
import Rules
import Site

extension BuildOutcome {
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
        // With '*', files whose names begin with a dot stay closed.
        let remedy =
            "as root, run 'chgrp -R www-data \(output)', 'chmod g+xs \(output)', "
            + "'chmod -R g+rX \(output)/*' and 'chmod g+s \(output)/releases', with nginx's group "
            + "in place of www-data"
        let message =
            "only this account can read the release, so nginx and siteauth cannot; \(remedy)"
        let warning = Diagnostic(.unreadableRelease, message, at: nil)
        diagnostics += folders.configuration.checks.applied(to: warning).map { [$0] } ?? []
    }
}
