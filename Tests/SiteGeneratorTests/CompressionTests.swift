import Access
import Deflate
import Foundation
import Testing

@testable import SiteGenerator

/// What stands beside a file under the name with `.gz`.
@Suite struct CompressionTests {
    private static func bytes(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }

    @Test func `a rule for one address is not gone round by the address with gz`() async throws {
        let source = try TemporarySite()
        try source.write(
            "sitegen.toml",
            "access = 'public'\nprecompress = true\n[groups]\nhr = { role = 'HR' }\n"
        )
        try source.write("site/index.md", "# Home")
        for number in 0..<50 {
            let name = "secret-\(number)"
            try source.write("site/\(name).md", "---\naccess: [hr]\n---\n# \(name)")
        }
        let release = try await source.release()
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
        let source = try TemporarySite()
        let rows = String(repeating: "1,2,3\n", count: 500)
        try source.write("sitegen.toml", "precompress = true")
        try source.write("site/index.md", "# Home")
        try source.write("site/rows.csv", rows)
        try source.write("site/rows.csv.gz", "the author's")
        var file = try await source.release().appending(path: "site/rows.csv.gz")
        #expect(try Self.bytes(file) == Array("the author's".utf8))
        // Gone, and nobody takes it for ours.
        try FileManager.default.removeItem(at: source.folder.appending(path: "site/rows.csv.gz"))
        file = try await source.release().appending(path: "site/rows.csv.gz")
        #expect(try Self.bytes(file) == Gzip.compress(Array(rows.utf8)))
    }
}
