import POSIX

/// A finished site on its way to disk.
///
/// Files are written into a new release folder. Then one `rename(2)` of the symbolic link `current`
/// publishes the whole site, policy and pages together. Readers see the previous site or the new
/// one, never a mixture; a build that fails leaves the previous one in place.
///
///     public/current -> releases/8
///     public/releases/8/access        who may read what
///     public/releases/8/site/…        served to those who may
///     public/releases/8/theme/…       style sheets and scripts
///     public/releases/8/auth/…        the frame of siteauth's pages
///     public/releases/8/errors/…      nginx's error pages
///     public/theme/…                  those of all releases, served to everybody
struct Publication: Sendable {
    struct File: Sendable {
        enum Content: Sendable {
            case bytes([UInt8])
            /// A file of the source folder that is copied unchanged.
            case copy(SourceTree.File)
            /// The file of the previous release, which is linked unread.
            case unchanged(ReleasedFile)
        }

        /// The path in the release.
        let path: String
        let content: Content
        /// A digest of the file's inputs, if the next release may use the file again.
        var key: [UInt8]?
        /// Whether a compressed copy is written.
        var isCompressed = false
        /// The range of a page's text in the file, without template and navigation.
        var text: Range<Int>?
    }

    let files: [File]
    let releasesKept: Int
    var progress = BuildProgress()
    /// Whether the release is synced to disk before it is visible.
    var syncs = true

    struct Result: Sendable {
        /// Of the new release.
        let number: Int
        /// The number of files that are shared with the previous release.
        let linked: Int
        /// Errors after the release was published, while old releases were removed or folders were
        /// synced.
        let failures: [String]
    }

    /// Writes a release below `output` and makes it the current one.
    ///
    /// The caller holds the ``OutputLock``. Any failure before the release is current removes the
    /// files; after that the release stays published.
    func publish(to output: String, _ cache: BuildCache, _ pages: [Page])
        async throws(SystemError) -> Result
    {
        let writer = try ReleaseWriter(output: output, syncs: syncs)
        do throws(SystemError) {
            let written = await files.concurrentMap(
                progress.counting(.publishing, of: files.count) { file in
                    Swift.Result { () throws(SystemError) in try writer.write(file) }
                }
            )
            var linked = 0
            var outputs: [String: BuildIndex.Output] = [:]
            for (file, result) in zip(files, written) {
                let written = try result.get()
                if written.isLinked { linked += 1 }
                guard let key = file.key else { continue }
                let identity = written.file.identity
                outputs[file.path] = .init(key: key, identity: identity, text: file.text ?? 0..<0)
            }
            var failures = try writer.finish(keeping: releasesKept)
            cache.write(pages, outputs, isSynced: syncs)
            failures += await writer.cleanUp()
            return Result(number: writer.number, linked: linked, failures: failures)
        } catch {
            await writer.discard()
            throw error
        }
    }
}
