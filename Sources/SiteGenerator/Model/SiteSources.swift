import Diagnostics
import POSIX

/// The first stage: the files of a site, listed but not read.
struct SiteSources: Sendable {
    let folders: SiteFolders
    /// When the listing began, in nanoseconds since 1970.
    let listed: Int
    let tree: SourceTree
    let summary: Summary?
    let pages: [SourceTree.File]
    let assets: [SourceTree.File]

    init(_ folders: SiteFolders) {
        self.folders = folders
        listed = Host.nanoseconds
        tree = folders.sourceTree
        summary = Summary(tree.files)
        let files = tree.files.filter { $0.path != Summary.path }
        pages = files.filter(\.isMarkdown)
        assets = files.filter { !$0.isMarkdown }
    }
}
