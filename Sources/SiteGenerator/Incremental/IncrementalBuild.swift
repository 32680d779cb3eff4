import POSIX

/// What a build takes over from the one before it.
///
/// Nothing in it is believed that is not proved by digests: with the cache gone or damaged a build
/// is slower, and its result the same.
struct IncrementalBuild: Sendable {
    let identity: BuildIdentity
    let outlines: OutlineCache
    let outputs: OutputCache
    /// Who colours code, where that is known without asking anybody.
    let highlighter: String?
    /// `nil` where nothing is kept.
    private let folder: String?

    /// - Parameters:
    ///   - output: the folder of the releases; `nil` for a build that takes nothing over.
    ///   - highlightCache: the file with the colours of earlier builds, where there are to be some.
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

    /// Keeps what the next build may take over.
    ///
    /// - Parameter isSynced: whether the files of the release are on disk.
    func write(
        _ pages: [Page],
        _ files: [Publication.File],
        release: String,
        isSynced: Bool
    ) async {
        guard let folder else { return }
        // Headings and links of confidential pages are in it.
        guard (try? Folder.create(folder, mode: 0o700)) != nil else { return }
        outlines.write(pages, to: "\(folder)/outlines")
        await OutputCache.write(files, of: release, isSynced: isSynced, to: "\(folder)/outputs")
    }
}
