import Foundation
import Testing

@testable import Rendering
@testable import Search
@testable import Site
@testable import SiteGenerator

/// What a page says of itself: owner, review, language, and where to tell that it is wrong.
@Suite struct PageFactsTests {
    private static func html(
        _ front: String,
        _ text: String = "# A\n",
        configuration: String = ""
    ) async throws -> (html: String, outcome: BuildOutcome) {
        let site = try TemporarySite([
            "sitegen.toml": configuration, "site/a b.md": "---\n\(front)\n---\n\(text)",
        ])
        let outcome = await site.build()
        let page = site.current.appending(path: "site/a b/index.html")
        return (try String(contentsOf: page, encoding: .utf8), outcome)
    }

    // Now it is 2026-11-22.
    @Test(arguments: [
        ("2026-10", "2026-10-31", true), ("2026-11", "2026-11-30", false),
        ("2026-11-21", "2026-11-21", true), ("2026-11-22", "2026-11-22", false),
        ("2024-02", "2024-02-29", true), ("2027-03-15T10:00:00Z", "2027-03-15", false),
    ])
    func `a page tells its owner, and that its review is overdue`(
        review: String,
        day: String,
        isOverdue: Bool
    ) async throws {
        let (html, outcome) = try await Self.html("owner: [Al & Co, Bo]\nreview: \(review)")
        #expect(html.contains("Owner: Al &amp; Co, Bo"))
        #expect(html.contains("This page may be out of date") == isOverdue)
        #expect(html.contains("<time datetime=\"\(day)\">") == !isOverdue)
        let found = outcome.diagnostics.filter { $0.rule == "review-due" }
        #expect(
            found.map(\.message)
                == (isOverdue
                    ? ["this page was to be reviewed by \(day); owner: Al & Co, Bo"] : [])
        )
        #expect(found.allSatisfy { $0.severity == .warning && $0.location?.line == 3 })
    }

    @Test func `the list of reviews begins with the first day`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/a.md": "---\nreview: 2027-03\nowner: Bo\n---\n# A\n",
            "site/b.md": "---\nreview: 2026-03\nowner: [Alice, Bo]\n---\n# B\n",
            "site/c.md": "---\nreview: 2026-02\n---\n# C\n", "site/d.md": "# D\n",
            "site/e.md": "---\nreview: 2026-02\ndraft: true\n---\n# E\n",
        ])
        func list(_ owner: String?) async -> String? {
            let path = site.folder.path + "/sitegen.toml"
            let options = BuildOptions(now: 1_795_348_800)
            return await SiteBuild.reviews(configurationPath: path, owner: owner, options).list?
                .replacing(site.folder.path + "/", with: "")
        }
        let all = """
            2026-02-28  overdue  nobody     site/c.md
            2026-03-31  overdue  Alice, Bo  site/b.md
            2027-03-31           Bo         site/a.md

            """
        #expect(await list(nil) == all)
        #expect(await list("alice") == "2026-03-31  overdue  Alice, Bo  site/b.md\n")
    }

    @Test(arguments: [
        ("language: de", "lang=\"de\" dir=\"ltr\"", "Hinweis"),
        ("lang: he", "lang=\"he\" dir=\"rtl\"", "הערה"), ("language: en", "", "Note"),
        ("language: no", "lang=\"no\" dir=\"ltr\"", "Merk"),
    ])
    func `a page in another language says so`(front: String, attributes: String, note: String)
        async throws
    {
        let text = "# A\n\n> [!NOTE]\n> x\n\n## B\n\n## C\n"
        let html = try await Self.html(front, text).html
        #expect(html.contains("<html lang=\"en\" dir=\"ltr\">"))
        let space = attributes.isEmpty ? "" : " "
        #expect(html.contains("<article\(space)\(attributes)>"))
        #expect(html.contains("<ul\(space)\(attributes)>\n<li><a href=\"#b\">"))
        #expect(html.contains(">\(note)</p>"))
        #expect(html.contains("Skip to the content"))
    }

    @Test func `words have the stems of their page's language`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "# Home\n\nmoved moving\n",
            "site/de.md": "---\nlanguage: de-CH\n---\n# Heim\n\nReisen Reise moved\n",
            "site/at.md": "---\nlang: de\n---\n# Haus\n\nReise\n",
        ])
        let release = try await site.release()
        let folder = release.appending(path: "site/_search/signed-in")
        var indexes: [SearchReader] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: "\(name)/index.bin")
            indexes.append(try #require(SearchReader(Array(try Data(contentsOf: file)))))
        }
        let german = try #require(indexes.first { $0.words["reisen"] != nil })
        let english = try #require(indexes.first { $0.words["moving"] != nil })
        #expect(indexes.count == 2)
        #expect(german.pages.map(\.title).sorted() == ["Haus", "Heim"])
        #expect(german.stems["reisen"] == "reis" && german.stems["moved"] == "moved")
        #expect(english.stems["moved"] == "move")
        let manifest = release.appending(path: "site/_reader/signed-in.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        #expect(text.components(separatedBy: "/_search/signed-in/").count == 3)
    }

    private static let page = "https%3A%2F%2Fd.example%2Fa%2520b%2F%0A2026-09-30"
    private static let title = "A%20%26%20B%3A%20Is%20this%20page%20right%3F"

    @Test(arguments: [
        ("", "", nil),
        ("contact = 'it@d.example'", "", "mailto:it@d.example?subject=\(title)&body=\(page)"),
        ("contact = 'https://d.example/help'", "", "https://d.example/help"),
        (
            "contact = 'it@d.example'", "owner: [Bo, 'b+o%@d.example']",
            "mailto:b%2Bo%25@d.example?subject=\(title)&body=\(page)"
        ),
        (
            "contact = 'it@d.example'", "owner: ['@bo', 'Bo <bo@d.example>']",
            "mailto:bo@d.example?subject=\(title)&body=\(page)"
        ),
        (
            "contact = 'it@d.example'\nedit_url = 'https://g.example/o/r/edit/main/{path}'", "",
            "https://g.example/o/r/issues/new?title=\(title)&body=\(page)"
        ),
        (
            "edit_url = 'https://g.example/o/s/r/-/edit/main/{path}'", "",
            "https://g.example/o/s/r/-/issues/new?issue%5Btitle%5D=\(title)&issue%5Bdescription%5D=\(page)"
        ),
        ("edit_url = 'https://cms.example/edit/{path}'", "", nil),
        ("edit_url = 'https://cms.example/a/b/edit/{path}'", "", nil),
    ])
    func `a reader tells that a page is wrong where the site wants it`(
        configuration: String,
        front: String,
        url: String?
    ) async throws {
        let html = try await Self.html(
            "title: A & B\nlastmod: 2026-09-30\n\(front)",
            "Text\n",
            configuration: "base_url = 'https://d.example'\n\(configuration)\n"
        ).html
        let link = url.map {
            "href=\"\($0.replacing("&", with: "&amp;"))\">Is this page right?</a>"
        }
        #expect(html.contains("Is this page right?") == (url != nil))
        if let link { #expect(html.contains(link)) }
    }
}
