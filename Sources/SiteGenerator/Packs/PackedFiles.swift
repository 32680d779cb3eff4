import Access
import Deflate
import Diagnostics
import OpenSSL
import POSIX

/// Writes the files of a pack into a new release, each only if it is what the pack says.
struct PackedFiles: Sendable {
    private struct File: Sendable {
        let entry: Pack.Entry
        /// `nil` for the content in the base.
        let bytes: [UInt8]?
    }

    private let pack: Pack
    private let writer: ReleaseWriter
    /// The release that has the files that are not new.
    private let base: OpenFolder?

    /// Files are written in portions of about this size, each on all cores.
    private static let portionBytes = 16 << 20

    init(_ pack: Pack, _ output: String, _ writer: ReleaseWriter) throws {
        self.pack = pack
        self.writer = writer
        let releases = ReleaseFolder(output: output)
        guard let number = pack.base, pack.entries.contains(where: { !$0.isNew }) else {
            base = nil
            return
        }
        guard try releases.numbers().contains(number) else {
            throw CommandError(
                "the pack builds on release \(number), which is not here; pack again, with the"
                    + " manifest of the current release"
            )
        }
        base = try OpenFolder(releases.release(number))
    }

    /// - Returns: the number of files that are shared with the release before.
    func write(_ reader: PackReader) async throws -> Int {
        var reader = reader
        var linked = try await write(
            pack.entries.filter { !$0.isNew }.map { File(entry: $0, bytes: nil) }
        )
        var portion: [File] = []
        var bytes = 0
        for entry in pack.entries where entry.isNew {
            portion.append(File(entry: entry, bytes: try reader.read(entry)))
            bytes += entry.size
            guard bytes >= Self.portionBytes || portion.count == 1000 else { continue }
            linked += try await write(portion)
            portion = []
            bytes = 0
        }
        linked += try await write(portion)
        try reader.end()
        try checkCopies()
        let record = Array(PackRecord(pack).text.utf8)
        try writer.write(record, to: Pack.recordPath)
        return linked
    }

    /// Refuses a file `X.gz` of another text beside X; see ``CompressedCopies``.
    private func checkCopies() throws {
        let paths = Set(pack.entries.map(\.path))
        for entry in pack.entries where entry.path.hasSuffix(".gz") {
            let original = String(entry.path.dropLast(3))
            guard paths.contains(original) else { continue }
            guard try Gzip.decompresses(writer.read(entry.path), to: writer.read(original)) else {
                let shown = SitePathName.encode(entry.path)
                throw CommandError("'\(shown)' is no compressed copy of the file beside it")
            }
        }
    }

    private func write(_ files: [File]) async throws -> Int {
        let results = await files.concurrentMap { file in Result { try write(file) } }
        return try results.count { try $0.get() }
    }

    /// - Returns: whether the file is shared with the release before.
    private func write(_ file: File) throws -> Bool {
        let entry = file.entry
        let bytes = try file.bytes ?? old(entry)
        guard Digest.sha256(bytes) == entry.digest else {
            throw file.bytes == nil ? altered(entry) : CommandError("the pack is damaged")
        }
        if let mistake = Self.mistake(entry.path, bytes) {
            throw CommandError("'\(SitePathName.encode(entry.path))': \(mistake)")
        }
        let linked = writer.counts.linked
        try writer.write(bytes, to: entry.path, isCompressed: entry.isCompressed)
        return writer.counts.linked > linked
    }

    private func old(_ entry: Pack.Entry) throws -> [UInt8] {
        // No link is followed; what is larger than the pack says is not read.
        guard let bytes = try? base?.read(entry.path, maximumBytes: entry.size) else {
            throw altered(entry)
        }
        return bytes
    }

    private func altered(_ entry: Pack.Entry) -> CommandError {
        CommandError(
            "'\(SitePathName.encode(entry.path))' in release \(pack.base ?? 0) is not the file that"
                + " the pack takes from there; pack again, without '--since'"
        )
    }

    /// What is wrong with the content of a file that this machine's programs read, or that is served
    /// without a check.
    private static func mistake(_ path: String, _ bytes: [UInt8]) -> String? {
        if path == "access" {
            let text = String(validating: bytes, as: UTF8.self)
            return text.flatMap(AccessPolicy.init(text:)) == nil
                ? "it is not a list of who may read what" : nil
        }
        if path == "redirects.map" {
            return RedirectLine.areAll(bytes)
                ? nil : "it has a line that is not a redirect within the site, or an address twice"
        }
        if Pack.required.contains(path), String(validating: bytes, as: UTF8.self) == nil {
            return "it is not text in UTF-8"
        }
        // All releases share the theme, and each file stays as it is first written: one with the
        // name of a later file would be served in its place.
        if path.hasPrefix(Theme.folder) {
            return Theme.isFingerprinted(path, bytes)
                ? nil : "the name of a theme file contains the digest of the file"
        }
        return nil
    }
}
