import Fixtures
import Foundation
import Testing

@testable import Site
@testable import SiteGenerator

@Suite struct PrintedSiteTests {
    private static let files = [
        "sitegen.toml": """
        title = "Handbook"
        base_url = "https://docs.example.com"
        [groups]
        hr = { role = "HR", title = "Human Resources" }
        board = { role = "Board" }
        """,
        "templates/wide.html": "<p>wide</p>{{{content}}}",
        "site/index.md": "# Home\n\n[Pay](hr/pay.md#how-much) [Travel](travel.md) [File](a.pdf)\n",
        "site/travel.md": """
        ---
        template: wide
        ---
        # Travel

        ## How much

        ![A dot](dot.gif) [here](#how-much) [note][^1]

        [^1]: A footnote.
        """,
        "site/a.pdf": "%PDF-",
        "site/dot.gif": "GIF8",
        "site/hr/index.md": "---\naccess: [hr]\n---\n# People\n",
        "site/hr/pay.md": "# Pay\n\n## How much\n\nMuch.\n",
        "site/board.md": "---\naccess: [board]\n---\n# Takeover\n",
        "site/hidden.md": "---\nunlisted: true\n---\n# Hidden\n",
    ]

    private static func printed(_ reader: String) async throws -> String {
        let site = try TemporarySite(files)
        var options = BuildOptions(now: 1_795_348_800)
        options.asksGit = false
        let (html, outcome) = try await SiteBuild.print(
            configurationPath: "\(site.folder.path)/sitegen.toml",
            options,
            for: try Viewer(reader, groups: ["hr", "board"])
        )
        return String(decoding: try #require(html, "\(outcome.diagnostics)"), as: UTF8.self)
    }

    @Test func `a reader's pages stand in one file, and nothing of the others`() async throws {
        for (reader, there, missing) in [
            ("signed-in", ["Travel"], ["Takeover", "People", "Much.", "Hidden"]),
            ("hr", ["Travel", "People", "Much.", "Human Resources"], ["Takeover"]),
            ("hr,board", ["People", "Takeover", "board, Human Resources"], []),
        ] {
            let html = try await Self.printed(reader)
            for text in there { #expect(html.contains(text), "\(text) for \(reader)") }
            for text in missing { #expect(!html.contains(text), "\(text) for \(reader)") }
            #expect(!html.contains("wide</p>"))
            #expect(html.contains("22 November 2026"))
        }
        let html = try await Self.printed("public")
        #expect(!html.contains("<article"))
    }

    @Test func `links lead to the pages in the file, and pictures are in it`() async throws {
        let html = try await Self.printed("hr")
        let ids = html.matches(of: /\bid="([^"]+)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        let fragments = html.matches(of: /href="#([^"]+)"/).map { String($0.1) }
        #expect(Set(fragments).isSubset(of: ids))
        // Of both pages that have such a heading.
        #expect(Set(fragments.filter { $0.hasSuffix("-how-much") }).count == 2)
        let dot = Data("GIF8".utf8).base64EncodedString()
        #expect(html.contains("src=\"data:image/gif;base64,\(dot)\""))
        #expect(html.contains("href=\"https://docs.example.com/a.pdf\""))
        #expect(!html.contains("/_theme/"))
    }
}
