import Access
import Diagnostics
import POSIX

/// Lists the releases in an output folder, and rolls back to one of them.
public struct Releases: Sendable {
    public struct Release: Sendable, Equatable {
        public let number: Int
        /// Seconds since 1970.
        public let time: Int
        public let pages: Int
        public let isCurrent: Bool
    }

    package let output: String
    package let folder: ReleaseFolder

    /// - Parameter output: the output folder, with `current` and `releases` in it.
    public init(in output: String) {
        self.output = output
        folder = ReleaseFolder(output: output)
    }

    /// Oldest first.
    public func list() throws(CommandError) -> [Release] {
        do {
            let current = folder.current
            return try folder.numbers().map { number throws(SystemError) in
                Release(
                    number: number,
                    time: try FileStatus(of: folder.release(number)).modifiedSeconds,
                    pages: try Self.pages(in: "\(folder.release(number))/site"),
                    isCurrent: number == current
                )
            }
        } catch {
            if error.isMissingFile {
                throw CommandError("there is no release in '\(output)'")
            }
            throw CommandError("\(error)", isDisk: true)
        }
    }

    /// Makes another release the current one, policy and pages in one step.
    ///
    /// It takes the lock of builds, because a running build would change `current` again.
    ///
    /// - Parameter number: `nil` for the release before the current one.
    /// - Returns: the numbers of the previous and of the new current release.
    public func rollBack(to number: Int?) throws(CommandError) -> (from: Int?, to: Int) {
        // Checked before taking the lock, which creates a file even where there is no release.
        _ = try list()
        do {
            guard let lock = try FileLock.take("\(output)/.lock") else {
                throw CommandError(
                    "a build publishes to '\(output)'; try again when it has ended",
                    isDisk: true
                )
            }
            let flip = try flip(to: number)
            _ = consume lock
            return flip
        } catch let refusal as CommandError {
            throw refusal
        } catch {
            throw CommandError("\(error)", isDisk: true)
        }
    }

    private func flip(to number: Int?) throws -> (from: Int?, to: Int) {
        // Complete releases that were never current are no target of a rollback.
        _ = folder.removeLeftovers()
        let releases = try list()
        let current = releases.first(where: \.isCurrent)?.number
        let before = releases.last { $0.number < current ?? 0 }?.number
        let known = releases.map { "\($0.number)" }.joined(separator: ", ")
        guard let wanted = number ?? before else {
            let message = "there is no release before the current one; the releases are \(known)"
            throw CommandError(message)
        }
        guard releases.contains(where: { $0.number == wanted }) else {
            let message = "there is no release \(wanted); the releases are \(known)"
            throw CommandError(message)
        }
        try folder.makeCurrent(wanted)
        // The rollback is done. If syncing fails, only a power loss could undo it.
        _ = folder.settle(syncs: true)
        return (current, wanted)
    }

    /// Who may read a release: its policy, and the URLs of its pages and files.
    ///
    /// - Parameter number: `nil` for the current release.
    package func access(of number: Int?) throws(CommandError) -> (
        policy: AccessPolicy, urls: Set<String>
    ) {
        let releases = try list()
        guard
            let release = releases.first(where: {
                $0.number == number ?? -1 || number == nil && $0.isCurrent
            })
        else {
            let known = releases.map { "\($0.number)" }.joined(separator: ", ")
            let wanted = number.map { "release \($0)" } ?? "current release"
            throw CommandError("there is no \(wanted); the releases are \(known)")
        }
        let path = folder.release(release.number)
        do {
            let bytes = try File.read("\(path)/access", maximumBytes: AccessPolicy.maximumBytes)
            let policy = try AccessPolicy(reading: String(decoding: bytes, as: UTF8.self))
            var urls: Set<String> = []
            try Self.collect("\(path)/site", "/", &urls)
            return (policy, urls)
        } catch let error as AccessPolicy.ReadError {
            throw CommandError("\(path)/access:\(error.line): \(error.message)")
        } catch {
            throw CommandError("\(error)", isDisk: true)
        }
    }

    /// The URLs of the files in a folder, except compressed copies.
    private static func collect(
        _ folder: String,
        _ url: String,
        _ urls: inout Set<String>
    ) throws(SystemError) {
        let entries = try Folder.entries(of: folder)
        let names = Set(entries.map(\.name))
        for entry in entries {
            if entry.kind == .folder {
                try collect("\(folder)/\(entry.name)", "\(url)\(entry.name)/", &urls)
            } else if entry.name == "index.html" {
                urls.insert(url)
            } else if !(entry.name.hasSuffix(".gz")
                && names.contains(String(entry.name.dropLast(3))))
            {
                urls.insert(url + entry.name)
            }
        }
    }

    private static func pages(in folder: String) throws(SystemError) -> Int {
        var count = 0
        for entry in try Folder.entries(of: folder) {
            if entry.kind == .folder {
                count += try pages(in: "\(folder)/\(entry.name)")
            } else if entry.name == "index.html" {
                count += 1
            }
        }
        return count
    }
}
