import POSIX

/// A pattern for files of the source folder, similar to those of `.gitignore`.
///
/// Without a slash, a pattern matches a name in any folder; with a slash, it matches a path from
/// the source folder. A slash at the end restricts it to folders, and `**` stands for any number of
/// folders.
package struct PathPattern: Sendable {
    let text: String
    private let segments: [String]
    private let isForFolders: Bool
    private let isForNames: Bool

    /// Whether `*` and `**` also match names that begin with a dot.
    private let showsHidden: Bool

    init(_ text: String, showsHidden: Bool = true) {
        self.text = text
        self.showsHidden = showsHidden
        isForFolders = text.hasSuffix("/")
        segments = text.split(separator: "/").map(String.init)
        isForNames = segments.count == 1 && !text.hasPrefix("/")
    }

    /// Why a text is not a pattern, or `nil` if it is one.
    package static func mistake(_ text: String) -> String? {
        let segments = text.split(separator: "/")
        if segments.isEmpty || segments.contains("..") || segments.contains(".") {
            return "it must be a name, or a path below the source folder"
        }
        let stars = segments.count { $0 == "**" }
        // Each `**` multiplies the number of ways to match.
        if stars > 3 || text.utf8.count > 255 {
            return "it must have at most 255 bytes and three '**'"
        }
        return nil
    }

    /// - Parameter path: relative to the source folder.
    func matches(_ path: [Substring], isFolder: Bool) -> Bool {
        if isForFolders, !isFolder { return false }
        if isForNames, segments != ["**"] {
            // A mere name matches nothing in hidden folders.
            if !showsHidden, path.dropLast().contains(where: { $0.hasPrefix(".") }) { return false }
            return path.last.map {
                FileName.matches(String($0), segments[0], showsHidden: showsHidden)
            } ?? false
        }
        return matches(path, segments[...])
    }

    /// Whether the pattern may match something below a folder.
    func mayMatch(below folder: [Substring]) -> Bool {
        if isForNames { return true }
        for (segment, name) in zip(segments, folder) {
            if segment == "**" { return true }
            if !FileName.matches(String(name), segment, showsHidden: showsHidden) { return false }
        }
        return segments.count > folder.count
    }

    private func matches(_ path: [Substring], _ pattern: ArraySlice<String>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        let rest = pattern.dropFirst()
        if first == "**" {
            let hidden = showsHidden ? nil : path.firstIndex { $0.hasPrefix(".") }
            if rest.isEmpty { return !path.isEmpty && hidden == nil }
            return path.indices.prefix((hidden ?? path.count) + 1).contains {
                matches(Array(path[$0...]), rest)
            }
        }
        guard let name = path.first, FileName.matches(String(name), first, showsHidden: showsHidden)
        else { return false }
        return matches(Array(path.dropFirst()), rest)
    }
}
