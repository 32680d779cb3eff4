import Foundation
import Testing

@testable import Site
@testable import SiteGenerator

/// What stands between the header and a page, and the names of people and groups.
@Suite struct BannerTests {
    private static func page(_ path: String, of site: TemporarySite) async throws -> String {
        let file = try await site.release().appending(path: "site\(path)index.html")
        return try String(contentsOf: file, encoding: .utf8)
    }

    private static let pages = [
        "site/index.md": "# Home\n",
        "site/open.md": "---\naccess: public\nwidens: true\n---\n# Open\n",
        "site/one/index.md": "# One\n", "site/one/page.md": "# Page\n",
        "site/two/index.md": "---\naccess: [hr]\n---\n# Two\n", "site/two/page.md": "# Page\n",
        "sitegen.toml": "[groups]\nhr = { role = \"HR\", title = \"Human <Resources>\" }\n",
    ]

    @Test func `an announcement is on every page but those that strangers may read`() async throws {
        let site = try TemporarySite(Self.pages)
        #expect(!(try await Self.page("/one/", of: site)).contains("Site-announcement"))
        try site.write("templates/announcement.md", "Moving *on Friday*.\n")
        for path in ["/", "/one/", "/one/page/", "/two/"] {
            #expect(
                try await Self.page(path, of: site).contains("<p>Moving <em>on Friday</em>.</p>")
            )
        }
        #expect(!(try await Self.page("/open/", of: site)).contains("Friday"))
        // Pages that are as they were have the new words, too.
        try site.write("templates/announcement.md", "Moved.\n")
        #expect(try await Self.page("/one/", of: site).contains("<p>Moved.</p>"))
    }

    @Test func `sections are in the header if the site wants that, for those who may open them`()
        async throws
    {
        let site = try TemporarySite(Self.pages)
        #expect(!(try await Self.page("/one/", of: site)).contains("class=\"sections\""))
        try site.write(
            "sitegen.toml",
            "section_tabs = true\n[groups]\nhr = { role = \"HR\" }\n"
        )
        let page = try await Self.page("/one/page/", of: site)
        #expect(page.contains("<li><a href=\"/one/\" aria-current=\"true\">One</a></li>"))
        #expect(!page.contains("/two/"))
        let other = try await Self.page("/two/", of: site)
        #expect(other.contains("<li><a href=\"/one/\">One</a></li>"))
        #expect(other.contains("<li><a href=\"/two/\" aria-current=\"true\">Two</a></li>"))
    }

    @Test func `readers see the title of a group, and its name where it has none`() async throws {
        let site = try TemporarySite(Self.pages)
        #expect(try await Self.page("/two/", of: site).contains("Only Human &lt;Resources&gt;"))
        try site.write("sitegen.toml", "[groups]\nhr = { role = \"HR\" }\n")
        #expect(try await Self.page("/two/", of: site).contains("Only hr"))
        let wrong = "[groups]\nhr = { role = \"HR\", title = \"\" }\n"
        let parsed = SiteConfiguration.parse(Array(wrong.utf8), path: "sitegen.toml")
        #expect(parsed.diagnostics.map(\.message) == ["'title' is empty"])
    }
}
