import Foundation
import POSIX
import Testing

@testable import Site

/// A build beside a release makes what a build into an empty folder makes.
@Suite struct RepeatedBuildTests {
    /// Words such as `zq1z` stand in one text alone.
    private static let files = [
        "sitegen.toml": configuration("title = 'Title zq1z'"),
        "site/index.md": "# Home zq2z\n\n[a](a.md#part) [data](data.csv)\n",
        "site/a.md": "---\ntags: [first]\n---\n# Page zq3z\n\n## Part\n\nText zq4z.\n",
        "site/b.md": "# B\n\n[to A](a.md) [[Pay]]\n\n```sh\ntrue\n```\n",
        "site/hr/index.md": "---\naccess: [hr]\n---\n# HR\n\nSecret zq5z.\n",
        "site/hr/pay.md": "# Pay\n\n[home](../index.md)\n",
        "site/data.csv": "zq6z\n",
        "templates/wide.html": "<p>Wide zq7z {{title}}</p>{{{content}}}",
        "templates/theme/site.css/own.css": "/* own */\n.zq8z { color: red }\n",
    ]

    private static func configuration(_ settings: String) -> String {
        """
        base_url = "https://docs.example.com"
        fsync = false
        \(settings)
        [groups]
        hr = { role = "HR" }
        board = { role = "Board" }
        [checks]
        dead-link = "warning"
        dead-anchor = "warning"

        """
    }

    /// What is written after each build, one after the other; `nil` removes a file.
    private static let changes: [[String: String?]] = [
        ["site/a.md": "---\ntags: [first]\n---\n# Page zq3z\n\n## Part\n\nText zq11z.\n"],
        ["site/a.md": "---\ntags: [first]\n---\n# Page zq12z\n\n## Part\n\nText zq11z.\n"],
        ["site/a.md": "---\ntags: [second]\n---\n# Page zq12z\n\n## Other\n\nText zq11z.\n"],
        ["site/b.md": "---\nlinkTitle: Label zq13z\nweight: 1\n---\n# B\n\n[to A](a.md)\n"],
        ["site/b.md": "---\ntemplate: wide\naliases: [/old/b/]\n---\n# B\n\n[to A](a.md)\n"],
        ["templates/wide.html": "<p>Wide zq14z {{title}}</p>{{{content}}}"],
        ["templates/theme/site.css/own.css": ".zq15z { color: blue }\n"],
        ["templates/announcement.md": "Closed on zq16z\n"],
        ["sitegen.toml": configuration("title = 'Title zq17z'")],
        ["sitegen.toml": configuration("title = 'Title zq17z'\nprecompress = true")],
        ["site/hr/index.md": "---\naccess: [hr, board]\n---\n# HR\n\nSecret zq5z.\n"],
        ["site/hr/pay.md": "---\naccess: [board]\n---\n# Pay\n\nzq18z\n"],
        ["site/hr/pay.md": nil, "site/hr/wages.md": "# Wages\n\nzq19z\n"],
        ["site/hr/wages.md": "---\ndraft: true\n---\n# Wages\n\nzq19z\n"],
        ["site/data.csv": "zq20z\n"],
        ["site/SUMMARY.md": "- [Zweite zq21z](b.md)\n- [Erste](a.md)\n"],
        ["site/SUMMARY.md": nil, "templates/announcement.md": nil],
        ["sitegen.toml": configuration("language = 'de'\nlistings = 'all'")],
        ["sitegen.toml": configuration("search = false\nhighlight = false")],
        files.mapValues { $0 }.merging([
            "site/hr/wages.md": nil, "templates/announcement.md": nil,
        ]) { $1 },
    ]

    private static func apply(_ change: [String: String?], to site: TemporarySite) throws {
        for (path, text) in change {
            if let text {
                try site.write(path, text)
            } else {
                try? File.remove(site.folder.path + "/\(path)")
            }
        }
    }

    /// The words of the files of a site that are still there.
    private static func words(_ sources: [String: String]) -> Set<Int> {
        sources.values.reduce(into: []) { $0.formUnion(RandomSite.words(in: $1)) }
    }

    @Test func `after each change the release is that of a build into an empty folder`()
        async throws
    {
        let site = try TemporarySite(Self.files)
        var sources = Self.files
        let first = await site.build()
        #expect(first.release == 1 && !first.isUnchanged, "\(first.diagnostics)")
        let start = try site.files("public")
        for (step, change) in Self.changes.enumerated() {
            try Self.apply(change, to: site)
            for (path, text) in change { sources[path] = text }
            let outcome = await site.build()
            let wanted = step + 2
            try #require(outcome.release == wanted, "\(step): \(outcome.diagnostics)")
            #expect(!outcome.isUnchanged, "\(step)")
            let clean = await site.build { $0.output = site.folder.path + "/clean\(step)" }
            #expect(outcome.diagnostics == clean.diagnostics, "\(step)")
            let (left, right) = (try site.files("public"), try site.files("clean\(step)"))
            #expect(Set(left.keys) == Set(right.keys), "\(step)")
            for (path, bytes) in right { #expect(left[path] == bytes, "\(step): \(path)") }
            let known = Self.words(sources)
            for (path, bytes) in left {
                let words = RandomSite.words(in: String(decoding: bytes, as: UTF8.self))
                #expect(words.isSubset(of: known), "\(step): \(path) has old texts")
            }
            let again = await site.build()
            #expect(again.release == step + 2 && again.isUnchanged, "\(step)")
            #expect(again.diagnostics == outcome.diagnostics, "\(step)")
        }
        #expect(try site.files("public") == start, "the first state again")
    }

    @Test func `a build that changes nothing leaves nothing behind`() async throws {
        let site = try TemporarySite(Self.files)
        let first = await site.build()
        let all = try FileManager.default.subpathsOfDirectory(atPath: site.folder.path)
        let same = await site.build()
        #expect(same.release == 1 && same.isUnchanged && same.pages == first.pages)
        #expect(same.diagnostics == first.diagnostics)
        #expect(same.files?.new == 0 && same.files?.linked == first.files?.new)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: site.folder.path) == all)
        // One that syncs its files, too.
        let text = Self.configuration("title = 'Title zq1z'")
        try site.write("sitegen.toml", text.replacing("fsync = false", with: ""))
        #expect(await site.build().isUnchanged)
    }

    @Test func `a change of the policy alone is a new release`() async throws {
        let site = try TemporarySite(Self.files)
        let first = await site.build()
        let text = Self.configuration("title = 'Title zq1z'")
        try site.write("sitegen.toml", text.replacing("role = \"HR\"", with: "role = \"HR-2\""))
        let outcome = await site.build()
        #expect(outcome.release == 2 && outcome.files?.new == 1, "\(outcome.diagnostics)")
        #expect(outcome.files?.linked == (first.files?.new ?? 0) - 1)
        let access = try site.files("public")["access"] ?? Data()
        #expect(String(decoding: access, as: UTF8.self).contains("HR-2"))
    }

    @Test func `a change of a text changes the page and its index`() async throws {
        let site = try TemporarySite(Self.files)
        for number in 0..<20 { try site.write("site/p\(number).md", "# Page \(number)\n") }
        let first = await site.build().files
        try site.write("site/p7.md", "# Page 7\n\nMore.\n")
        let second = await site.build().files
        #expect(first?.linked == 0 && (1...5).contains(second?.new ?? 0), "\(second ?? (0, 0))")
    }
}
