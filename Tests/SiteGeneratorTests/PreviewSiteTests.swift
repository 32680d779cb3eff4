import Diagnostics
import Fixtures
import Foundation
import Testing

@testable import Site
@testable import SiteGenerator

@Suite struct PreviewSiteTests {
    /// - Parameters:
    ///   - toml: is written first.
    ///   - known: the site as it was before.
    static func read(
        _ site: TemporarySite,
        toml: String? = nil,
        after known: LoadedSite? = nil
    ) async throws -> PreviewSite {
        var options = BuildOptions(now: 0)
        options.asksGit = false
        if let toml { try site.write("sitegen.toml", toml) }
        let found = SiteFolders.find("\(site.folder.path)/sitegen.toml", options)
        return PreviewSite(await LoadedSite(try #require(found.folders), options, after: known))
    }

    /// What a build refuses because it is in doubt who may read a page.
    @Test(arguments: [
        // A rule that is left out with its file.
        [
            "sitegen.toml": "exclude = ['hr/index.md']\n[groups]\nhr = { role = 'HR' }\n",
            "site/hr/index.md": "---\naccess: [hr]\n---\n# HR\n", "site/hr/pay.md": "# Pay\n",
        ],
        // A rule in a file that would be copied.
        ["site/pay.txt": "---\naccess: [hr]\n---\nPay\n"],
        // A generated page for other readers than its URL.
        [
            "site/a.md": "---\naccess: public\nwidens: true\naliases: [/hr/old/]\n---\n# A\n",
            "site/hr/old.md": "---\naccess: [hr]\n---\n# Old\n",
        ],
        // A compressed file that would be sent in place of a page.
        ["site/index.html.gz": "forged"],
        ["site/pay.md": "---\nacces: [hr]\n---\n# Pay\n"],
    ])
    func `a site in which it is in doubt who may read what is not shown`(
        _ files: [String: String]
    ) async throws {
        let usual = [
            "sitegen.toml": "[groups]\nhr = { role = 'HR' }\n", "site/index.md": "# Home\n",
        ]
        let site = try TemporarySite(files.merging(usual) { given, _ in given })
        let preview = try await Self.read(site)
        #expect(await preview.loaded.check().hasErrors)
        #expect(!preview.loaded.isSound)
    }

    @Test func `dead links stand in no way`() async throws {
        let site = try TemporarySite(["sitegen.toml": "", "site/index.md": "[a](b.md)\n"])
        let preview = try await Self.read(site)
        #expect(await preview.loaded.check().hasErrors)
        #expect(preview.loaded.isSound)
    }

    @Test func `what a baseline has stands in no way`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "baseline = 'b.json'\n", "site/index.md": "---\nrules: a\n---\n",
        ])
        #expect(try await !Self.read(site).loaded.isSound)
        _ = await site.build { $0.checks.writesBaseline = true }
        #expect(try await Self.read(site).loaded.isSound)
    }

    @Test func `a page that was changed after it was read is not rendered`() async throws {
        let site = try TemporarySite(["sitegen.toml": "", "site/index.md": "# Home\n"])
        let preview = try await Self.read(site)
        #expect(try await preview.file(at: "site/index.html") != nil)
        try site.write("site/index.md", "---\naccess: public\n---\n# Secret\n")
        await #expect(throws: PreviewSite.Changed.self) {
            try await preview.file(at: "site/index.html")
        }
    }

    @Test func `a check writes nothing`() async throws {
        let site = try TemporarySite(
            ["sitegen.toml": "", "site/index.md": "```dot\ngraph { a }\n```\n"],
            hasBuiltInTheme: true
        )
        _ = await site.build { $0.checks.publishes = false }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: site.folder.path).sorted()
                == ["site", "sitegen.toml"]
        )
    }
}
