import Access
import Foundation
import Testing
import Zlib

@testable import SiteGenerator

/// What stands beside a file under the name with `.gz`.
@Suite struct CompressionTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "gzip-\(UUID().uuidString)")

    private func write(_ path: String, _ text: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    /// Builds the site; returns its folder.
    private func build() async throws -> URL {
        let outcome = await SiteBuild.run(
            configurationPath: folder.path + "/sitegen.toml",
            BuildOptions(now: 0)
        )
        try #require(outcome.release != nil, "\(outcome.diagnostics)")
        return folder.appending(path: "public/current").resolvingSymlinksInPath()
    }

    private static func bytes(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }

    @Test func `a rule for one address is not gone round by the address with gz`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(
            "sitegen.toml",
            "access = 'public'\nprecompress = true\n[groups]\nhr = { role = 'HR' }\n"
        )
        try write("site/index.md", "# Home")
        for number in 0..<50 {
            let name = "secret-\(number)"
            try write("site/\(name).md", "---\naccess: [hr]\n---\n# \(name)")
        }
        let release = try await build()
        let text = try String(contentsOf: release.appending(path: "access"), encoding: .utf8)
        let policy = try #require(AccessPolicy(text: text))
        var compressed: Set<String> = []
        let site = release.appending(path: "site")
        for path in try FileManager.default.subpathsOfDirectory(atPath: site.path)
        where path.hasSuffix(".gz") {
            compressed.insert(path)
            let plain = String(path.dropLast(3))
            let file = site.appending(path: plain)
            #expect(try Self.bytes(site.appending(path: path)) == Gzip.compress(Self.bytes(file)))
            let audience = SitePath("/" + path).flatMap(policy.audience(of:))
            #expect(audience == SitePath("/" + plain).flatMap(policy.audience(of:)))
        }
        #expect(compressed.contains("index.html.gz"))
        #expect(compressed.contains("secret-7/index.html.gz"))
        // Its rule is for itself alone, and the whole site is open.
        let sections = site.appending(path: "_reader/group/hr.json")
        #expect(try Self.bytes(sections).count > Compression.leastBytes)
        #expect(!compressed.contains("_reader/group/hr.json.gz"))
    }

    @Test func `an author's own file of that name stays as it is`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let rows = String(repeating: "1,2,3\n", count: 500)
        try write("sitegen.toml", "precompress = true")
        try write("site/index.md", "# Home")
        try write("site/rows.csv", rows)
        try write("site/rows.csv.gz", "the author's")
        var file = try await build().appending(path: "site/rows.csv.gz")
        #expect(try Self.bytes(file) == Array("the author's".utf8))
        // Gone, and nobody takes it for ours.
        try FileManager.default.removeItem(at: folder.appending(path: "site/rows.csv.gz"))
        file = try await build().appending(path: "site/rows.csv.gz")
        #expect(try Self.bytes(file) == Gzip.compress(Array(rows.utf8)))
    }
}
