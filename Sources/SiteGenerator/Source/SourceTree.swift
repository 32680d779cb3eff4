import Diagnostics
import POSIX

/// The files of a site as they lie on disk.
///
/// This is the one place that reads them.
struct SourceTree: Sendable {
    struct File: Sendable {
        /// Below the source folder, `/` between segments.
        let path: String
        /// As it stands in diagnostics.
        let displayPath: String
        /// As it is opened.
        let diskPath: String

        var isMarkdown: Bool { path.hasSuffix(".md") || path.hasSuffix(".markdown") }

        /// Whether it looks like the source of a page and is none: copied as it is, its text would
        /// be there for readers whom its `access` leaves out.
        var isStraySource: Bool {
            let name = (path.split(separator: "/").last ?? "").lowercased()
            let isSource = [".md", ".markdown", ".mdx", ".mkd"].contains { name.contains($0) }
            let isCopy = ["~", ".bak", ".orig", ".swp", ".rej"].contains { name.hasSuffix($0) }
            return !isMarkdown && (isSource || isCopy)
        }
    }

    /// In the order of the bytes of their paths, folder by folder.
    private(set) var files: [File] = []
    private(set) var diagnostics: [Diagnostic] = []

    private let excluded: Set<String>

    /// What lies beside the pages where the folder of the whole site is the source.
    private static let neverPublished = ["sitegen.toml", "secrets.toml"]

    /// Lists a folder and all below it.
    ///
    /// Names that begin with `.` are left out. Links are refused: one that points out of the
    /// folder would publish what nobody meant to publish.
    ///
    /// - Parameters:
    ///   - folder: on disk.
    ///   - displayFolder: the same as the author would write it.
    ///   - excluded: folders that are left out, such as the one for releases.
    init(listing folder: String, displayFolder: String, excluding excluded: [String] = []) {
        self.excluded = Set(excluded.compactMap(Host.realPath))
        list(folder, displayFolder, below: "")
    }

    private mutating func list(_ folder: String, _ displayFolder: String, below prefix: String) {
        let entries: [Folder.Entry]
        do {
            entries = try Folder.entries(of: folder)
        } catch {
            let message =
                error.number == 84
                ? "a file name in this folder is not UTF-8 and has no URL" : error.reason
            diagnostics.append(Diagnostic(.error, message, at: Place(displayFolder)))
            return
        }
        for entry in entries where !entry.name.hasPrefix(".") {
            let display = "\(displayFolder)/\(entry.name)"
            switch entry.kind {
            case .file where Self.neverPublished.contains(entry.name): continue
            case .folder:
                if !excluded.isEmpty,
                    Host.realPath("\(folder)/\(entry.name)").map(excluded.contains) == true
                {
                    continue
                }
                list("\(folder)/\(entry.name)", display, below: "\(prefix)\(entry.name)/")
            case .file:
                let file = File(
                    path: prefix + entry.name,
                    displayPath: display,
                    diskPath: "\(folder)/\(entry.name)"
                )
                if file.isStraySource {
                    let message = "looks like the source of a page; pages end with '.md'"
                    let note = Diagnostic.Note("a name that begins with '.' is left out")
                    diagnostics.append(
                        Diagnostic(.error, message, at: Place(display), notes: [note])
                    )
                } else {
                    files.append(file)
                }
            case .symbolicLink:
                diagnostics.append(
                    Diagnostic(
                        .error,
                        "is a symbolic link; links are not followed",
                        at: Place(display)
                    )
                )
            case .other:
                diagnostics.append(Diagnostic(.error, "is not a regular file", at: Place(display)))
            }
        }
    }
}
