import Diagnostics
import Rules
import SourceFolder

/// Withholds files beside an index page that is not published.
///
/// An author regards a folder with `index.md` and a PDF as one thing: if the page is a draft, the
/// PDF is, too.
struct UnpublishedFiles {
    private(set) var taken: [SourceTree.File] = []
    private(set) var unpublishedReasons: [(path: String, unpublishedReason: UnpublishedReason)] = []
    private(set) var diagnostics: [Diagnostic] = []

    /// - Parameter files: files that are not pages.
    init(_ files: [SourceTree.File], of pages: [Page]) {
        let indexes = pages.filter {
            $0.unpublishedReason != nil && $0.file.isIndex
        }
        guard !indexes.isEmpty else {
            taken = files
            return
        }
        let absent = Dictionary(
            indexes.map { (Self.folder(of: $0.file.path), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let open = Set(
            pages.filter { $0.unpublishedReason == nil }.map { Self.folder(of: $0.file.path) }
        )
        for file in files {
            let folder = Self.folder(of: file.path)
            if !open.contains(folder), let page = Self.nearest(folder, absent, open),
                let unpublishedReason = page.unpublishedReason
            {
                unpublishedReasons.append((file.path, unpublishedReason))
                continue
            }
            taken.append(file)
            if let page = absent[folder] {
                let message =
                    "is published, but '\(page.file.path)', the page of its folder, is not"
                diagnostics.append(
                    Diagnostic(.fileOfDraft, message, at: SourceLocation(file.displayPath))
                )
            }
        }
    }

    /// The unpublished index page of the folder, or of the nearest folder above it that has pages.
    private static func nearest(
        _ folder: Substring,
        _ absent: [Substring: Page],
        _ open: Set<Substring>
    ) -> Page? {
        var folder = folder
        while true {
            if let page = absent[folder] { return open.contains(folder) ? nil : page }
            if folder.isEmpty || open.contains(folder) { return nil }
            folder = Self.folder(of: String(folder))
        }
    }

    private static func folder(of path: String) -> Substring {
        path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    }
}
