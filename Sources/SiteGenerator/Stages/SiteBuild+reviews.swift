import Diagnostics
import Site

extension SiteBuild {
    /// Reads a site and lists which pages have to be reviewed, by whom and when; publishes nothing.
    ///
    /// - Parameter owner: whose pages; `nil` for everybody's.
    /// - Returns: without a list, the errors.
    public static func reviews(
        configurationPath: String?,
        owner: String?,
        _ options: BuildOptions
    ) async -> (list: String?, outcome: BuildOutcome) {
        var options = options
        options.asksGit = false
        let (folders, diagnostics) = SiteFolders.find(configurationPath, options)
        guard let folders else { return (nil, BuildOutcome(diagnostics: diagnostics)) }
        let outlines = await PageOutlines(SiteSources(folders), options)
        return (Reviews.list(outlines.pages, owner: owner), BuildOutcome(diagnostics: []))
    }
}
