import Access
import Diagnostics
import OpenSSL
import POSIX

/// Checks a pack and publishes its release: wholly, or not at all.
public struct PackActivation: Sendable {
    public struct Outcome: Sendable, Equatable {
        /// The number of the new release, or of the current one if it stays.
        public let release: Int
        /// Whether the current release has the same files already.
        public let isUnchanged: Bool
        public let files: Int
        /// The number of files that are shared with the release before.
        public let linked: Int
        /// Errors after the release was published.
        public let failures: [String]
    }

    private let output: String
    private let site: String
    private let releasesKept: Int
    private let trustedKey: Ed25519PublicKey?
    private let options: BuildOptions

    /// The clocks of two machines may differ by this many seconds.
    private static let clockSkew = 300

    /// - Parameters:
    ///   - site: the site as its packs name it.
    ///   - trustedKey: the text of a file in PEM, if packs have to be signed.
    ///   - options: time, waiting, and whether the release is synced to disk.
    public init(
        output: String,
        site: String,
        releasesKept: Int,
        trustedKey: [UInt8]?,
        _ options: BuildOptions
    ) throws(CommandError) {
        self.output = output
        self.site = site
        self.releasesKept = releasesKept
        do throws(KeyRejection) {
            self.trustedKey = try trustedKey.map { pem throws(KeyRejection) in
                try Ed25519PublicKey(pem: pem)
            }
        } catch { throw CommandError("the trusted key cannot be used: \(error)") }
        self.options = options
    }

    /// Takes a pack from standard input.
    ///
    /// It is received wholly before the lock is taken: a sender who stops halfway would keep
    /// everybody else from publishing.
    public func runFromStandardInput() async throws(CommandError) -> Outcome {
        try await reported {
            try ReleaseFolder(output: output).create()
            let file = try ScratchFile(in: output)
            var size = 0
            var isKnown = false
            while case let bytes = try StandardInput.read(atMost: 1 << 20), !bytes.isEmpty {
                guard size + bytes.count <= Pack.maximumBytes else {
                    throw CommandError("the pack is larger than 8 GiB")
                }
                try file.write(bytes, at: size)
                size += bytes.count
                // Nothing more is stored of what nobody signed.
                if !isKnown, size >= PackStart.maximumBytes {
                    try PackStart(of: file).verify(trustedKey)
                    isKnown = true
                }
            }
            return try await activate(file)
        }
    }

    public func run(_ path: String) async throws(CommandError) -> Outcome {
        try await reported {
            guard try FileStatus(of: path).kind == .file else {
                throw CommandError("'\(path)' is not a file")
            }
            return try await activate(ScratchFile(reading: Host.realPath(path) ?? path))
        }
    }

    private func reported(
        _ work: () async throws -> Outcome
    ) async throws(CommandError) -> Outcome {
        do { return try await work() } catch {
            let refusal = error as? CommandError
            throw CommandError(
                "nothing is published: \(refusal?.message ?? "\(error)")",
                isDisk: refusal?.isDisk ?? true
            )
        }
    }

    /// The pack may come from anybody: what a terminal would not show as it is, is encoded.
    private static func shown(_ site: String) -> String {
        site.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? site : SitePathName.encode(site)
    }

    private func activate(_ file: ScratchFile) async throws -> Outcome {
        let reader = try PackReader(file, trusting: trustedKey)
        let pack = reader.pack
        guard pack.site == site else {
            throw CommandError(
                "the pack is of the site '\(Self.shown(pack.site))', and here is '\(Self.shown(site))'"
            )
        }
        guard pack.made <= options.now + Self.clockSkew else {
            let seconds = pack.made - options.now
            throw CommandError(
                "the pack's release was built \(seconds) s after now; set the clocks right"
            )
        }
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
        if let current = try await currentRelease(with: pack) {
            try reader.verifyContents()
            let failures = remember(pack)
            _ = consume lock
            return Outcome(
                release: current,
                isUnchanged: true,
                files: pack.entries.count,
                linked: pack.entries.count,
                failures: failures
            )
        }
        let (writer, outcome) = try await publish(reader)
        var failures = outcome.failures + remember(pack)
        _ = consume lock
        failures += await writer.cleanUp()
        return Outcome(
            release: outcome.release,
            isUnchanged: false,
            files: outcome.files,
            linked: outcome.linked,
            failures: failures
        )
    }

    /// Refuses a pack that is not newer than each pack before, and than each release that was built
    /// here.
    ///
    /// Otherwise a stolen old pack, or a job of the CI that is slow, would bring back pages and
    /// rules that are no longer right. Going back is `sitegen releases rollback`.
    ///
    /// - Returns: the current release if it has the files of the pack.
    private func currentRelease(with pack: Pack) async throws -> Int? {
        let releases = ReleaseFolder(output: output)
        try Folder.create(releases.path)
        // A release that was never current, because its activation was killed, is no earlier one.
        // What cannot be removed is reported when the pack is published.
        _ = releases.removeLeftovers()
        var newest = releases.newestPack ?? Int.min
        var isRepair = false
        for number in try releases.numbers() {
            let release = releases.release(number)
            let record = try PackRecord(of: release)
            if number == releases.current, let record, record.contents == pack.contents {
                // The record says what was written, the files say what readers get.
                let files = try? await ReleaseListing(release).entries
                if files?.map(\.words) == pack.entries.map(\.words) { return number }
                isRepair = true
            }
            // Of one second, a pack counts as later than a build on this machine.
            newest = try max(newest, record?.made ?? FileStatus(of: release).modifiedSeconds - 1)
        }
        guard isRepair || pack.made > newest else {
            throw CommandError(
                "a release that was built later, or at the same second, was activated before;"
                    + " 'sitegen releases rollback' goes back to an older one"
            )
        }
        return nil
    }

    /// - Returns: errors.
    private func remember(_ pack: Pack) -> [String] {
        let releases = ReleaseFolder(output: output)
        guard pack.made > releases.newestPack ?? Int.min else { return [] }
        do { try releases.setNewestPack(pack.made) } catch { return ["\(error)"] }
        return []
    }

    private func publish(_ reader: PackReader) async throws -> (ReleaseWriter, Outcome) {
        let writer = try ReleaseWriter(output: output, syncs: options.syncs)
        do {
            let linked = try await PackedFiles(reader.pack, output, writer).write(reader)
            let failures = try writer.finish(keeping: releasesKept)
            let outcome = Outcome(
                release: writer.number,
                isUnchanged: false,
                files: reader.pack.entries.count,
                linked: linked,
                failures: failures
            )
            return (writer, outcome)
        } catch {
            await writer.discard()
            throw error
        }
    }
}
