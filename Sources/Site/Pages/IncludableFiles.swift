import Diagnostics
import SourceFolder
import Synchronization

/// The files whose text pages may include: those that are published without a link to them, and
/// those that are parts of pages.
///
/// Lists of pages are not among them: they have titles that not every reader may see.
///
/// A path leads to what is listed and to nothing else: not out of the folder, not through a link, and
/// not to an ignored file.
package final class IncludableFiles: Sendable {
    let tree: SourceTree
    /// The source folder relative to that of `sitegen.toml`.
    let folder: String
    private let isPublished: @Sendable (SourceTree.File) -> Bool
    /// Made for the first form: most sites have none.
    private let names = Mutex<Names?>(nil)

    /// What pages have included, by path.
    private let parts = Mutex<(known: [String: IncludedFile], bytes: Int)>(([:], 0))

    /// The greatest number of bytes that are kept: a site may include parts of very many files.
    private static let maximumBytes = 64 << 20

    private struct Names {
        let files: [String: SourceTree.File]
        /// The paths of pages, by the last part of their names in lower case.
        let notes: [String: [String]]
    }

    /// - Parameter isPublished: whether a file is published for itself, and is no list of pages.
    package init(
        _ tree: SourceTree,
        folder: String,
        isPublished: @escaping @Sendable (SourceTree.File) -> Bool
    ) {
        self.tree = tree
        self.folder = folder
        self.isPublished = isPublished
    }

    private var known: Names {
        names.withLock { names in
            if let names { return names }
            let files = tree.files.filter(isPublished) + tree.parts
            let made = Names(
                files: Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { one, _ in one }),
                notes: Dictionary(grouping: files.filter(\.isMarkdown).map(\.path)) {
                    Self.segments($0).last ?? ""
                }
            )
            names = made
            return made
        }
    }

    package func file(_ path: String) -> SourceTree.File? { known.files[path] }

    /// What a file says to the pages that include it.
    ///
    /// - Parameter make: reads it, if no page has done so.
    func read(_ path: String, _ make: () -> IncludedFile) -> IncludedFile {
        if let known = parts.withLock({ $0.known[path] }) { return known }
        let made = make()
        let count = (try? made.content.get())?.text.text.count ?? 0
        parts.withLock { parts in
            guard parts.bytes + count <= Self.maximumBytes else { return }
            parts.known[path] = made
            parts.bytes += count
        }
        return made
    }

    func absence(of path: String) -> String {
        if tree.files.contains(where: { $0.path == path }) {
            return "'\(path)' may not be included; 'parts' in sitegen.toml names files for that"
        }
        let message = "there is no file '\(path)' in the source folder"
        return tree.ignored.note(on: path)?.message ?? message
    }

    /// The paths of pages with a name, or with the end of a path, the nearest first.
    func paths(ofNote name: String, from page: String) -> [String] {
        let isFixed = name.hasPrefix("./") || name.hasPrefix("../") || name.hasPrefix("/")
        guard let path = isFixed ? SitePathName.join(name, to: page) : name else { return [] }
        let wanted = Self.segments(path)
        let found = (known.notes[wanted.last ?? ""] ?? []).filter { path in
            let segments = Self.segments(path)
            return segments.suffix(wanted.count) == wanted[...]
                && (!isFixed || segments.count == wanted.count)
        }
        // A path from the top, as Obsidian writes it where a name is not unique.
        if let exact = found.first(where: { Self.segments($0) == wanted }) { return [exact] }
        let own = Self.segments(page).dropLast()
        func distance(_ path: String) -> (Int, Int, String) {
            let segments = Self.segments(path).dropLast()
            let shared = zip(segments, own).prefix { $0 == $1 }.count
            return (-shared, segments.count, path)
        }
        return found.sorted { distance($0) < distance($1) }
    }

    private static func segments(_ path: String) -> [String] {
        let path = path.lowercased()
        let ending = SitePathName.pageEndings.first { path.hasSuffix($0) } ?? ""
        return path.dropLast(ending.count).split(separator: "/").map(String.init)
    }
}
