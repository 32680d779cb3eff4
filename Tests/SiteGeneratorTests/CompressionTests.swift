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
        // Smaller files have no copy at all.
        #expect(try Self.bytes(sections).count > 1000)
        #expect(!compressed.contains("_reader/group/hr.json.gz"))
    }

    /// As gzip writes it: with a time, which the copies of sitegen do not have.
    static func gzip(_ text: String) -> [UInt8] {
        var file = Gzip.compress(Array(text.utf8))
        file[4] = 1
        return file
    }

    @Test func `an author's own copy of a file stays as it is`() async throws {
        let source = try TemporarySite()
        let rows = String(repeating: "1,2,3\n", count: 500)
        try source.write("sitegen.toml", "precompress = true")
        try source.write("site/index.md", "# Home")
        try source.write("site/rows.csv", rows)
        let copy = source.folder.appending(path: "site/rows.csv.gz")
        try Data(Self.gzip(rows)).write(to: copy)
        var file = try await source.release().appending(path: "site/rows.csv.gz")
        #expect(try Self.bytes(file) == Self.gzip(rows))
        // Gone, and nobody takes it for ours.
        try FileManager.default.removeItem(at: copy)
        file = try await source.release().appending(path: "site/rows.csv.gz")
        #expect(try Self.bytes(file) == Gzip.compress(Array(rows.utf8)))
    }

    @Test(
        arguments: [
            "index.html", "pay/index.html", "search/index.html", "tags/index.html", "rows.csv",
            "picture.bin", "_reader/public.json", "sitemap.xml",
            "Pay/index.html",
        ],
        [[UInt8]("forged".utf8), gzip("<h1>forged</h1>")]
    )
    func `a file is not replaced by a compressed one of another text`(
        _ path: String,
        _ bytes: [UInt8]
    ) async throws {
        let source = try TemporarySite([
            "sitegen.toml": "base_url = 'https://docs.example.com'\naccess = 'public'",
            "site/index.md": "# Home", "site/pay/index.md": "---\ntags: [a]\n---\n# Pay",
            "site/rows.csv": "1,2", "site/picture.bin": "1",
        ])
        try source.write("site/\(path).gz", "")
        try Data(bytes).write(to: source.folder.appending(path: "site/\(path).gz"))
        let outcome = await source.build()
        #expect(outcome.release == nil)
        #expect(
            outcome.diagnostics.contains {
                $0.message.contains(".gz") || $0.rule == "duplicate-output"
            }
        )
    }
}
