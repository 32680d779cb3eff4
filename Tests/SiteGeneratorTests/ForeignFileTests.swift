import Diagnostics
import Foundation
import Testing

@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

/// Files as other tools name and keep them.
@Suite struct ForeignFileTests {
    private static let groups = "[groups]\nhr = { role = \"HR\" }\n"

    /// An Azure DevOps wiki keeps its files in a folder whose name begins with a dot.
    @Test func `attachments are published if a page links to them`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "source = \".\"\n" + Self.groups,
            "index.md":
                "[a](/.attachments/a.txt) ![b](/.attachments/x/b%20c.gif) [c](/.other/c.txt)\n"
                + "<img src=\".gitbook/assets/g.gif\" alt=\"\">\n",
            "draft.md": "---\ndraft: true\n---\n[a](/.attachments/draft.txt)\n",
            "pay.md":
                "---\naccess: [hr]\n---\n[a](.attachments/pay.txt) [b](.attachments/page.md)\n",
            ".attachments/a.txt": "a", ".attachments/x/b c.gif": "GIF89a", ".other/c.txt": "c",
            ".attachments/draft.txt": "d", ".attachments/pay.txt": "p", ".attachments/z.txt": "z",
            ".attachments/page.md": "# P\n", ".attachments/.env": "e",
            ".gitbook/assets/g.gif": "GIF89a", ".gitbook/assets/z.gif": "GIF89a",
            ".gitbook/vars.yaml": "v", ".attachments/secrets.toml": "s",
            "x/.attachments/a.txt": "a",
        ])
        let outcome = await site.build { $0.isLenient = true }
        #expect(
            outcome.rules.sorted() == ["dead-link", "missing-asset", "wider-file"],
            "\(outcome.diagnostics)"
        )
        // No rule protects the folder: one that is written there would have no effect.
        try site.write(".attachments/index.md", "---\naccess: [hr]\n---\n")
        #expect(await site.build { $0.isLenient = true }.rules.contains("unread-access"))
        try site.write(".attachments/index.md", "")
        try site.write(
            "index.md",
            "[a](/.attachments/a.txt) ![b](/.attachments/x/b%20c.gif) ![g](.gitbook/assets/g.gif)\n"
        )
        try site.write("pay.md", "---\naccess: [hr]\n---\n[a](.attachments/pay.txt)\n")
        try await site.release()
        let published = try site.published().sorted()
        let attachments = published.filter { $0.hasSuffix(".txt") || $0.hasSuffix(".gif") }
        let expected = ["a.txt", "pay.txt", "x/b c.gif"].map { ".attachments/\($0)" }
        #expect(attachments == expected + [".gitbook/assets/g.gif"])
    }

    @Test
    func `a README beside an index page is a page like others, without a rule for the folder`()
        async throws
    {
        let files = ["site/hr/index.md": "# I\n", "site/hr/README.md": "# R\n"]
        let site = try TemporarySite(["sitegen.toml": Self.groups].merging(files) { $1 })
        #expect(await site.build().rules.isEmpty)
        #expect(try site.published().contains("hr/README/index.html"))
        try site.write("site/hr/README.md", "---\naccess: [hr]\n---\n# R\n")
        #expect(await site.build().rules.contains("duplicate-output"))
    }

    @Test(arguments: [
        ("a/E%2Dmail", "/a/E-mail/"), ("What%3F", "/What/"), ("a%3Ab", "/a:b/"),
        ("hr%2Dx/index", "/hr-x/"), ("a%2Fb", nil), ("%2Ehidden", nil), ("%2e%2e/a", nil),
        ("a%5Cb", nil), ("100%", nil), ("a%00b", nil), ("a%252Fb", nil),
    ])
    func `escapes in names are read, except those that would lead elsewhere`(
        name: String,
        url: String?
    ) {
        let found = SitePathName.url(ofPage: name + ".md")
        #expect(url == nil ? SitePathName.mistake(found) != nil : found == url)
    }

    @Test func `a symbolic link in a folder that is ignored is no error`() async throws {
        let site = try TemporarySite(["sitegen.toml": "", "site/index.md": "", "site/_old/a": "a"])
        let link = site.folder.appending(path: "site/_old/media").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../..")
        let outcome = await site.build()
        #expect(outcome.rules.isEmpty && outcome.release == 1)
        #expect(try !site.published().contains { $0.contains("media") })
    }
}
