import Diagnostics
import POSIX
import SourceFolder

/// The first stage: the files of a site, listed; of them only those about the navigation are read.
package struct SiteSources: Sendable {
    package let folders: SiteFolders
    /// When the listing began, in nanoseconds since 1970.
    package let listed: Int
    package let tree: SourceTree
    package let includable: IncludableFiles
    package let outline: NavigationOutline?
    let order: FolderOrder
    package let pages: [SourceTree.File]
    package let assets: [SourceTree.File]

    package init(_ folders: SiteFolders) {
        self.folders = folders
        listed = Host.nanoseconds
        tree = folders.sourceTree
        includable = IncludableFiles(tree, folder: folders.sourceName) {
            $0.path != MarkdownOutline.path && ($0.isMarkdown || !Self.wantsLink($0, in: folders))
        }
        let origin = folders.configuration.baseURL
        let summary = tree.files.first { $0.path == MarkdownOutline.path }
        outline =
            folders.tool.navigation.map { MkDocsOutline($0, origin: origin).outline }
            ?? summary.map { MarkdownOutline($0, origin: origin).outline }
        order = FolderOrder(tree.navigationFiles)
        let files = tree.files.filter { $0.path != MarkdownOutline.path }
        pages = files.filter(\.isMarkdown)
        assets = files.filter { !$0.isMarkdown }
    }

    /// Whether a file is published only if a page links to it.
    package func wantsLink(_ file: SourceTree.File) -> Bool { Self.wantsLink(file, in: folders) }

    private static func wantsLink(_ file: SourceTree.File, in folders: SiteFolders) -> Bool {
        folders.hasOtherFiles || file.isAttachment
    }

    /// Whether a page is not published, because the outline does not name it.
    func leavesOut(_ page: Page) -> Bool {
        folders.configuration.otherPages == .unpublished && outline?.leavesOut(page) == true
    }
}
