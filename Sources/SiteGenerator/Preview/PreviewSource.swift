import Diagnostics
import Site
import SourceFolder

/// Checks that a preview has something to show before it starts.
public enum PreviewSource {
    /// Why there is nothing to preview: no configuration file, no source folder or no page.
    ///
    /// A configuration file with mistakes is no reason to stop: its author corrects it while the
    /// preview runs.
    ///
    /// - Returns: `nil` if there is a page.
    public static func problem(
        configurationPath: String?,
        _ options: BuildOptions
    ) -> CommandError? {
        let advice = "'sitegen init FOLDER' creates a site"
        let (folders, diagnostics) = SiteFolders.find(configurationPath, options)
        if let folders {
            let hasPage = folders.sourceTree.files.contains(where: \.isMarkdown)
            if hasPage || options.allowsEmpty { return nil }
            return CommandError("'\(folders.source)' contains no page; \(advice)")
        }
        guard let missing = diagnostics.first, missing.location?.hasLines == false else {
            return nil
        }
        let path = configurationPath.map { "'\($0)': " } ?? ""
        return CommandError("\(path)\(missing.message); \(advice)")
    }
}
