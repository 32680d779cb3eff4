import Access
import Deflate
import Diagnostics
import POSIX
import Releases
import Rendering
import Site
import SourceFolder

/// A folder with a release that another machine has built, and that may be damaged or hostile.
///
/// Names and contents of regular files are taken from it, and nothing else. Each file is read once,
/// and the bytes that were checked are those that are published: whoever may write to the folder can
/// change neither while or after the release is published.
struct IncomingRelease: Sendable {
    struct File: Sendable {
        /// The path in the release.
        let path: String
        let size: Int
    }

    /// When the release was built, in seconds since 1970; tar and `rsync --times` keep this time.
    let made: Int
    private(set) var files: [File] = []
    private let folder: OpenFolder
    /// The paths in lower case, and whether each is a folder.
    private var names: [String: Bool] = [:]
    private var bytes = 0

    private static let maximumFileBytes = 1 << 30
    private static let maximumBytes = 8 << 30
    /// The greatest number of files and folders: five times as many as the largest site that was
    /// tried has.
    private static let maximumEntries = 500_000

    /// A release without one of these would show pages without a policy, or none at all.
    static let required = ["access", "redirects.map"] + SiteFiles.fixedTemplates.map(\.1)

    /// Folders of the site that sitegen fills itself.
    private static let generated = ["_reader", "_search"]

    /// Lists the folder.
    ///
    /// - Throws: ``CommandError`` for anything that a release does not have.
    init(_ path: String) throws {
        folder = try OpenFolder(path)
        made = try FileStatus(of: path).modifiedSeconds
        try list("", depth: 0)
        if let missing = Self.required.first(where: { names[$0] != false }) {
            throw CommandError(
                "'\(path)' has no '\(missing)'; a release is what 'output/current/' of a build has,"
                    + " with the same version of sitegen on both machines"
            )
        }
    }

    private mutating func list(_ subfolder: String, depth: Int) throws {
        for entry in try folder.entries(of: subfolder) {
            let path = subfolder.isEmpty ? entry.name : "\(subfolder)/\(entry.name)"
            let shown = SitePathName.encode(path)
            let isFolder = entry.kind == .folder
            guard isFolder || entry.kind == .file else {
                throw CommandError("'\(shown)' is neither a file nor a folder")
            }
            if let known = names.updateValue(isFolder, forKey: path.lowercased()),
                !known || !isFolder
            {
                throw CommandError("there are two files for '\(shown)'; case does not count")
            }
            guard names.count <= Self.maximumEntries else {
                throw CommandError("there are more than \(Self.maximumEntries) files and folders")
            }
            if isFolder {
                guard depth <= SitePath.maximumSegments else {
                    throw CommandError("'\(shown)' is nested too deep")
                }
                try list(path, depth: depth + 1)
                continue
            }
            if let mistake = Self.mistake(path) { throw CommandError("'\(shown)': \(mistake)") }
            let size = entry.status.size
            guard size <= Self.maximumFileBytes else {
                throw CommandError("'\(shown)' has \(size) bytes; a file may have 1 GiB")
            }
            guard size <= AccessPolicy.maximumBytes || !Self.required.contains(path) else {
                throw CommandError("'\(shown)' has \(size) bytes; it may have 64 MiB")
            }
            bytes += size
            guard bytes <= Self.maximumBytes else {
                throw CommandError("the files have more than 8 GiB")
            }
            files.append(File(path: path, size: size))
        }
    }

    /// Checks the files and writes them to a new release.
    func write(to writer: ReleaseWriter) async throws {
        let paths = Set(files.map(\.path))
        let copies = paths.filter { $0.hasSuffix(".gz") && paths.contains(String($0.dropLast(3))) }
        let writes = await files.concurrentMap { file in
            Result { try write(file, isCopy: copies.contains(file.path), writer) }
        }
        for write in writes { try write.get() }
        let checks = await copies.sorted().concurrentMap { path in
            Result { try checkCopy(path, writer) }
        }
        for check in checks { try check.get() }
    }

    private func write(_ file: File, isCopy: Bool, _ writer: ReleaseWriter) throws {
        let bytes = try folder.read(file.path, maximumBytes: file.size)
        if !isCopy, let mistake = Self.mistake(file.path, bytes) {
            throw CommandError("'\(SitePathName.encode(file.path))': \(mistake)")
        }
        try writer.write(bytes, to: file.path)
    }

    /// Refuses a file `X.gz` of another text beside X; see ``CompressedCopies``.
    private func checkCopy(_ path: String, _ writer: ReleaseWriter) throws {
        let original = try writer.read(String(path.dropLast(3)))
        guard try Gzip.decompresses(writer.read(path), to: original) else {
            let shown = SitePathName.encode(path)
            throw CommandError("'\(shown)' is no compressed copy of the file beside it")
        }
    }

    /// Why a release may not have a file of this path, or `nil` if it may.
    static func mistake(_ path: String) -> String? {
        if required.contains(path) || path == ReaderTexts.path { return nil }
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "site" || parts[0] == "theme" else {
            return "a release has no such file"
        }
        var url = "/\(parts[1])"
        if parts[0] == "site" {
            for folder in generated where url.hasPrefix("/\(folder)/") {
                url.removeFirst(folder.utf8.count + 1)
            }
        }
        return SitePathName.mistake(url)
    }

    /// What is wrong with the content of a file that this machine's programs read, or that is served
    /// without a check.
    private static func mistake(_ path: String, _ bytes: [UInt8]) -> String? {
        if path == "access" {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return "it is not text in UTF-8"
            }
            do { _ = try AccessPolicy(reading: text) } catch {
                return "line \(error.line): \(error.message)"
            }
        }
        if path == "redirects.map" {
            return RedirectLine.areAll(bytes)
                ? nil : "it has a line that is not a redirect within the site, or an address twice"
        }
        if required.contains(path), String(validating: bytes, as: UTF8.self) == nil {
            return "it is not text in UTF-8"
        }
        // All releases share the theme, and each file stays as it is first written: one with the
        // name of a later file would be served in its place.
        if path.hasPrefix(Theme.folder) {
            return Theme.isFingerprinted(path, bytes)
                ? nil : "the name of a theme file contains the digest of the file"
        }
        return nil
    }
}
