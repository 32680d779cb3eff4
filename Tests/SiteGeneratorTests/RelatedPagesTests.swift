import Foundation
import Testing

@Suite struct RelatedPagesTests {
    @Test
    func `four pages with the rarest tags, then by title, and none that a reader may not open`()
        async throws
    {
        func page(_ title: String, _ tags: String, _ access: String = "public") -> String {
            "---\ntitle: \(title)\ntags: [\(tags)]\naccess: \(access)\n---\nText.\n"
        }
        let source = try TemporarySite([
            "sitegen.toml": "access = \"public\"\n[groups]\nhr = { role = \"HR\" }\n",
            "site/index.md": "# Home", "site/a.md": page("Own", "rare, common, Rare"),
            "site/b.md": page("Banana", "common"), "site/c.md": page("Zebra", "rare"),
            "site/d.md": page("Date", "common"), "site/e.md": page("Apple", "common"),
            "site/f.md": page("Cherry", "common"), "site/g.md": page("Secret", "rare", "[hr]"),
        ])
        let site = try await source.release().appending(path: "site")
        let html = try String(contentsOf: site.appending(path: "a/index.html"), encoding: .utf8)
        let start = try #require(html.range(of: "<nav class=\"related\"")?.upperBound)
        let links = html[start...].components(separatedBy: "</nav>")[0]
            .components(separatedBy: "<a href=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(links == ["/c/", "/e/", "/b/", "/f/"])
    }
}
