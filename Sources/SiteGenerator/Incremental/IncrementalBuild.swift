import POSIX

/// What a build reuses from the previous one: the outlines of unchanged pages, and unchanged files
/// of the previous release.
///
/// Outlines are looked up by the digest of their source, and files by a digest of all their inputs.
/// Without the cache a build is slower, with the same result.
struct IncrementalBuild: Sendable {
    let identity: BuildIdentity
    let outlines: OutlineCache
    let outputs: OutputCache
    /// The highlighter, if the cache identifies it without starting a process.
    let highlighter: String?
    /// `nil` if the build caches nothing.
    private let folder: String?

    /// - Parameters:
    ///   - output: the output folder; `nil` for a build that reuses nothing.
    ///   - highlightCache: the file with highlighted code of earlier builds; `nil` without
    ///     highlighting.
    init(_ configuration: SiteConfiguration, output: String?, highlightCache: String? = nil) {
        highlighter = highlightCache.flatMap { path in
            HighlightCache(readingFrom: path, script: Highlighter().script).identity?.text
        }
        identity = BuildIdentity(configuration)
        folder = output.map { "\($0)/.cache" }
        guard let folder, let output else {
            outlines = OutlineCache()
            outputs = OutputCache()
            return
        }
        outlines = OutlineCache(at: "\(folder)/outlines")
        outputs = OutputCache(at: "\(folder)/outputs", output: output)
    }

    /// Writes the cache for the next build.
    ///
    /// - Parameter isSynced: whether the files of the release are synced to disk.
    func write(
        _ pages: [Page],
        _ files: [Publication.File],
        release: String,
        isSynced: Bool
    ) async {
        guard let folder else { return }
        // The mode keeps other users out: the cache contains headings and links of confidential
        // pages.
        guard (try? Folder.create(folder, mode: 0o700)) != nil else { return }
        outlines.write(pages, to: "\(folder)/outlines")
        await OutputCache.write(files, of: release, isSynced: isSynced, to: "\(folder)/outputs")
    }
}
