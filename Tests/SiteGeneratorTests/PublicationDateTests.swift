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
