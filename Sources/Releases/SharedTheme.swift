import POSIX

/// The theme files of all releases, in one folder: a browser that has just loaded a page of the
/// previous release may ask for its style sheet after the new one is current.
///
/// File names contain digests, so files of different releases do not conflict.
struct SharedTheme: Sendable {
    /// The folder of the theme in a release, and in the output folder.
    static let folder = "theme/"

    let output: String

    /// Adds the theme files of a release.
    ///
    /// - Parameter files: paths in the release, such as `theme/site.1f0c9a.css`.
    func add(_ files: [String], of release: String) throws(SystemError) {
        try Folder.create("\(output)/theme")
        for file in files {
            let path = "\(output)/\(file)"
            if let slash = path.lastIndex(of: "/") { try Folder.create(String(path[..<slash])) }
            for ending in ["", ".gz"]
            where Self.isMissing("\(path)\(ending)")
                && !Self.isMissing("\(release)/\(file)\(ending)")
            {
                try Self.link("\(release)/\(file)\(ending)", as: "\(path)\(ending)")
            }
        }
    }

    /// Removes files that no release has any more.
    func removeUnused(releases: [String]) throws(SystemError) {
        try remove(in: "theme", releases)
    }

    private func remove(in subfolder: String, _ releases: [String]) throws(SystemError) {
        for entry in try Folder.entries(of: "\(output)/\(subfolder)") {
            let path = "\(subfolder)/\(entry.name)"
            if entry.kind == .folder {
                try remove(in: path, releases)
            } else if entry.kind == .file, !entry.name.hasPrefix("."),
                releases.allSatisfy({ Self.isMissing("\($0)/\(path)") })
            {
                try File.remove("\(output)/\(path)")
            }
        }
    }

    private static func link(_ path: String, as newPath: String) throws(SystemError) {
        do { try File.link(path, as: newPath) } catch {
            // Copied if linking fails: some file systems have no hard links, and all have a limit
            // for one file. Written under another name and renamed, because an incomplete file
            // under the final name would stay for ever.
            let partial = "\(newPath).partial"
            try File.write(File.read(path), to: partial)
            try File.rename(partial, to: newPath)
        }
    }

    private static func isMissing(_ path: String) -> Bool { (try? FileStatus(of: path)) == nil }
}
