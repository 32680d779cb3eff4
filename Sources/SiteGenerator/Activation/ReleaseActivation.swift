import Diagnostics
import POSIX
import Releases
import Site

/// Publishes a release that another machine has built: wholly, or not at all.
public struct ReleaseActivation: Sendable {
    public struct Outcome: Sendable, Equatable {
        /// The number of the new release, or of the current one if it stays.
        public let release: Int
        /// Whether the current release has the same files already.
        public let isUnchanged: Bool
        public let files: Int
        /// The number of files that are shared with the release before.
        public let linked: Int
        /// Errors after the release was published.
        public internal(set) var failures: [String]
    }

    private let output: String
    private let releasesKept: Int
    private let options: BuildOptions
    private let releases: ReleaseFolder

    /// The clocks of two machines may differ by this many seconds.
    private static let clockSkew = 300

    /// - Parameter options: time, waiting, and whether the release is synced to disk.
    public init(output: String, releasesKept: Int, _ options: BuildOptions) {
        self.output = output
        self.releasesKept = releasesKept
        self.options = options
        releases = ReleaseFolder(output: output)
    }

    /// - Parameter path: a folder with what `output/current/` of a build has.
    public func run(_ path: String) async throws(CommandError) -> Outcome {
        do { return try await activate(IncomingRelease(path)) } catch {
            let refusal = error as? CommandError
            throw CommandError(
                "nothing is published: \(refusal?.message ?? "\(error)")",
                isDisk: refusal?.isDisk ?? true
            )
        }
    }

    private func activate(_ incoming: IncomingRelease) async throws -> Outcome {
        guard
            let lock = try await OutputLock.take(
                output,
                secondsToWait: options.secondsToWait,
                tellWait: options.tellWait
            )
        else {
            throw CommandError(
                "another build publishes to '\(output)'; '--wait' sets how long to wait for it",
                isDisk: true
            )
        }
        let writer = try ReleaseWriter(output: output, syncs: options.syncs)
        var outcome: Outcome
        do { outcome = try await publish(incoming, writer) } catch {
            await writer.discard()
            throw error
        }
        _ = consume lock
        outcome.failures += await writer.cleanUp()
        return outcome
    }

    private func publish(
        _ incoming: IncomingRelease,
        _ writer: ReleaseWriter
    ) async throws -> Outcome {
        try checkTime(of: incoming)
        try await incoming.write(to: writer)
        let current = writer.unchanged
        // From here on, older releases are refused.
        try File.setModified(
            current.map(releases.release) ?? releases.partial(writer.number),
            seconds: incoming.made
        )
        return Outcome(
            release: current ?? writer.number,
            isUnchanged: current != nil,
            files: incoming.files.count,
            linked: writer.counts.linked,
            failures: try await current == nil
                ? writer.finish(keeping: releasesKept) : writer.keepCurrent()
        )
    }

    /// Refuses a release that was built before one of those that are here.
    ///
    /// Otherwise a job of the CI that is slow would bring back pages and rules that are no longer
    /// right. Going back is `sitegen releases rollback`.
    private func checkTime(of incoming: IncomingRelease) throws {
        guard incoming.made <= options.now + Self.clockSkew else {
            throw CommandError(
                "the release was built \(incoming.made - options.now) s after now; set the clocks"
                    + " right"
            )
        }
        for number in try releases.numbers()
        where try FileStatus(of: releases.release(number)).modifiedSeconds > incoming.made {
            throw CommandError(
                "release \(number) was built later; 'sitegen releases rollback' goes back to an"
                    + " older one"
            )
        }
    }
}
