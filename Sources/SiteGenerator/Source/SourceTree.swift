import Diagnostics
import POSIX

/// The files of a site, listed as they lie on disk.
///
/// The folder is opened once. Its files are listed and read through it, so that a file that was
/// exchanged for a symbolic link after the listing is an error, and not a way out of the folder.
struct SourceTree: Sendable {
    struct File: Sendable {
        /// Below the source folder, `/` between segments.
        let path: String
        /// As it stands in diagnostics.
        let displayPath: String
        /// The folder of the tree, as it was when it was listed.
        let root: OpenFolder

        func read() throws(SystemError) -> [UInt8] { try root.read(path) }

        var isMarkdown: Bool { path.hasSuffix(".md") || path.hasSuffix(".markdown") }

        /// Whether it looks like the source of a page and is none: copied as it is, its text would
        /// be there for readers whom its `access` leaves out.
        var isStraySource: Bool {
            let name = (path.split(separator: "/").last ?? "").lowercased()
            let endings = [".md", ".markdown", ".mdx", ".mkd", ".mdown", ".mdwn", ".qmd", ".rmd"]
            let copies = [
                "", "~", ".bak", ".old", ".orig", ".rej", ".save", ".swo", ".swp", ".tmp",
            ]
            return !isMarkdown
                && endings.contains { ending in
                    copies.contains { name.hasSuffix(ending + $0) } || name.contains(ending + "_")
                        || name.contains(ending + ".sync-conflict")
                }
        }
    }

    /// In the order of the bytes of their paths, folder by folder.
    private(set) var files: [File] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// What is there and is no part of the site, by path.
    private(set) var leftOut: [String: PathFilter.Reason] = [:]

    private let excluded: Set<String>
    private let filter: PathFilter

    /// Lists a folder and all below it.
    ///
    /// Links are refused: one that points out of the folder would publish what nobody meant to
    /// publish.
    ///
    /// - Parameters:
    ///   - folder: on disk.
    ///   - displayFolder: the same as the author would write it.
    ///   - excluded: folders that are left out, such as the one for releases.
    init(
        listing folder: String,
        displayFolder: String,
        excluding excluded: [String] = [],
        _ filter: PathFilter = PathFilter()
    ) {
        self.excluded = Set(excluded.compactMap(Host.realPath))
        self.filter = filter
        do {
            let root = try OpenFolder(folder)
            list(folder, displayFolder, below: "", in: root, isInside: false, isPartly: false)
        } catch {
            diagnostics.append(Diagnostic(.error, error.reason, at: Place(displayFolder)))
        }
    }

    private mutating func list(
        _ folder: String,
        _ displayFolder: String,
        below prefix: String,
        in root: OpenFolder,
        isInside: Bool,
        isPartly: Bool
    ) {
        let entries: [Folder.Entry]
        do {
            entries = try root.entries(of: String(prefix.dropLast()))
        } catch {
            let message =
                error.number == 84
                ? "a file name in this folder is not UTF-8 and has no URL" : error.reason
            report(message, displayFolder)
            return
        }
        for entry in entries {
            let path = prefix + entry.name
            let display = displayFolder == "." ? entry.name : "\(displayFolder)/\(entry.name)"
            let disk = "\(folder)/\(entry.name)"
            let isFolder = entry.kind == .folder
            let (verdict, isIncluded) = filter.verdict(
                path,
                isFolder: isFolder,
                isInside: isInside,
                isPartly: isPartly
            )
            if case .leftOut(let reason) = verdict {
                leftOut[path] = reason
                continue
            }
            switch entry.kind {
            case .folder:
                if !excluded.isEmpty, Host.realPath(disk).map(excluded.contains) == true {
                    continue
                }
                list(
                    disk,
                    display,
                    below: "\(path)/",
                    in: root,
                    isInside: isInside || isIncluded,
                    isPartly: verdict == .partly || (isPartly && !isIncluded)
                )
            case .file: add(File(path: path, displayPath: display, root: root))
            case .symbolicLink: report("is a symbolic link; links are not followed", display)
            case .other: report("is not a regular file", display)
            }
        }
    }

    private mutating func add(_ file: File) {
        guard file.isStraySource else {
            files.append(file)
            return
        }
        let notes = ["pages end with '.md'", "'exclude' in sitegen.toml leaves files out"]
        diagnostics.append(
            Diagnostic(
                .sourceFile,
                "looks like the source of a page, and would be copied as it is",
                at: Place(file.displayPath),
                notes: notes.map { Diagnostic.Note($0) }
            )
        )
    }

    private mutating func report(_ message: String, _ display: String) {
        diagnostics.append(Diagnostic(.sourceFile, message, at: Place(display)))
    }
}
