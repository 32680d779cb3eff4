import Diagnostics
import OpenSSL
import POSIX

extension Releases {
    /// What a machine that packs a release has to know of the current one here; see
    /// ``ReleaseManifest``.
    public func manifest() async throws(CommandError) -> String {
        do {
            guard let current = folder.current else {
                return ReleaseManifest(release: nil, []).text
            }
            let listing = try await ReleaseListing(folder.release(current))
            return ReleaseManifest(release: current, listing.entries).text
        } catch { throw Self.commandError(error) }
    }

    /// Packs the current release.
    ///
    /// - Parameters:
    ///   - site: names the site.
    ///   - manifest: what the receiver has; `nil` for a pack with all files.
    ///   - key: a private key in PEM that signs the pack.
    ///   - write: takes the bytes of the pack, piece by piece.
    /// - Returns: the number of the release, and of its files and those in the pack.
    public func pack(
        site: String,
        since manifest: [UInt8]?,
        signingWith key: [UInt8]?,
        to write: ([UInt8]) throws -> Void
    ) async throws(CommandError) -> (release: Int, files: Int, new: Int) {
        do {
            guard let current = folder.current else {
                throw CommandError("there is no release in '\(output)'; 'sitegen build' makes one")
            }
            var known: ReleaseManifest?
            if let manifest {
                known = ReleaseManifest(text: manifest)
                guard known != nil else {
                    throw CommandError(
                        "the file of '--since' is not what 'sitegen releases manifest' prints"
                    )
                }
            }
            let signer = try key.map { try Ed25519PrivateKey(pem: $0) }
            let release = folder.release(current)
            let made = try FileStatus(of: release).modifiedSeconds
            let listing = try await ReleaseListing(release)
            let writer = try PackWriter(listing, site: site, made: made, since: known)
            try writer.write(signing: signer, to: write)
            let entries = writer.pack.entries
            return (current, entries.count, entries.count { $0.isNew })
        } catch { throw Self.commandError(error) }
    }

    private static func commandError(_ error: any Error) -> CommandError {
        if let error = error as? CommandError { return error }
        if let error = error as? KeyRejection {
            return CommandError("the key cannot be used: \(error)")
        }
        return CommandError("\(error)", isDisk: true)
    }
}
