import Diagnostics
import SourceFolder
import Synchronization

/// Finds the file that the author of a dead link may have meant.
final class FileSuggestions: Sendable {
    /// The files of a site by their names, made for the first dead link: most sites have none.
    private struct Names {
        /// The pages' files, by folder.
        let pages: [Substring: [SourceTree.File]]
        /// All files, by their paths in lower case.
        let spellings: [String: SourceTree.File]
        /// The paths of ignored pages and files, by their names in lower case.
        let ignored: [String: String]

        init(_ site: Site, _ ignored: [String: PathFilter.Reason]) {
            self.ignored = Dictionary(
                ignored.keys.sorted().map { (FileSuggestions.name(of: $0), $0) },
                uniquingKeysWith: { first, _ in first }
            )
            let files = site.pages.map(\.file)
            pages = Dictionary(grouping: files) { FileSuggestions.folder(of: $0.path) }
            spellings = Dictionary(
                (files + site.assets.map(\.file)).map { ($0.path.lowercased(), $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }

    private let site: Site
    private let ignored: [String: PathFilter.Reason]
    private let names = Mutex<Names?>(nil)

    init(_ site: Site, ignored: [String: PathFilter.Reason]) {
        self.site = site
        self.ignored = ignored
    }

    /// - Parameters:
    ///   - path: the link's path in the source folder, where no file is.
    ///   - isName: whether the link may be the name of a file in another folder.
    ///   - budget: how many more names may be compared for this page. Thousands of dead links in a
    ///     folder of thousands of pages would otherwise take minutes.
    func note(for path: String, isName: Bool, _ budget: inout Int) -> Diagnostic.Note? {
        for ending in [""] + SitePathName.pageEndings {
            if let note = ignored.note(on: path + ending) { return note }
        }
        let (pages, spellings, ignored) = names.withLock { names in
            let made = names ?? Names(site, self.ignored)
            names = made
            return (made.pages, made.spellings, made.ignored)
        }
        if isName, let path = ignored[Self.name(of: path)] { return self.ignored.note(on: path) }
        if let file = spellings[path.lowercased()] ?? spellings[path.lowercased() + ".md"] {
            let isCase = !file.path.hasPrefix(path)
            return Diagnostic.Note(
                "there is '\(file.path)'" + (isCase ? ", which differs only in case" : ""),
                at: SourceLocation(file.displayPath)
            )
        }
        let folder = Self.folder(of: path)
        let siblings = pages[folder] ?? []
        guard siblings.count <= min(1000, budget) else { return nil }
        budget -= siblings.count
        let start = folder.isEmpty ? 0 : folder.count + 1
        let names = siblings.map { String($0.path.dropFirst(start)) }
        guard let near = NearestName.of(String(path.dropFirst(start)), in: names),
            let index = names.firstIndex(of: near)
        else { return nil }
        let location = SourceLocation(siblings[index].displayPath)
        return Diagnostic.Note("there is '\(near)' in that folder", at: location)
    }

    /// The name of a file in lower case, of a page without its ending.
    private static func name(of path: String) -> String {
        let name = (path.split(separator: "/").last ?? "").lowercased()
        let ending = SitePathName.pageEndings.first { name.hasSuffix($0) }
        return String(name.dropLast(ending?.count ?? 0))
    }

    private static func folder(of path: String) -> Substring {
        path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    }
}
