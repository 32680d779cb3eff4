import Diagnostics
import POSIX

/// The first stage: the files of a site, listed; of them only `SUMMARY.md` is read.
package struct SiteSources: Sendable {
    package let folders: SiteFolders
    /// When the listing began, in nanoseconds since 1970.
    package let listed: Int
    package let tree: SourceTree
    package let summary: Summary?
    package let pages: [SourceTree.File]
    package let assets: [SourceTree.File]

    package init(_ folders: SiteFolders) {
        self.folders = folders
        listed = Host.nanoseconds
        tree = folders.sourceTree
        summary = Summary(tree.files)
        let files = tree.files.filter { $0.path != Summary.path }
        pages = files.filter(\.isMarkdown)
        assets = files.filter { !$0.isMarkdown }
    }
}
