import POSIX
import Site

/// The folders and files on which a site depends.
struct WatchedPaths: Sendable, Equatable {
    /// Folders that are watched with everything below them.
    let trees: [String]
    /// Single files to watch.
    let files: [String]
    /// Folders inside ``trees`` that are not part of the site, without symbolic links.
    let excluded: Set<String>

    init(trees: [String], files: [String], excluded: Set<String> = []) {
        self.trees = trees
        self.files = files
        self.excluded = excluded
    }

    /// If `sitegen.toml` cannot be read, the usual folders are watched.
    init(configurationPath: String?, _ options: BuildOptions) {
        let file = configurationPath ?? SiteFolders.usualFile
        let base = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        if let folders = SiteFolders.find(configurationPath, options).folders {
            self.init(
                trees: [folders.source, folders.templatesName],
                files: [file] + folders.tool.files,
                excluded: Set([folders.output, folders.usualOutput].compactMap(Host.realPath))
            )
        } else {
            let sources = options.source.map { [$0] } ?? SiteFolders.usualSources.map { base + $0 }
            self.init(trees: sources + [base + "templates"], files: [file])
        }
    }

    /// The folders to watch, each with the relevant names in it; `nil` for all names.
    ///
    /// The parent folder of each path is watched, too: an editor that replaces a file by renaming
    /// changes only the parent folder, and a deleted folder may come back.
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

    /// Lists folders as ``SourceTree`` does: without names that begin with `.`, and without links.
    private func list(_ folder: String, into folders: inout [(path: String, names: Set<String>?)]) {
        if let real = Host.realPath(folder), excluded.contains(real) { return }
        guard let entries = Self.entries(of: folder) else { return }
        folders.append((folder, nil))
        for entry in entries where entry.kind == .folder && !entry.name.hasPrefix(".") {
            list("\(folder)/\(entry.name)", into: &folders)
        }
    }

    /// What is in a folder; `nil` if it was just deleted, because then its parent folder reports the
    /// change.
    ///
    /// Tried again after any other error, such as an interrupted call: a folder that is not watched
    /// would show no change any more.
    private static func entries(of folder: String) -> [Folder.Entry]? {
        for _ in 0..<3 {
            do { return try Folder.entries(of: folder) } catch {
                if error.isMissingFile { return nil }
            }
        }
        return []
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }
}
