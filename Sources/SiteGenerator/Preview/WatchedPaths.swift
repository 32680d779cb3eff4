import POSIX

/// What a site is made of, as places on disk that a change may happen in.
struct WatchedPaths: Sendable, Equatable {
    /// Folders that are watched with all below them.
    let trees: [String]
    /// Files of which only they themselves matter.
    let files: [String]
    /// Folders inside ``trees`` that are none of the site's, links followed.
    let excluded: Set<String>

    init(trees: [String], files: [String], excluded: Set<String> = []) {
        self.trees = trees
        self.files = files
        self.excluded = excluded
    }

    /// Those of a site whose `sitegen.toml` cannot be read are the usual ones.
    init(configurationPath: String?, _ options: BuildOptions) {
        let file = configurationPath ?? SiteFolders.usualFile
        let base = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        if let folders = SiteFolders.find(configurationPath, options).folders {
            self.init(
                trees: [folders.source, folders.templatesName],
                files: [file],
                excluded: Set([folders.output, folders.usualOutput].compactMap(Host.realPath))
            )
        } else {
            let sources = options.source.map { [$0] } ?? SiteFolders.usualSources.map { base + $0 }
            self.init(trees: sources + [base + "templates"], files: [file])
        }
    }

    /// The folders to watch, each with the names in it that matter; `nil` where all do.
    ///
    /// The folder around each place is one of them: an editor that writes a new file and gives it
    /// the old one's name changes nothing but that folder, and what is deleted may come back.
    func folders() -> [(path: String, names: Set<String>?)] {
        var wanted: [String: Set<String>] = [:]
        for location in trees + files {
            let (folder, name) = Self.split(location)
            wanted[folder, default: []].insert(name)
        }
        var folders = wanted.map { (path: $0, names: Optional($1)) }
        for tree in trees { list(tree, into: &folders) }
        return folders
    }

    /// As ``SourceTree`` reads them: no names that begin with `.`, no links.
    private func list(_ folder: String, into folders: inout [(path: String, names: Set<String>?)]) {
        if let real = Host.realPath(folder), excluded.contains(real) { return }
        // One that went away since it was seen is told of by the folder around it.
        guard let entries = try? Folder.entries(of: folder) else { return }
        folders.append((folder, nil))
        for entry in entries where entry.kind == .folder && !entry.name.hasPrefix(".") {
            list("\(folder)/\(entry.name)", into: &folders)
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }
}
