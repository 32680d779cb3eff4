import Diagnostics

/// Finds the file that the author of a dead link may have meant.
struct FileSuggestions: Sendable {
    /// The pages' files, by folder.
    private let pages: [Substring: [SourceTree.File]]
    /// All files, by their paths in lower case.
    private let spellings: [String: SourceTree.File]
    private let ignored: [String: PathFilter.Reason]

    init(_ site: Site, ignored: [String: PathFilter.Reason]) {
        pages = Dictionary(grouping: site.pages.map(\.file)) { Self.folder(of: $0.path) }
        let files = site.pages.map(\.file) + site.assets.map(\.file)
        spellings = Dictionary(
            files.map { ($0.path.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.ignored = ignored
    }

    /// - Parameters:
    ///   - path: the link's path in the source folder, where no file is.
    ///   - budget: how many more names may be compared for this page. Thousands of dead links in a
    ///     folder of thousands of pages would otherwise take minutes.
    func note(for path: String, _ budget: inout Int) -> Diagnostic.Note? {
        if let note = ignoredNote(path) { return note }
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
        case .excluded(let pattern): "'exclude' in sitegen.toml contains '\(pattern)'"
        case .usual(let pattern): "names like '\(pattern)' belong to other tools; \(remedy)"
        case .hidden: "its name begins with a dot; \(remedy)"
        case .underscore: "its name or its folder's name begins with '_'; \(remedy)"
        case .own: "files with this name are never published"
        }
    }
}
