import Foundation
import Testing

@Suite struct PublicationDateTests {
    private static let news = [
        "a.md": "---\ndate: 2024-06-03T20:00:00+02:00\n---\n# Evening\n",
        "b.md": "+++\ndate = 2024-06-03T12:00:00+02:00\n+++\n# Noon\n",
        // A later local time, but an earlier moment.
        "c.md": "{\"date\": \"2024-06-03T20:30:00+09:00\"}\n# Abroad\n",
        "d.md": "---\ndate: 2024-06-04\n---\n# Next day\n",
        "e.md": "+++\ndate = 2024-06-03T08:00:00\n+++\n# Morning\n",
    ]
    private static let newestFirst = ["Next day", "Evening", "Abroad", "Noon", "Morning"]

    private static func texts(_ html: String, between start: String, _ end: String) -> [String] {
        html.split(separator: start).dropFirst().map {
            String($0.split(separator: end, omittingEmptySubsequences: false)[0])
        }
    }

    @Test func `the feed and a list of news begin with the newest moment`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "base_url = \"https://docs.example.com\"\n", "site/index.md": "# S\n",
        ])
        for (name, text) in Self.news { try site.write("site/news/\(name)", text) }
        let files = try await site.release().appending(path: "site")
        let read = { (path: String) in
            try String(contentsOf: files.appending(path: path), encoding: .utf8)
        }
        let feed = try read("feed.xml")
        let titles = Self.texts(feed, between: "<entry>\n<title>", "</title>")
        #expect(titles == Self.newestFirst)
        #expect(feed.contains("<published>2024-06-03T20:00:00+02:00</published>"))
        #expect(feed.contains("</author>\n<updated>2024-06-04T00:00:00Z</updated>"))
        #expect(feed.contains("<updated>2024-06-03T08:00:00Z</updated>"))
        let list = try read("news/index.html")
        let entries = Self.texts(list, between: "<ul class=\"entries\">", "</ul>")[0]
        #expect(Self.texts(entries, between: "/\">", "</a>") == Self.newestFirst)
        let time = "<time datetime=\"2024-06-03T20:30:00+09:00\">3 June 2024</time>"
        #expect(entries.contains(time) && entries.contains("<time datetime=\"2024-06-04\">4 June"))

        // An author who gives one page its place keeps the order of the navigation.
        try site.write("site/news/d.md", "---\ndate: 2024-06-04\norder: 9\n---\n# Next day\n")
        _ = try await site.release()
        let ordered = try String(
            contentsOf: site.current.appending(path: "site/news/index.html"),
            encoding: .utf8
        )
        let kept = Self.texts(ordered, between: "<ul class=\"entries\">", "</ul>")[0]
        #expect(Self.texts(kept, between: "/\">", "</a>").first == "Next day")
        #expect(Self.texts(kept, between: "/\">", "</a>").last == "Noon")
    }

    @Test func `a page lists news by date, with what they are about, and has a feed of them`()
        async throws
    {
        let site = try TemporarySite([
            "sitegen.toml":
                "base_url = \"https://docs.example.com\"\nlanguage = \"de\"\n[groups]\nhr = { role = \"HR\" }\n",
            "site/index.md": "# S\n",
            "site/news/index.md": "---\nsort: date\n---\n# News\n",
            "site/news/first.md":
                "---\ndate: 2026-01-05\norder: 5\ndescription: Told & kept\n---\n# First\n\nText.\n",
            "site/news/2025/index.md": "---\norder: 1\n---\n# Year\n",
            "site/news/2025/old.md":
                "---\ndate: 2025-03-01\n---\n# Old\n\n![](x.svg)\n\nWhat *was* <b>new</b>.\nThen.\n",
            "site/news/2025/x.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            "site/news/2025/pay.md": "---\naccess: [hr]\ndate: 2025-04-01\n---\n# Pay\n\nSecret.\n",
            "site/news/about.md": "# About\n\nNo day.\n",
        ])
        let files = try await site.release().appending(path: "site")
        let read = { (path: String) in
            try String(contentsOf: files.appending(path: path), encoding: .utf8)
        }
        let page = try read("news/index.html")
        let list = Self.texts(page, between: "<ul class=\"entries\">", "</ul>")[0]
        #expect(Self.texts(list, between: "/\">", "</a>") == ["First", "Old", "About"])
        #expect(
            Self.texts(list, between: "<p>", "</p>") == [
                "Told &amp; kept", "What was new. Then.", "No day.",
            ]
        )
        #expect(list.contains("<time datetime=\"2025-03-01\">1. März 2025</time>"))
        #expect(page.contains("href=\"/news/feed.xml\""))
        let feed = try read("news/feed.xml")
        #expect(
            Self.texts(feed, between: "<title>", "</title>") == ["News · Site", "First", "Old"]
        )
        #expect(feed.contains("<id>https://docs.example.com/news/</id>"))
        #expect(feed.contains("<updated>2026-01-05T00:00:00Z</updated>\n<entry>"))
        #expect(feed.contains("<summary>What was new. Then.</summary>"))
        #expect(try read("feed.xml").contains("<summary>What was new. Then.</summary>"))

        try site.write("site/news/index.md", "---\naccess: [hr]\nsort_by: date\n---\n# News\n")
        _ = try await site.release()
        let closed = site.current.appending(path: "site/news/feed.xml")
        #expect(try String(contentsOf: closed, encoding: .utf8).contains("<title>Pay</title>"))
        let policy = site.current.appending(path: "access")
        #expect(try String(contentsOf: policy, encoding: .utf8).contains("/news/"))
    }

    @Test(arguments: [
        // Now it is 2026-11-22T12:00:00Z.
        ("2026-11-22T13:00:00+01:00", true), ("2026-11-22T13:00:01+01:00", false),
        ("2026-11-22T11:59:59-00:30", false), ("2026-11-22", true), ("2026-11-22T12:00:01", false),
    ])
    func `a page is published from its moment on`(date: String, isPublished: Bool) async throws {
        let site = try TemporarySite(["site/index.md": "# S\n", "sitegen.toml": ""])
        try site.write("site/a.md", "---\ndate: \(date)\n---\n# A\n")
        let release = try await site.release()
        let page = release.appending(path: "site/a/index.html").path
        #expect(FileManager.default.fileExists(atPath: page) == isPublished)
    }
}
