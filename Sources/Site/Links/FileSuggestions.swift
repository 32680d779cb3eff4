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

        init(_ site: Site) {
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
    ///   - budget: how many more names may be compared for this page. Thousands of dead links in a
    ///     folder of thousands of pages would otherwise take minutes.
    func note(for path: String, _ budget: inout Int) -> Diagnostic.Note? {
        if let note = ignoredNote(path) { return note }
        let (pages, spellings) = names.withLock { names in
            let made = names ?? Names(site)
            names = made
            return (made.pages, made.spellings)
        }
        if let file = spellings[path.lowercased()] ?? spellings[path.lowercased() + ".md"] {
            return Diagnostic.Note(
                "there is '\(file.path)', which differs only in case",
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

    private func ignoredNote(_ path: String) -> Diagnostic.Note? {
        if ignored.isEmpty { return nil }
        var name = path[...]
        while !name.isEmpty {
            if let reason = ignored[String(name)] {
                let what = "'\(name)' exists but is ignored"
                return Diagnostic.Note("\(what): \(reason.words(for: String(name)))")
            }
            name = Self.folder(of: String(name))
        }
        return nil
    }

    private static func folder(of path: String) -> Substring {
        path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    }
}

extension PathFilter.Reason {
    fileprivate func words(for path: String) -> String {
        let remedy = "'include = [\"/\(path)\"]' in sitegen.toml publishes it"
        return switch self {
        case .excluded(let words): words
        case .usual(let pattern): "names like '\(pattern)' belong to other tools; \(remedy)"
        case .hidden: "its name begins with a dot; \(remedy)"
        case .underscore: "its name or its folder's name begins with '_'; \(remedy)"
        case .link: "it is a symbolic link, and these are not followed"
        case .own: "files with this name are never published"
        }
    }
}
