import Access
import Diagnostics
import POSIX
import Zlib

/// A finished site on its way to disk.
///
/// This is the one place that writes.
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
            /// A file on disk that is copied as it is.
            case copy(String)
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

    /// Writes a release below `output` and makes it the current one.
    ///
    /// - Returns: the number of the release.
    func publish(to output: String, _ incremental: Incremental, _ pages: [Page])
        async
        throws(Failure) -> Int
    {
        do {
            try Folder.create("\(output)/releases")
            guard let lock = try FileLock.take("\(output)/.lock") else {
                throw Failure(message: "another build writes to '\(output)'")
            }
            let number = try await write(to: output)
            await incremental.write(pages, files, release: "\(output)/releases/\(number)")
            _ = consume lock
            return number
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    private func write(to output: String) async throws -> Int {
        let releases = "\(output)/releases"
        let numbers = try releaseNumbers(releases)
        let number = (numbers.last ?? 0) + 1
        let partial = "\(releases)/.\(number)"
        let previous = SymbolicLink.destination(of: "\(output)/current").map { "\(output)/\($0)" }

        for folder in Set(files.map { Self.folder(of: $0.path) }).sorted() {
            try Folder.create("\(partial)/\(folder)")
        }
        let failures = await files.concurrentMap(
            progress.counting(.publishing, of: files.count) { file -> Failure? in
                do {
                    try Self.write(file, to: partial, previous)
                    return nil
                } catch {
                    return Failure(message: "\(error)")
                }
            }
        )
        if let failure = failures.compactMap(\.self).first { throw failure }
        try POSIX.File.rename(partial, to: "\(releases)/\(number)")
        try shareTheme(output, release: "\(releases)/\(number)")
        try SymbolicLink.replace("\(output)/current", with: "releases/\(number)")
        for old in (numbers + [number]).dropLast(releasesKept) {
            try Folder.remove("\(releases)/\(old)")
        }
        try removeUnusedTheme(output, releases: (numbers + [number]).suffix(releasesKept))
        return number
    }

    /// Links the theme's files where those of all releases lie: a page of the release before, shown
    /// a second ago, asks for its style sheet after the flip.
    ///
    /// Their names hold their digests, so none stands in another's way.
    private func shareTheme(_ output: String, release: String) throws {
        try Folder.create("\(output)/theme")
        for file in files where file.path.hasPrefix(Theme.folder) {
            let path = "\(output)/\(file.path)"
            try Folder.create(Self.folder(of: path))
            for name in [file.path, file.path + ".gz"]
            where (try? FileStatus(of: "\(output)/\(name)")) == nil
                && (try? FileStatus(of: "\(release)/\(name)")) != nil
            {
                try POSIX.File.link("\(release)/\(name)", as: "\(output)/\(name)")
            }
        }
    }

    private func removeUnusedTheme(_ output: String, releases: some Sequence<Int>) throws {
        let folders = releases.map { "\(output)/releases/\($0)/theme" }
        for file in SourceTree(listing: "\(output)/theme", displayFolder: "").files
        where !folders.contains(where: { (try? FileStatus(of: "\($0)/\(file.path)")) != nil }) {
            try POSIX.File.remove(file.diskPath)
        }
    }

    /// The releases on disk, oldest first; what a killed build left behind is removed.
    private func releaseNumbers(_ releases: String) throws -> [Int] {
        var numbers: [Int] = []
        for entry in try Folder.entries(of: releases) {
            if entry.name.hasPrefix(".") {
                try Folder.remove("\(releases)/\(entry.name)")
            } else if let number = Int(entry.name), number > 0 {
                numbers.append(number)
            }
        }
        return numbers.sorted()
    }

    private static func write(
        _ file: File,
        to release: String,
        _ previous: String?
    ) throws(SystemError) {
        let path = "\(release)/\(file.path)"
        let old = previous.map { "\($0)/\(file.path)" }
        let bytes: [UInt8]
        switch file.content {
        case .bytes(let made): bytes = made
        case .copy(let original): bytes = try POSIX.File.read(original)
        case .unchanged(let old):
            if (try? POSIX.File.link(old, as: path)) != nil {
                return try compress(file, nil, path, old)
            }
            // File systems allow a file only so many names.
            bytes = try POSIX.File.read(old)
        }
        let isLinked = try write(bytes, to: path, old)
        try compress(file, bytes, path, isLinked ? old : nil)
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
