import Diagnostics
import POSIX
import Rules

/// The files of a folder, as listed on disk.
///
/// The folder is opened once, and all files are listed and read through this descriptor. A file
/// that is replaced by a symbolic link after the listing causes an error, and is not a way out of
/// the folder.
package struct SourceTree: Sendable {
    package struct File: Sendable {
        /// The path relative to the folder, with `/` between segments.
        package let path: String
        /// The path for diagnostics.
        package let displayPath: String
        /// The descriptor of the folder.
        package let root: OpenFolder
        /// As it was when the folder was listed; `nil` in tests.
        package var state: SourceState?
        /// Whether it is a `README` beside an `index.md`, which is the page of the folder.
        package internal(set) var isBesideIndex = false
        /// Whether it is published only if a page links to it.
        package internal(set) var isAttachment = false

        package init(
            path: String,
            displayPath: String,
            root: OpenFolder,
            state: SourceState? = nil
        ) {
            self.path = path
            self.displayPath = displayPath
            self.root = root
            self.state = state
        }

        package func read() throws(SystemError) -> [UInt8] { try root.read(path) }

        /// - Parameter count: the maximum number of bytes.
        package func readStart(bytes count: Int) throws(SystemError) -> [UInt8] {
            try root.readStart(path, bytes: count)
        }

        /// Whether it is the page of its folder.
        package var isIndex: Bool { !isBesideIndex && SitePathName.isIndex(path) }

        package var isMarkdown: Bool { SitePathName.isPage(path) }

        /// Whether the file looks like the source of a page, but is none.
        ///
        /// Copied unchanged, its text could be read by readers whom its `access` excludes.
        package var isStraySource: Bool {
            if isMarkdown { return false }
            let name = (path.split(separator: "/").last ?? "").lowercased()
            if Self.media.contains(where: name.hasSuffix) { return false }
            return Self.sources.contains { ending in
                // Matches `plan.md.mine` and `plan.md (copy)`, but not `sums.md5`.
                name.ranges(of: ending).contains { range in
                    name[range.upperBound...].first.map { !$0.isLetter && !$0.isNumber } ?? true
                }
            }
        }

        private static let sources = [
            ".md", ".markdown", ".mdx", ".mkd", ".mkdn", ".mdown", ".mdtext", ".mdwn", ".qmd",
            ".rmd",
        ]
        private static let media = [
            ".avif", ".gif", ".gz", ".jpeg", ".jpg", ".mp3", ".mp4", ".pdf", ".png", ".svg",
            ".webm", ".webp", ".zip",
        ]
    }

    /// The files, sorted by the bytes of their paths, folder by folder.
    package private(set) var files: [File] = []
    package private(set) var diagnostics: [Diagnostic] = []
    /// The reasons for ignored files and folders, by path.
    package private(set) var ignored: [String: PathFilter.Reason] = [:]

    /// Files with the order of pages, which are not published by themselves.
    package private(set) var navigationFiles: [File] = []
    /// Files that are not published by themselves, but that pages may include.
    package private(set) var parts: [File] = []
    /// Ignored pages, whose front matter may still contain an access rule.
    package private(set) var ignoredPages: [File] = []
    /// Pages that are ignored because of `_`, by the folder's path for diagnostics.
    private var underscored: [String: [String]] = [:]
    private let excluded: Set<String>
    private let filter: PathFilter
    /// The folders of the files that a wiki of Azure DevOps or a space of GitBook links to.
    package static let attachments = [".attachments", ".gitbook"]

    /// Lists a folder and everything below it.
    ///
    /// Symbolic links are refused: a link out of the folder would publish files by mistake.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder.
    ///   - displayFolder: the path for diagnostics.
    ///   - excluded: folders to skip, such as the output folder.
    package init(
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
            diagnostics += underscored.map(Self.underscored)
        } catch {
            let location = SourceLocation(withoutLines: displayFolder)
            diagnostics.append(Diagnostic(.error, error.reason, at: location))
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
                ? "a file name in this folder is not UTF-8" : error.reason
            let location = SourceLocation(withoutLines: displayFolder)
            diagnostics.append(Diagnostic(.sourceFile, message, at: location))
            return
        }
        let hasIndex = entries.contains { entry in
            entry.kind == .file
                && SitePathName.pageEndings.contains { "index\($0)" == entry.name.lowercased() }
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
            if Self.attachments.contains(path), verdict == .ignored(.hidden), isFolder {
                listUnpublished(path, display, in: root)
                continue
            }
            if verdict == .ignored(.part), isFolder {
                ignored[path] = .part
                listUnpublished(path, display, in: root, areParts: true)
                continue
            }
            if case .ignored(let reason) = verdict {
                ignored[path] = reason
                let state = SourceState(entry.status)
                let file = File(path: path, displayPath: display, root: root, state: state)
                if entry.kind == .file, file.isMarkdown { ignoredPages.append(file) }
                if entry.kind == .file, PathFilter.navigationNames.contains(entry.name),
                    reason == .hidden || reason == .usual(entry.name)
                {
                    navigationFiles.append(file)
                }
                if entry.kind == .file, reason == .underscore || reason == .part,
                    !PathFilter.navigationNames.contains(entry.name.lowercased()),
                    // Jekyll's drafts.
                    !path.split(separator: "/").contains("_drafts")
                {
                    parts.append(file)
                }
                if reason == .underscore { underscored[displayFolder, default: []].append(path) }
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
            case .file:
                var file = File(path: path, displayPath: display, root: root)
                file.state = SourceState(entry.status)
                file.isBesideIndex = hasIndex && entry.name.lowercased().hasPrefix("readme.")
                add(file)
            case .symbolicLink where path.hasPrefix("_") || path.contains("/_"):
                ignored[path] = .link
            case .symbolicLink: report("is a symbolic link; links are not followed", display)
            case .other: report("is not a regular file", display)
            }
        }
    }

    /// Lists the files that are published if a page links to them, or that pages may include.
    ///
    /// None of them is a page.
    private mutating func listUnpublished(
        _ folder: String,
        _ displayFolder: String,
        in root: OpenFolder,
        areParts: Bool = false
    ) {
        for entry in (try? root.entries(of: folder)) ?? [] {
            let path = "\(folder)/\(entry.name)"
            let display = "\(displayFolder)/\(entry.name)"
            let isFolder = entry.kind == .folder
            let verdict = filter.verdict(path, isFolder: isFolder, isInside: false, isPartly: false)
            var file = File(path: path, displayPath: display, root: root)
            file.state = SourceState(entry.status)
            file.isAttachment = !areParts
            // An access rule without effect is an error.
            if entry.kind == .file, file.isMarkdown { ignoredPages.append(file) }
            let isTaken =
                areParts
                ? [.taken, .ignored(.underscore), .ignored(.part)].contains(verdict.verdict)
                : verdict.verdict == .taken && !file.isMarkdown && !file.isStraySource
            switch entry.kind {
            case .folder where isTaken:
                listUnpublished(path, display, in: root, areParts: areParts)
            case .file where isTaken: if areParts { parts.append(file) } else { files.append(file) }
            default: ignored[path] = .hidden
            }
        }
    }

    private mutating func add(_ file: File) {
        guard file.isStraySource else {
            files.append(file)
            return
        }
        let notes = ["pages end with '.md'", "'exclude' in sitegen.toml ignores files"]
        diagnostics.append(
            Diagnostic(
                .sourceFile,
                "looks like the source of a page, but would be copied unchanged",
                at: SourceLocation(file.displayPath),
                notes: notes.map { Diagnostic.Note($0) }
            )
        )
    }

    private static func underscored(_ folder: String, _ paths: [String]) -> Diagnostic {
        let first = paths[0]
        let subject =
            paths.count > 1
            ? "'\(first)' and \(paths.count - 1) more in this folder are" : "'\(first)' is"
        let message = "\(subject) ignored, because the name or that of its folder begins with '_'"
        let note = Diagnostic.Note("'include = [\"/\(first)\"]' in sitegen.toml publishes it")
        let name = first.split(separator: "/").last ?? ""
        let location = SourceLocation(folder == "." ? String(name) : "\(folder)/\(name)")
        return Diagnostic(.ignoredPage, message, at: location, notes: [note], subject: first)
    }

    private mutating func report(_ message: String, _ display: String) {
        diagnostics.append(Diagnostic(.sourceFile, message, at: SourceLocation(display)))
    }
}
