import Access
import Diagnostics
import POSIX
import Zlib

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
            /// A file of the previous release that is used again.
            case unchanged(String)
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

    /// A failed file operation.
    struct Failure: Error {
        let message: String
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
        let outputs = await outputs(in: releases.release(number))
        cache.write(pages, outputs, isSynced: syncs)
        let (kept, unremoved) = releases.removeOld(previous: previous, keeping: releasesKept)
        failures += unremoved
        do {
            // If the releases cannot be listed, it is unknown which files of the theme they use.
            if !kept.isEmpty {
                try SharedTheme(output: output)
                    .removeUnused(releases: kept.map(releases.release))
            }
        } catch { failures.append("\(error)") }
        return Result(number: number, linked: linked, failures: failures)
    }

    /// The files that the next build may use again.
    private func outputs(in release: String) async -> [String: BuildIndex.Output] {
        let kept = files.filter { $0.key != nil }
        let outputs = await kept.concurrentMap { file -> BuildIndex.Output? in
            guard let key = file.key, let status = try? FileStatus(of: "\(release)/\(file.path)")
            else { return nil }
            return .init(key: key, identity: FileIdentity(status), text: file.text ?? 0..<0)
        }
        return Dictionary(
            zip(kept.map(\.path), outputs).compactMap { path, output in output.map { (path, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// - Returns: the number of files shared with the previous release.
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

    /// - Returns: whether the file is shared with the previous release.
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
            // Copied if linking fails: some file systems have no hard links, and all have a limit
            // for one file.
            bytes = try POSIX.File.read(old)
        }
        let isLinked = try write(bytes, to: path, old)
        try compress(file, bytes, path, isLinked ? old : nil)
        return isLinked
    }

    /// Writes a file, or links the same file of the previous release.
    ///
    /// - Returns: whether the file was linked.
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
        // nginx makes the ETag of a file from its size and the second of its last change. A file
        // that changes twice in a second and keeps its size must get another ETag.
        if try FileStatus(of: path).modifiedSeconds <= status.modifiedSeconds {
            try POSIX.File.setModified(path, seconds: status.modifiedSeconds + 1)
        }
        return false
    }

    /// Writes the compressed copy of a file that should have one.
    ///
    /// - Parameters:
    ///   - bytes: the content; `nil` to read it from the file.
    ///   - same: a file with the same content in the previous release, which may have a compressed
    ///     copy.
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
        // Verified, because in the previous release an author's file may have had that name.
        if let same, let known = try? POSIX.File.read("\(same).gz"),
            Gzip.isCompressed(known, from: plain),
            (try? POSIX.File.link("\(same).gz", as: "\(path).gz")) != nil
        {
            return
        }
        let compressed = Gzip.compress(plain)
        guard compressed.count < plain.count else { return }
        try POSIX.File.write(compressed, to: "\(path).gz")
        // The same modification time as the file itself.
        let seconds = try FileStatus(of: path).modifiedSeconds
        try POSIX.File.setModified("\(path).gz", seconds: seconds)
    }

    private static func folder(of path: String) -> String {
        String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }
}
