import Diagnostics
import POSIX
import Rules

/// Refuses an output folder that overlaps the source folder.
///
/// A release inside the source folder would be published by the next build, and removing old
/// releases could delete pages.
package enum OverlappingFolders {
    /// - Parameters:
    ///   - base: the folder of `sitegen.toml`. If it is inside the source folder, the output folder
    ///     may be, too: releases are then not part of the source.
    /// - Returns: the error; empty if the folders do not overlap.
    package static func diagnostics(source: String, output: String, base: String) -> [Diagnostic] {
        let from = realPath(source)
        let to = realPath(output)
        let message: String
        if from == to {
            message = "'\(output)' is the source folder; the output folder must be another one"
        } else if isBelow(from, to) {
            message = "the source folder '\(source)' is inside the output folder '\(output)'"
        } else if isBelow(to, from), !isBelow(realPath(base), from), realPath(base) != from {
            message = "the output folder '\(output)' is inside the source folder '\(source)'"
        } else {
            return []
        }
        let note = Diagnostic.Note("set another folder with 'output' in sitegen.toml or '--output'")
        return [Diagnostic(.configuration, message, at: .init(withoutLines: source), notes: [note])]
    }

    private static func isBelow(_ path: String, _ folder: String) -> Bool {
        path != folder && path.hasPrefix(folder == "/" ? "/" : "\(folder)/")
    }

    /// The absolute path without symbolic links, also of a folder that does not exist yet.
    private static func realPath(_ path: String) -> String {
        var known = path.isEmpty ? "." : path
        var missing: [Substring] = []
        while true {
            if let real = Host.realPath(known) {
                // A missing folder is not a link, so '..' removes the name before it.
                var segments = real.split(separator: "/")
                for segment in missing.reversed() where segment != "." {
                    if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
                }
                return "/" + segments.joined(separator: "/")
            }
            while known.count > 1, known.hasSuffix("/") { known.removeLast() }
            guard let slash = known.lastIndex(of: "/") else {
                missing.append(known[...])
                known = "."
                continue
            }
            missing.append(known[known.index(after: slash)...])
            known = slash == known.startIndex ? "/" : String(known[..<slash])
        }
    }
}
