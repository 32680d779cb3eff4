import Foundation
import Testing

@testable import SiteGenerator

@Suite struct PageDateTests {
    @Test(arguments: [
        ("1970-01-01", 0, ""), ("2026-11-22", 1_795_305_600, ""), ("2000-02-29", 951_782_400, ""),
        ("1969-12-31", -86_400, ""), ("2026-11-22T10:30:00Z", 1_795_343_400, "T10:30:00Z"),
        ("2026-11-22 10:30:00 +0100", 1_795_339_800, "T10:30:00+01:00"),
        ("2026-11-22t10:30-01:00", 1_795_347_000, "T10:30:00-01:00"),
        ("2026-11-22T10:30:00.123Z", 1_795_343_400, "T10:30:00Z"),
        ("2026-11-22T10:30:07", 1_795_343_407, "T10:30:07Z"),
        ("2026-11-22 9:05", 1_795_338_300, "T09:05:00Z"),
        ("2026-11-22T23:59:60-00:00", 1_795_392_000, "T23:59:59Z"),
        ("2026-11-22T00:30:00+05:45", 1_795_286_700, "T00:30:00+05:45"),
    ])
    func `a moment keeps its time and its zone, and a day is one`(
        text: String,
        seconds: Int,
        time: String
    ) throws {
        let date = try PageDate.parse(text).get()
        let day = String(text.prefix(10))
        #expect(date.seconds == seconds && date.day == day && date.text == day + time)
        #expect(date.timestamp == day + (time.isEmpty ? "T00:00:00Z" : time))
    }

    @Test(arguments: [
        "", "22.11.2026", "2026-11-22x", "2026-11-22T", "2026-11-22T25:00Z", "2026-11-22T1:0",
        "2026-11-22T10:00:00+99:00", "2026-11-22T10:00:00 Europe", "+026-01-01",
    ])
    func `what is no day is refused`(text: String) {
        #expect(throws: PageDate.Mistake.self) { try PageDate.parse(text).get() }
    }

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
