import Deflate
import Diagnostics
import OpenSSL
import POSIX

/// Writes the pack of a release.
struct PackWriter: Sendable {
    let pack: Pack
    private let folder: OpenFolder

    /// - Parameter manifest: what the receiver has; `nil` for a pack with all files.
    init(
        _ release: ReleaseListing,
        site: String,
        made: Int,
        since manifest: ReleaseManifest?
    ) throws(CommandError) {
        folder = release.folder
        let entries = release.entries.map { entry in
            var entry = entry
            entry.isNew = !(manifest?.tags.contains(ReleaseManifest.tag(of: entry)) ?? false)
            return entry
        }
        pack = Pack(site: site, made: made, base: manifest?.release, entries: entries)
        try pack.checkEntries()
    }

    /// - Parameter write: takes the bytes of the pack, piece by piece.
    func write(
        signing key: Ed25519PrivateKey? = nil,
        to write: ([UInt8]) throws -> Void
    ) throws {
        let header = Array(pack.text.utf8)
        let digest = Digest.hexadecimal(Digest.sha256(header))
        let start = Array("\(Pack.firstLine)\nheader \(header.count) \(digest)\n".utf8)
        let signature = key.map { Digest.hexadecimal($0.signature(of: start)) } ?? "none"
        try write(start + Array("signature \(signature)\n".utf8))
        try writeBlocks(header[...], write)
        var pending: [UInt8] = []
        for entry in pack.entries where entry.isNew {
            let bytes = try folder.read(entry.path)
            guard bytes.count == entry.size, Digest.sha256(bytes) == entry.digest else {
                throw CommandError("'\(entry.path)' changed while it was packed; pack again")
            }
            pending += bytes
            let whole = pending.count / Pack.blockBytes * Pack.blockBytes
            try writeBlocks(pending[..<whole], write)
            pending.removeFirst(whole)
        }
        try writeBlocks(pending[...], write)
    }

    private func writeBlocks(_ bytes: ArraySlice<UInt8>, _ write: ([UInt8]) throws -> Void) throws {
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: Pack.blockBytes) {
            let end = min(start + Pack.blockBytes, bytes.endIndex)
            let data = Deflate.compress(bytes[start..<end])
            try write([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: data.count >> $0) } + data)
        }
    }
}
