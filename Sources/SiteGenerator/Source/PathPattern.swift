import POSIX

/// A pattern for files below the source folder, in the manner of `.gitignore`.
///
/// Without a slash in it, a pattern is for a name, wherever it stands; with one it is for a path
/// from the source folder on. A slash at its end means folders alone, and `**` any folders.
struct PathPattern: Sendable {
    let text: String
    private let segments: [String]
    private let isForFolders: Bool
    private let isForNames: Bool

    /// Whether `*` and `**` stand for names that begin with a dot, too.
    private let showsHidden: Bool

    init(_ text: String, showsHidden: Bool = true) {
        self.text = text
        self.showsHidden = showsHidden
        isForFolders = text.hasSuffix("/")
        segments = text.split(separator: "/").map(String.init)
        isForNames = segments.count == 1 && !text.hasPrefix("/")
    }

    /// Why a text is no pattern, or `nil` if it is one.
    static func mistake(_ text: String) -> String? {
        let segments = text.split(separator: "/")
        if segments.isEmpty || segments.contains("..") || segments.contains(".") {
            return "it must be a name, or a path below the source folder"
        }
        let stars = segments.count { $0 == "**" }
        // Each more multiplies the ways to match.
        if stars > 3 || text.utf8.count > 255 {
            return "it must have at most 255 bytes and three '**'"
        }
        return nil
    }

    /// - Parameter path: below the source folder.
    func matches(_ path: [Substring], isFolder: Bool) -> Bool {
        if isForFolders, !isFolder { return false }
        if isForNames, segments != ["**"] {
            // A name alone opens nothing below a folder that is hidden.
            if !showsHidden, path.dropLast().contains(where: { $0.hasPrefix(".") }) { return false }
            return path.last.map {
                FileName.matches(String($0), segments[0], showsHidden: showsHidden)
            } ?? false
        }
        return matches(path, segments[...])
    }

    /// Whether something below a folder may match.
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
