import Deflate
import Diagnostics
import OpenSSL
import POSIX

/// The files of a release on disk, with their digests: what a pack and a manifest are made from.
///
/// Every file is read, so a file that somebody has changed has its new digest.
struct ReleaseListing: Sendable {
    let entries: [Pack.Entry]
    let folder: OpenFolder

    init(_ release: String) async throws {
        let folder = try OpenFolder(release)
        self.folder = folder
        let paths = try Self.paths(in: folder, "")
        let all = Set(paths)
        let originals = paths.filter { path in
            path != Pack.recordPath && !(path.hasSuffix(".gz") && all.contains(Self.original(path)))
        }
        let results = await originals.concurrentMap { path in
            Result { try Self.entries(path, hasCopy: all.contains("\(path).gz"), folder) }
        }
        entries = try results.flatMap { try $0.get() }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The files of a path and of its compressed copy.
    private static func entries(
        _ path: String,
        hasCopy: Bool,
        _ folder: OpenFolder
    ) throws -> [Pack.Entry] {
        let bytes = try folder.read(path)
        let file = Pack.Entry(path: path, size: bytes.count, digest: Digest.sha256(bytes))
        guard hasCopy else { return [file] }
        let copy = try folder.read("\(path).gz")
        // An author's file may have that name, too.
        if Compression.endings.contains(where: path.hasSuffix),
            bytes.count >= 860, copy.count < bytes.count,
            Gzip.isCompressed(copy, from: bytes)
        {
            var compressed = file
            compressed.isCompressed = true
            return [compressed]
        }
        return try [file] + entries("\(path).gz", hasCopy: false, folder)
    }

    private static func original(_ path: String) -> String { String(path.dropLast(3)) }

    private static func paths(in folder: OpenFolder, _ subfolder: String) throws -> [String] {
        var paths: [String] = []
        for entry in try folder.entries(of: subfolder) {
            let path = subfolder.isEmpty ? entry.name : "\(subfolder)/\(entry.name)"
            switch entry.kind {
            case .folder: paths += try self.paths(in: folder, path)
            case .file: paths.append(path)
            case .symbolicLink, .other:
                throw CommandError("'\(path)' in the release is no file that sitegen has made")
            }
        }
        return paths
    }
}
