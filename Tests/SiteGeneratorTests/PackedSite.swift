import Deflate
import Fixtures
import OpenSSL
import POSIX

@testable import SiteGenerator

/// A CI machine with releases, and a server that activates its packs, in one folder.
final class PackedSite: Sendable {
    static let site = "https://docs.example.com"
    static let now = 1_795_348_800
    static let access = "site-access 1\nallow signed-in /\nend 1\n"
    /// What every release has.
    static let required = Dictionary(uniqueKeysWithValues: Pack.required.map { ($0, "frame") })
        .merging(["access": access, "redirects.map": ""]) { $1 }
    private static let long = String(repeating: " and more words", count: 100)
    static let pages = [
        "site/index.html": "<h1>Home</h1>\(long)", "site/travel/index.html": "Travel\(long)",
        "site/hr/index.html": "Salaries\(long)", "site/hr/list.pdf": "%PDF",
        "site/_reader/public.json": "{}", theme("body {}"): "body {}",
    ]

    let folder: TemporaryFolder
    var ci: String { folder.path("ci") }
    var server: String { folder.path("server/public") }

    init() throws { folder = try TemporaryFolder() }

    static func theme(_ text: String) -> String {
        "theme/site.\(Digest.hexadecimal(Digest.sha256(Array(text.utf8)).prefix(8))).css"
    }

    /// Makes a release on the CI machine.
    ///
    /// - Parameter time: in seconds, relative to now.
    func build(_ changes: [String: String?] = [:], at time: Int = 0) throws {
        var files = Self.required.merging(Self.pages) { $1 }
        for (path, text) in changes { files[path] = text }
        let writer = try ReleaseWriter(output: ci, syncs: false)
        for (path, text) in files {
            var file = OutputFile(path: path, content: .bytes(Array(text.utf8)))
            file.isCompressed = path.hasSuffix(".html")
            _ = try writer.write(file)
        }
        _ = try writer.finish(keeping: 2)
        let release = ReleaseFolder(output: ci).release(writer.number)
        try File.setModified(release, seconds: Self.now + time)
    }

    /// The pack of the last build.
    func pack(
        since manifest: String? = nil,
        signingWith key: [UInt8]? = nil,
        site: String = site
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try await Releases(in: ci).pack(
            site: site,
            since: manifest.map { Array($0.utf8) },
            signingWith: key
        ) { bytes += $0 }
        return bytes
    }

    /// Builds, packs and activates.
    @discardableResult
    func publish(
        _ changes: [String: String?] = [:],
        at time: Int = 0
    ) async throws -> PackActivation.Outcome {
        try build(changes, at: time)
        return try await activate(pack(since: manifest()))
    }

    func manifest() async throws -> String { try await Releases(in: server).manifest() }

    func activate(
        _ pack: [UInt8],
        keeping count: Int = 5,
        trusting key: [UInt8]? = nil
    ) async throws -> PackActivation.Outcome {
        let path = folder.path("\(UInt64.random(in: 0 ... .max)).pack")
        try File.write(pack, to: path)
        defer { try? File.remove(path) }
        var options = BuildOptions(now: Self.now)
        options.syncs = false
        return try await PackActivation(
            output: server,
            site: Self.site,
            releasesKept: count,
            trustedKey: key,
            options
        ).run(path)
    }

    /// Why a pack is refused; `nil` if it is activated.
    func refusal(_ pack: [UInt8], trusting key: [UInt8]? = nil) async throws -> String? {
        do {
            _ = try await activate(pack, trusting: key)
            return nil
        } catch let error as CommandError {
            return error.message
        }
    }

    /// Everything on the server, by path, and the release that readers see.
    func onServer() throws -> [String: [UInt8]] {
        var all = try Self.files(folder.path("server"))
        all["public/.lock"] = nil
        let current = SymbolicLink.destination(of: "\(server)/current") ?? ""
        all["current"] = Array(current.utf8)
        return all
    }

    /// The files of a current release.
    static func release(_ output: String) throws -> [String: [UInt8]] {
        guard let current = ReleaseFolder(output: output).current else { return [:] }
        var files = try files("\(output)/releases/\(current)")
        files["pack"] = nil
        return files
    }

    private static func files(_ folder: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for entry in (try? Folder.entries(of: folder)) ?? [] {
            let path = "\(folder)/\(entry.name)"
            if entry.kind == .folder {
                files[entry.name + "/"] = []
                for (name, bytes) in try self.files(path) { files["\(entry.name)/\(name)"] = bytes }
            } else if entry.kind == .file {
                files[entry.name] = try File.read(path)
            }
        }
        return files
    }

    /// A pack with any header: its digests and blocks are right, so what is refused is what it says.
    static func pack(header: String, contents: [UInt8] = []) -> [UInt8] {
        let header = Array(header.utf8)
        let digest = Digest.hexadecimal(Digest.sha256(header))
        let start = "site-pack 1\nheader \(header.count) \(digest)\nsignature none\n"
        return Array(start.utf8) + blocks(header) + blocks(contents)
    }

    static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: Pack.blockBytes).flatMap { start in
            let end = min(start + Pack.blockBytes, bytes.count)
            let data = Deflate.compress(bytes[start..<end])
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: data.count >> $0) } + data
        }
    }

    /// A pack of any files, sorted and listed as they are.
    static func pack(_ files: [String: String], made: Int = now, site: String = site) -> [UInt8] {
        let sorted = files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let entries = sorted.map { path, text in
            Pack.Entry(
                path: path,
                size: text.utf8.count,
                digest: Digest.sha256(Array(text.utf8))
            )
        }
        let header = Pack(site: site, made: made, base: nil, entries: entries).text
        return pack(header: header, contents: sorted.flatMap { Array($0.value.utf8) })
    }
}
