import Deflate
import POSIX
import Synchronization

/// Writes the files of one release, in any order and from many tasks, and makes it the current one.
///
/// The user holds the ``OutputLock`` from before ``init(output:syncs:)`` until after
/// ``finish(keeping:)`` or ``discard()``, and calls ``cleanUp()`` without the lock.
package final class ReleaseWriter: Sendable {
    /// The number of the new release.
    package let number: Int
    private let output: String
    private let syncs: Bool
    private let releases: ReleaseFolder
    private let new: OutputFolder
    /// `nil` if there is none.
    private let previous: OutputFolder?
    private let previousNumber: Int?
    private let themeFiles = Mutex<[String]>([])
    private let linkedFiles = Atomic(0)
    private let newFiles = Atomic(0)
    /// Smaller files fit into one packet uncompressed.
    private static let leastBytes = 860
    /// The errors of the removal of files that a killed build left.
    private let leftovers: [String]

    /// - Parameter syncs: whether the release is synced to disk before it is visible.
    package init(output: String, syncs: Bool) throws(SystemError) {
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
    ///
    /// - Parameter isCompressed: whether a compressed copy is written beside it, if that is worth a
    ///   file.
    package func write(
        _ bytes: [UInt8],
        to path: String,
        isCompressed: Bool = false
    ) throws(SystemError) {
        if path.hasPrefix(SharedTheme.folder) { themeFiles.withLock { $0.append(path) } }
        try new.createFolder(of: path)
        let (status, isLinked) = try writeOrLink(bytes, path)
        if isCompressed, bytes.count >= Self.leastBytes {
            try writeCompressed(bytes, beside: path, status, isLinked: isLinked)
        }
    }

    /// The content of a file that was written.
    package func read(_ path: String) throws(SystemError) -> [UInt8] { try new.read(path) }

    /// How many files are new, and how many the previous release has, too.
    package var counts: (new: Int, linked: Int) {
        (newFiles.load(ordering: .relaxed), linkedFiles.load(ordering: .relaxed))
    }

    /// The number of the current release if it has exactly the files that were written.
    package var unchanged: Int? {
        guard counts.new == 0, let previousNumber,
            (try? releases.countFiles(of: previousNumber)) == counts.linked
        else { return nil }
        return previousNumber
    }

    /// Leaves the current release in place, which has the same files.
    ///
    /// - Returns: errors of the clean-up.
    package func keepCurrent() async throws(SystemError) -> [String] {
        if let previousNumber {
            let release = releases.release(previousNumber)
            try SharedTheme(output: output).add(themeFiles.withLock { $0.sorted() }, of: release)
            if syncs { try Folder.syncFileSystem(of: release) }
        }
        await discard()
        return leftovers
    }

    /// Makes the release the current one, and takes the oldest releases away.
    ///
    /// If it throws, the release must be discarded.
    ///
    /// - Parameter count: the number of releases that stay.
    /// - Returns: errors after the release was published.
    package func finish(keeping count: Int) throws(SystemError) -> [String] {
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
    package func discard() async { await releases.discard(number) }

    /// Removes the releases that ``finish(keeping:)`` has taken away.
    ///
    /// - Returns: the errors.
    package func cleanUp() async -> [String] { await releases.removeRetired() }

    private func writeOrLink(
        _ bytes: [UInt8],
        _ path: String
    ) throws(SystemError) -> (FileStatus, isLinked: Bool) {
        guard let previous, let old = previous.status(of: path) else {
            count(isLinked: false)
            return (try new.create(bytes, at: path), false)
        }
        if old.kind == .file, old.size == bytes.count, (try? previous.read(path)) == bytes,
            (try? new.link(path, from: previous)) != nil
        {
            count(isLinked: true)
            return (old, true)
        }
        count(isLinked: false)
        let status = try new.create(bytes, at: path)
        // nginx makes the ETag of a file from its size and the second of its last change. A file
        // that changes twice in a second and keeps its size must get another ETag.
        guard status.modifiedSeconds <= old.modifiedSeconds else { return (status, false) }
        return (try new.setModified(path, seconds: old.modifiedSeconds + 1), false)
    }

    private func count(isLinked: Bool) {
        if isLinked {
            linkedFiles.add(1, ordering: .relaxed)
        } else {
            newFiles.add(1, ordering: .relaxed)
        }
    }

    /// Writes the compressed copy of a file, unless it would not become smaller.
    ///
    /// - Parameter isLinked: whether the file is shared with the previous release, which may have a
    ///   compressed copy.
    private func writeCompressed(
        _ bytes: [UInt8],
        beside file: String,
        _ status: FileStatus,
        isLinked: Bool
    ) throws(SystemError) {
        let path = "\(file).gz"
        // Verified, because in the previous release an author's file may have had that name.
        if isLinked, let previous, previous.status(of: path)?.kind == .file,
            let known = try? previous.read(path), Gzip.isCompressed(known, from: bytes),
            (try? new.link(path, from: previous)) != nil
        {
            return count(isLinked: true)
        }
        let compressed = Gzip.compress(bytes)
        guard compressed.count < bytes.count else { return }
        count(isLinked: false)
        _ = try new.create(compressed, at: path)
        _ = try new.setModified(path, seconds: status.modifiedSeconds)
    }
}
