import Access
import Diagnostics
import POSIX
import Zlib

/// A finished site on its way to disk.
///
/// Files are written into a new release folder, and one `rename(2)` of the symbolic link `current`
/// makes the whole site visible, policy and pages together. A reader sees the old site or the new
/// one, never half of each; a build that dies leaves the old one standing.
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
            /// A file of the source that is copied as it is.
            case copy(SourceTree.File)
            /// A file of a release that is to be a file of this one, too.
            case unchanged(String)
        }

        /// Below the release folder.
        let path: String
        let content: Content
        /// A digest of what it was made of, where it may be taken over by the next release.
        var key: String?
        /// Whether it is written a second time, compressed.
        var isCompressed = false
        /// Where the text of a page stands in it, template and navigation apart.
        var text: Range<Int>?
    }

    /// What went wrong with the disk, and what it was wanted for.
    struct Failure: Error {
        let message: String
    }

    let files: [File]
    let releasesKept: Int
    var progress = BuildProgress()
    /// Whether the release is on disk before it is visible.
    var syncs = true

    struct Result: Sendable {
        /// Of the new release.
        let number: Int
        /// Files of the release before that are files of this one, too.
        let linked: Int
        /// What could not be removed or synced after the release was published, and why.
        let failures: [String]
    }

    /// Writes a release below `output` and makes it the current one.
    ///
    /// Whoever calls holds the ``OutputLock``. Until the release is the current one, any failure
    /// removes what was written; from then on it is published, whatever fails.
    func publish(to output: String, _ incremental: IncrementalBuild, _ pages: [Page])
        async
        throws(Failure) -> Result
    {
        let releases = ReleaseFolder(output: output)
        let (number, linked, leftovers): (Int, Int, [String])
        let previous = releases.current
        do {
            try Folder.create(releases.path)
            leftovers = releases.removeLeftovers()
            number = try releases.nextNumber()
        } catch {
            throw Failure(message: "\(error)")
        }
        do {
            linked = try await write(to: releases.partial(number), output)
            try SharedTheme(output: output).add(
                files.map(\.path).filter { $0.hasPrefix(Theme.folder) },
                of: releases.partial(number)
            )
            try releases.publish(number, syncs: syncs)
        } catch {
            releases.discard(number)
            throw (error as? Failure) ?? Failure(message: "\(error)")
        }
        var failures = leftovers + releases.settle(syncs: syncs)
        await incremental.write(pages, files, release: releases.release(number), isSynced: syncs)
        let (kept, unremoved) = releases.removeOld(previous: previous, keeping: releasesKept)
        failures += unremoved
        do {
            // Where the releases cannot be listed, nobody knows which files of the theme are theirs.
            if !kept.isEmpty {
                try SharedTheme(output: output)
                    .removeUnused(releases: kept.map(releases.release))
            }
        } catch { failures.append("\(error)") }
        return Result(number: number, linked: linked, failures: failures)
    }

    /// - Returns: how many files are those of the release before.
    private func write(to partial: String, _ output: String) async throws -> Int {
        let previous = SymbolicLink.destination(of: "\(output)/current").map { "\(output)/\($0)" }
        for folder in Set(files.map { Self.folder(of: $0.path) }).sorted() {
            try Folder.create("\(partial)/\(folder)")
        }
        let written = await files.concurrentMap(
            progress.counting(.publishing, of: files.count) { file -> Swift.Result<Bool, Failure> in
                do {
                    return .success(try Self.write(file, to: partial, previous))
                } catch {
                    return .failure(Failure(message: "\(error)"))
                }
            }
        )
        return try written.count { try $0.get() }
    }

    /// - Returns: whether it is the file of the release before.
    private static func write(
        _ file: File,
        to release: String,
        _ previous: String?
    ) throws(SystemError) -> Bool {
        let path = "\(release)/\(file.path)"
        let old = previous.map { "\($0)/\(file.path)" }
        let bytes: [UInt8]
        switch file.content {
        case .bytes(let made): bytes = made
        case .copy(let original): bytes = try original.read()
        case .unchanged(let old):
            if (try? POSIX.File.link(old, as: path)) != nil {
                try compress(file, nil, path, old)
                return true
            }
            // Some file systems have no hard links, and all have a limit for one file.
            bytes = try POSIX.File.read(old)
        }
        let isLinked = try write(bytes, to: path, old)
        try compress(file, bytes, path, isLinked ? old : nil)
        return isLinked
    }

    /// Writes a file, or gives that of the previous release a name in this one.
    ///
    /// - Returns: whether it is the same file.
    private static func write(_ bytes: [UInt8], to path: String, _ old: String?)
        throws(SystemError) -> Bool
    {
        guard let old, let status = try? FileStatus(of: old) else {
            try POSIX.File.write(bytes, to: path)
            return false
        }
        if status.size == bytes.count, let known = try? POSIX.File.read(old), known == bytes,
            (try? POSIX.File.link(old, as: path)) != nil
        {
            return true
        }
        try POSIX.File.write(bytes, to: path)
        // nginx makes the ETag of a file from its size and the second of its change. A file that
        // changed twice in a second and kept its size must not keep its ETag too.
        if try FileStatus(of: path).modifiedSeconds <= status.modifiedSeconds {
            try POSIX.File.setModified(path, seconds: status.modifiedSeconds + 1)
        }
        return false
    }

    /// Puts the compressed file beside a file that is to have one.
    ///
    /// - Parameters:
    ///   - bytes: `nil` where nobody has read them yet.
    ///   - same: a file with the same content, which may have a compressed one already.
    private static func compress(
        _ file: File,
        _ bytes: [UInt8]?,
        _ path: String,
        _ same: String?
    ) throws(SystemError) {
        guard file.isCompressed else { return }
        let plain: [UInt8]
        if let bytes { plain = bytes } else { plain = try POSIX.File.read(path) }
        guard plain.count >= Compression.leastBytes else { return }
        // In the release before, an author's own file may have had that name.
        if let same, let known = try? POSIX.File.read("\(same).gz"),
            Gzip.isCompressed(known, from: plain),
            (try? POSIX.File.link("\(same).gz", as: "\(path).gz")) != nil
        {
            return
        }
        let compressed = Gzip.compress(plain)
        guard compressed.count < plain.count else { return }
        try POSIX.File.write(compressed, to: "\(path).gz")
        // As old as the file itself, which is as new as it has to be.
        let seconds = try FileStatus(of: path).modifiedSeconds
        try POSIX.File.setModified("\(path).gz", seconds: seconds)
    }

    private static func folder(of path: String) -> String {
        String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }
}
