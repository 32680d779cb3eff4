import Access
import Diagnostics
import Rules
import SourceFolder

/// Finds pages that look like the page of their folder, but whose `access` applies to themselves
/// only.
///
/// In other tools `hr/hr.md`, `hr/overview.md` or `hr/home.md` is the page of the folder `hr`. Here
/// each is one page in the folder, and its neighbours stay open.
enum FolderPages {
    private static let names: Set<String> = [
        "00-index", "0-index", "_category_", "_default", "_home", "_overview", "_readme",
        "_section",
        "_toc", "about", "contents", "default", "folder", "home", "indx", "intro", "introduction",
        "main", "overview", "readmefirst", "readme-first", "root", "section", "start", "toc",
        "welcome",
    ]

    static func diagnostics(in site: Site, _ access: PageAccess) -> [Diagnostic] {
        let restricted = site.pagesAndDrafts.filter { page in
            page.frontMatter.access != nil && looksLikeFolderPage(page)
        }
        if restricted.isEmpty { return [] }
        let folders = Dictionary(grouping: site.pages) { folder(of: $0.file.path) }
        return restricted.compactMap { page in
            guard let audience = page.frontMatter.access else { return nil }
            let neighbours = (folders[folder(of: page.file.path)] ?? []).filter { other in
                !access.audience(of: other.url).isSubset(of: audience)
            }
            guard !neighbours.isEmpty else { return nil }
            return diagnostic(page, audience.description, neighbours.map(\.file.path))
        }
    }

    private static func diagnostic(
        _ page: Page,
        _ audience: String,
        _ neighbours: [String]
    ) -> Diagnostic {
        let shown = neighbours.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        let rest = neighbours.count > 3 ? " and \(neighbours.count - 3) more" : ""
        let message =
            "'access: \(audience)' applies to this page only; other readers can open \(shown)\(rest)"
        let note = Diagnostic.Note(
            "to protect the folder, put 'access' into its 'index.md', '_index.md' or 'README.md'"
        )
        let location = page.frontMatter.accessLocation ?? SourceLocation(page.file.displayPath)
        return Diagnostic(.folderRule, message, at: location, notes: [note], subject: audience)
    }

    private static func looksLikeFolderPage(_ page: Page) -> Bool {
        let segments = page.file.path.split(separator: "/")
        guard segments.count > 1, !page.file.isIndex else { return false }
        let name = segments[segments.count - 1].prefix { $0 != "." }.lowercased()
        let folder = segments[segments.count - 2].lowercased()
        let isNear = ["index", "_index", "readme"].contains { NearestName.distance(name, $0) <= 1 }
        // `index (1).md`, `Copy of index.md`, `README-old.md`.
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let isCopy = words.contains("index") || words.contains("readme")
        return name == folder || isNear || isCopy || names.contains(name)
    }

    private static func folder(of path: String) -> Substring {
        path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    }
}
