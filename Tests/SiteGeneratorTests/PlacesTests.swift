import Foundation
import Testing

@testable import Rules
@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

/// Where pages and releases lie, and which of them stands at an address that both have.
@Suite struct PlacesTests {
    @Test(
        arguments: [
            // The folder of sitegen.toml is 'p'; `nil` where a build may go on.
            ("p/site", "p/public", nil), ("p/site", "p/site", "is the source folder"),
            ("p/site", "p/site/", "is the source folder"),
            ("p/site", "p/new/../site", "is the source folder"),
            ("p/site", "p/link", "is the source folder"),
            ("p/site", "p/link/out", "is inside the source folder"),
            ("p/site", "p/site/public", "is inside the source folder"),
            ("p/site", "p/site/new/public", "is inside the source folder"),
            ("p/site", "p", "is inside the output folder"), ("p/site", "p/sites", nil),
            ("p/public/releases/3", "p/public", "is inside the output folder"),
            ("p", "p/public", nil), ("p", "p/new/public", nil), ("p", "p", "is the source folder"),
            ("", "public", nil), ("p/site", "elsewhere/new", nil),
        ] as [(String, String, String?)]
    )
    func `releases do not lie among the pages, nor pages among releases`(
        _ source: String,
        _ output: String,
        _ reason: String?
    ) throws {
        let location = try TemporarySite(["p/site/a.md": "", "p/public/releases/3/a": ""])
        let folder = location.folder.path
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/p/link",
            withDestinationPath: "site"
        )
        let found = OverlappingFolders.diagnostics(
            source: "\(folder)/\(source)",
            output: "\(folder)/\(output)",
            base: "\(folder)/p/"
        )
        #expect(found.isEmpty == (reason == nil), "\(found)")
        #expect(found.allSatisfy { $0.severity == .error && $0.message.contains(reason ?? "") })
    }

    @Test func `a build into its own pages is refused the first time, and writes nothing`()
        async throws
    {
        let site = try TemporarySite(
            ["sitegen.toml": "", "site/a.md": "# A\n"],
            hasBuiltInTheme: true
        )
        for output in ["site", "site/public"] {
            let outcome = await site.build { $0.output = "\(site.folder.path)/\(output)" }
            #expect(outcome.release == nil && outcome.hasErrors)
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: site.folder.path)
        #expect(files.sorted() == ["site", "site/a.md", "sitegen.toml"])
    }

    @Test(
        arguments: [
            ("search.md", "replaces '/search/', the search page that would be generated"),
            (
                "search/index.md",
                "replaces '/search/', the search page that would be generated"
            ),
            ("tags.md", "replaces '/tags/', the list of tags that would be generated"),
            ("feed.xml", "replaces '/feed.xml', the feed that would be generated"),
            ("sitemap.xml", "replaces '/sitemap.xml', the sitemap that would be generated"),
            (
                "robots.txt",
                "replaces '/robots.txt', the file for search engines that would be generated"
            ),
            (
                "404.md",
                "does not replace the page for URLs that do not exist; a template '404.html' does"
            ),
            (
                "404.html",
                "does not replace the page for URLs that do not exist; a template '404.html' does"
            ),
            ("find.md", nil),
        ] as [(String, String?)]
    )
    func `a file that replaces a generated page is published, and reported`(
        _ path: String,
        _ message: String?
    ) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "base_url = \"https://example.com\"\n",
            "site/a.md": "---\ndate: 2026-01-02\ntags: [x]\n---\n# A\n",
            "site/\(path)": "# The author's\n",
        ])
        let outcome = await site.build()
        #expect(outcome.release == 1)
        let found = outcome.diagnostics.filter { $0.rule == Rule.replacedOutput.rawValue }
        #expect(found.map(\.message) == [message].compactMap(\.self))
        #expect(
            found.allSatisfy {
                $0.severity == .warning && $0.location?.path.hasSuffix(path) == true
            }
        )
        let url = path.hasSuffix(".md") ? SitePathName.url(ofPage: path) + "index.html" : "/\(path)"
        let text = try String(contentsOfFile: "\(site.current.path)/site\(url)", encoding: .utf8)
        #expect(text.contains("The author's"))
    }

    @Test func `where the build makes nothing, nothing is replaced`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "search = false\n", "site/search.md": "# S\n", "site/tags.md": "# T\n",
            "site/robots.txt": "User-agent: *\nAllow: /\n",
        ])
        #expect(await site.build().diagnostics.isEmpty)
    }

    @Test func `an alias of two pages can be lowered to a warning, and the first page keeps it`()
        async throws
    {
        let site = try TemporarySite([
            "sitegen.toml": "[groups]\nhr = { role = \"HR\" }\n",
            "site/a.md": "---\naliases: [/Old/]\n---\n# A\n",
            "site/b.md": "---\naliases: [/old/]\naccess: [hr]\n---\n# B\n",
        ])
        let outcome = await site.build()
        #expect(outcome.release == nil)
        #expect(outcome.diagnostics.map(\.rule) == [Rule.alias.rawValue])
        try site.write(
            "sitegen.toml",
            "[groups]\nhr = { role = \"HR\" }\n[checks]\nalias = \"off\"\n"
        )
        let release = try await site.release()
        let policy = try String(contentsOf: release.appending(path: "access"), encoding: .utf8)
        #expect(policy.contains("allow signed-in /\n") && !policy.contains("[hr] /old/"))
        let moved = release.appending(path: "site/Old/index.html")
        #expect(try String(contentsOf: moved, encoding: .utf8).contains("/a/"))
    }
}
