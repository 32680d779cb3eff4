import Deflate
import Glibc
import POSIX
import Synchronization

/// Writes the files of one release, in any order and from many tasks, and makes it the current one.
///
/// The user holds the ``OutputLock`` from before ``init(output:syncs:)`` until after
/// ``finish(keeping:)`` or ``discard()``, and calls ``cleanUp()`` without the lock.
final class ReleaseWriter: Sendable {
    struct WrittenFile: Sendable {
        let file: ReleasedFile
        /// Whether the file is shared with the previous release.
        let isLinked: Bool
    }

    /// The number of the new release.
    let number: Int
    private let output: String
    private let syncs: Bool
    private let releases: ReleaseFolder
    private let new: OutputFolder
    /// `nil` if there is none.
    private let previous: OutputFolder?
    private let previousNumber: Int?
    private let themeFiles = Mutex<[String]>([])
    /// The errors of the removal of files that a killed build left.
    private let leftovers: [String]

    /// - Parameter syncs: whether the release is synced to disk before it is visible.
    init(output: String, syncs: Bool) throws(SystemError) {
        self.output = output
        self.syncs = syncs
        releases = ReleaseFolder(output: output)
        try Folder.create(releases.path)
        leftovers = releases.removeLeftovers()
        number = try releases.nextNumber()
        try Folder.create(releases.partial(number))
        new = try OutputFolder(releases.partial(number))
        previousNumber = releases.current
        previous = previousNumber.flatMap { [releases] in try? OutputFolder(releases.release($0)) }
    }

    /// Writes a file, or links the same file of the previous release.
    func write(_ file: Publication.File) throws(SystemError) -> WrittenFile {
        let bytes: [UInt8]
        switch file.content {
        case .bytes(let made): bytes = made
        case .copy(let original): bytes = try original.read()
        case .unchanged(let known):
            guard let written = try reuse(known, isCompressed: file.isCompressed) else {
                throw stale(known.path)
            }
            return written
        }
        try add(file.path)
        let (status, isLinked) = try write(bytes, to: file.path)
        return WrittenFile(
            file: ReleasedFile(
                path: file.path,
                identity: status.identity,
                compressed: file.isCompressed
                    ? try compressed(file.path, status, bytes, isLinked: isLinked) : nil
            ),
            isLinked: isLinked
        )
    }

    /// The content of a file that was written.
    func read(_ path: String) throws(SystemError) -> [UInt8] { try new.read(path) }

    /// Links a file of the previous release.
    ///
    /// - Returns: `nil` if the file is not what it was after it was written.
    func reuse(
        _ file: ReleasedFile,
        isCompressed: Bool
    ) throws(SystemError) -> WrittenFile? {
        guard let previous, let status = previous.status(of: file.path),
            status.identity == file.identity
        else { return nil }
        try add(file.path)
        guard (try? new.link(file.path, from: previous)) != nil else {
            // Copied if linking fails: some file systems have no hard links, and all have a limit
            // for one file.
            let content = Publication.File.Content.bytes(try previous.read(file.path))
            var copy = Publication.File(path: file.path, content: content)
            copy.isCompressed = isCompressed
            return try write(copy)
        }
        var linked = file
        if !isCompressed {
            linked.compressed = nil
        } else if (try? linkCompressed(of: file)) == nil {
            let bytes = try new.read(file.path)
            linked.compressed = try compressed(file.path, status, bytes, isLinked: true)
        }
        return WrittenFile(file: linked, isLinked: true)
    }

    /// Links files of the previous release with their compressed copies.
    ///
    /// - Throws: if one of them is not what it was after it was written, or cannot be linked. Then
    ///   the release must be discarded.
    func linkAll(_ files: [ReleasedFile], except changed: Set<String>) async throws(SystemError) {
        let errors = await files.concurrentMap { [self] file -> SystemError? in
            if changed.contains(file.path) { return nil }
            do throws(SystemError) {
                guard let previous, previous.status(of: file.path)?.identity == file.identity else {
                    throw stale(file.path)
                }
                try add(file.path)
                try new.link(file.path, from: previous)
                if file.compressed != nil { try linkCompressed(of: file) }
                return nil
            } catch { return error }
        }
        for case let error? in errors { throw error }
    }

    /// Whether the files of a release are what they were after they were written, with their
    /// compressed copies, and whether its theme is there for everybody.
    static func isWhole(_ number: Int, _ files: [ReleasedFile], _ output: String) async -> Bool {
        let path = ReleaseFolder(output: output).release(number)
        guard let folder = try? OutputFolder(path), let all = try? OutputFolder(output) else {
            return false
        }
        return await files.concurrentMap { file in
            guard folder.status(of: file.path)?.identity == file.identity else { return false }
            if let compressed = file.compressed {
                let status = folder.status(of: "\(file.path).gz")
                guard status?.identity == compressed else { return false }
            }
            return !file.path.hasPrefix(Theme.folder) || all.status(of: file.path) != nil
        }.allSatisfy(\.self)
    }

    /// Removes what a killed build left, and adds files of the current release that are missing in
    /// the shared theme.
    ///
    /// - Returns: errors of the removal.
    static func tidy(
        _ number: Int,
        _ files: [ReleasedFile],
        _ output: String
    ) throws(SystemError) -> [String] {
        let releases = ReleaseFolder(output: output)
        try SharedTheme(output: output).add(
            files.map(\.path).filter { $0.hasPrefix(Theme.folder) },
            of: releases.release(number)
        )
        return releases.removeLeftovers()
    }

    /// Makes the release the current one, and takes the oldest releases away.
    ///
    /// If it throws, the release must be discarded.
    ///
    /// - Parameter count: the number of releases that stay.
    /// - Returns: errors after the release was published.
    func finish(keeping count: Int) throws(SystemError) -> [String] {
        let theme = SharedTheme(output: output)
        try theme.add(themeFiles.withLock { $0.sorted() }, of: releases.partial(number))
        try releases.publish(number, syncs: syncs)
        var failures = leftovers + releases.settle(syncs: syncs)
        let (kept, unretired) = releases.retireOld(previous: previousNumber, keeping: count)
        failures += unretired
        do {
            // If the releases cannot be listed, it is unknown which files of the theme they use.
            if !kept.isEmpty { try theme.removeUnused(releases: kept.map(releases.release)) }
        } catch { failures.append("\(error)") }
        return failures
    }

    /// Removes the files of a release that is not published.
    func discard() async { await releases.discard(number) }

    /// Removes the releases that ``finish(keeping:)`` has taken away.
    ///
    /// - Returns: the errors.
    func cleanUp() async -> [String] { await releases.removeRetired() }

    /// Prepares for a file of a path.
    private func add(_ path: String) throws(SystemError) {
        if path.hasPrefix(Theme.folder) { themeFiles.withLock { $0.append(path) } }
        try new.createFolder(of: path)
    }

    private func write(
        _ bytes: [UInt8],
        to path: String
    ) throws(SystemError) -> (FileStatus, isLinked: Bool) {
        guard let previous, let old = previous.status(of: path) else {
            return (try new.create(bytes, at: path), false)
        }
        if old.kind == .file, old.size == bytes.count, (try? previous.read(path)) == bytes,
            (try? new.link(path, from: previous)) != nil
        {
            return (old, true)
        }
        let status = try new.create(bytes, at: path)
        // nginx makes the ETag of a file from its size and the second of its last change. A file
        // that changes twice in a second and keeps its size must get another ETag.
        guard status.modifiedSeconds <= old.modifiedSeconds else { return (status, false) }
        return (try new.setModified(path, seconds: old.modifiedSeconds + 1), false)
    }

    private func linkCompressed(of file: ReleasedFile) throws(SystemError) {
        let path = "\(file.path).gz"
        guard let previous, let compressed = file.compressed,
            previous.status(of: path)?.identity == compressed
        else { throw stale(path) }
        try new.link(path, from: previous)
    }

    /// Writes the compressed copy of a file.
    ///
    /// - Parameter isLinked: whether the file is shared with the previous release, which may have a
    ///   compressed copy.
    /// - Returns: `nil` if the file would not become smaller.
    private func compressed(
        _ file: String,
        _ status: FileStatus,
        _ bytes: [UInt8],
        isLinked: Bool
    ) throws(SystemError) -> FileIdentity? {
        guard bytes.count >= Compression.leastBytes else { return nil }
        let path = "\(file).gz"
        // Verified, because in the previous release an author's file may have had that name.
        if isLinked, let previous, let old = previous.status(of: path),
            let known = try? previous.read(path), Gzip.isCompressed(known, from: bytes),
            (try? new.link(path, from: previous)) != nil
        {
            return old.identity
        }
        let compressed = Gzip.compress(bytes)
        guard compressed.count < bytes.count else { return nil }
        _ = try new.create(compressed, at: path)
        return try new.setModified(path, seconds: status.modifiedSeconds).identity
    }

    private func stale(_ path: String) -> SystemError {
        let release = releases.release(previousNumber ?? 0)
        return SystemError("link", "\(release)/\(path)", number: ESTALE)
    }
}
