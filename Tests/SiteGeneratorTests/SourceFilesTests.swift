import Diagnostics
import Foundation
import Testing

@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

/// Which files of a folder belong to the site, and who speaks for a folder.
@Suite struct SourceFilesTests {
    private static let groups = "[groups]\nhr = { role = \"HR\" }\n"

    @Test(arguments: [
        ("*.psd", "a/b.psd", false, true), ("*.psd", "a/b.ps", false, false),
        ("/a.md", "a.md", false, true), ("/a.md", "b/a.md", false, false),
        ("a/b.md", "a/b.md", false, true), ("a/b.md", "c/a/b.md", false, false),
        ("drafts/", "x/drafts", true, true), ("drafts/", "x/drafts", false, false),
        ("a/**/c", "a/c", true, true), ("a/**/c", "a/b/b/c", true, true),
        ("a/**", "a/b/c", false, true), ("a/**", "a", true, false), ("**/c", "a/b/c", false, true),
        ("**", "a/b", false, true), ("a?[0-9].md", "ab1.md", false, true),
    ])
    func `a pattern is read as in .gitignore`(
        pattern: String,
        path: String,
        isFolder: Bool,
        matches: Bool
    ) {
        let segments = path.split(separator: "/")
        #expect(PathPattern(pattern).matches(segments, isFolder: isFolder) == matches)
    }

    @Test func `files of other tools are ignored in a site that is a whole repository`()
        async throws
    {
        let site = try TemporarySite([
            "sitegen.toml": """
            source = "."
            edit_url = "https://git.example.com/{path}"
            include = ["assets/"]
            [checks]
            dead-link = "warning"
            """,
            "index.md": "[D](data.csv) [C](CLAUDE.md)\n", "hr/pay.md": "# Pay\n",
            "secrets.toml": "", "Makefile": "", "upload.py": "", "OWNERS": "", "LICENSE": "",
            "CLAUDE.md": "# Robots\n",
            "assets/a.txt": "",
            "_config.yml": "", "_layouts/a.html": "", "a.md~": "", "a.md.bak": "", "b.txt.orig": "",
            "node_modules/x/index.md": "# X\n", ".env": "SECRET=1", ".git/config": "",
            "data.csv": "1",
        ])
        let outcome = await site.build()
        #expect(outcome.rules == ["dead-link"], "\(outcome.diagnostics)")
        #expect(
            try site.published() == [
                "index.html", "hr/index.html", "hr/pay/index.html", "data.csv", "search/index.html",
                "assets/a.txt",
            ]
        )
        let page = try String(
            contentsOf: site.current.appending(path: "site/hr/pay/index.html"),
            encoding: .utf8
        )
        #expect(page.contains("https://git.example.com/hr/pay.md"))
    }

    @Test func `include brings back what is ignored by its name, and exclude wins`()
        async throws
    {
        let site = try TemporarySite([
            "sitegen.toml": """
            include = [".vscode/assets/**", "Makefile", ".git/**", "**/.env*", "**", "*"]
            exclude = ["*.psd", "internal/"]
            """,
            "site/index.md": "![a](.vscode/assets/a.gif) [M](Makefile)\n",
            "site/.vscode/assets/a.gif": "GIF8", "site/.vscode/assets/b.psd": "x",
            "site/.vscode/includes/c.md": "# C\n", "site/Makefile": "", "site/.git/config": "x",
            "site/.env": "x", "site/.env.local": "x", "site/x/.npmrc": "x", "site/x/.hidden": "x",
            "site/.ssh/id_rsa": "x", "site/secrets.prod.toml": "x", "site/internal/d.md": "# D\n",
        ])
        let outcome = await site.build()
        #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics)")
        let release = site.current.appending(path: "site")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: release.path)
        #expect(paths.contains(".vscode/assets/a.gif") && paths.contains("Makefile"))
        for path in [
            ".vscode/assets/b.psd", ".env", ".git/", "internal", ".vscode/includes", "x/", ".ssh",
            "secrets",
        ] {
            #expect(!paths.contains { $0.hasPrefix(path) }, "\(path)")
        }
    }

    @Test func `a site names its baseline once for all commands`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "baseline = \"known/b.json\"\n", "site/a.md": "[x](gone.md)\n",
            "known/b.json": "",
        ])
        let written = await site.build { $0.checks.writesBaseline = true }
        #expect(written.diagnostics.isEmpty && written.suppressed == 1)
        #expect(await site.build().suppressed == 1)
        try site.write("known/b.json", "{\"version\":2,\"findings\":[]}")
        #expect(await site.build().rules == ["dead-link"])
        try site.write("sitegen.toml", "")
        let nowhere = await site.build { $0.checks.writesBaseline = true }
        #expect(nowhere.rules.contains("configuration"))
    }

    @Test func `a link to an ignored file says why the file is ignored`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "exclude = [\"*.psd\"]\n",
            "site/index.md": "[a](a.psd) ![b](.vscode/b.gif) [c](Makefile)\n", "site/a.psd": "x",
            "site/.vscode/b.gif": "GIF8", "site/Makefile": "x",
        ])
        let notes = await site.build().diagnostics.flatMap(\.notes).map(\.message)
        #expect(
            notes == [
                "'a.psd' exists but is ignored: 'exclude' in sitegen.toml contains '*.psd'",
                "'.vscode' exists but is ignored: its name begins with a dot; 'include = [\"/.vscode\"]' in sitegen.toml publishes it",
                "'Makefile' exists but is ignored: names like 'Makefile' belong to other tools; 'include = [\"/Makefile\"]' in sitegen.toml publishes it",
            ]
        )
    }

    @Test(arguments: [
        "source.mdx.old", "a.md.old", "a.MD", "x.qmd", "a.md_backup", "notes.mkd", "a.md.mine",
        "a.md.12",
        "a.md (conflicted copy)", "a.md ", "a.md-2024-01-01", "a.mdtext",
    ])
    func `what looks like the source of a page is never copied`(name: String) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "# A\n", "site/\(name)": "x",
        ])
        #expect(await site.build().rules == ["source-file"])
    }

    @Test func `Markdown with components is a page, and is closed as one`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": Self.groups, "site/index.md": "# A\n\n[b](b.mdx)\n",
            "site/b.mdx": "---\naccess: [hr]\n---\nimport C from 'c'\n\n# B\n\n<C />\n",
        ])
        let release = await site.build()
        #expect(!release.diagnostics.contains { $0.severity == .error }, "\(release.diagnostics)")
        let policy = try String(contentsOf: site.current.appending(path: "access"), encoding: .utf8)
        #expect(policy.contains("allow [hr] /b/\n"))
    }

    @Test(arguments: ["x.md5", "z.md.gif", "data.old", "readme.mdb"])
    func `what only has letters in common with one is a file`(name: String) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "# A\n", "site/\(name)": "GIF8",
        ])
        #expect(await site.build().diagnostics.isEmpty)
        #expect(try site.published().contains(name))
    }

    @Test func `nothing is published over a good release from a folder without a page`()
        async throws
    {
        let site = try TemporarySite(["sitegen.toml": "", "site/index.md": "# A\n"])
        #expect(await site.build().release == 1)
        try FileManager.default.removeItem(at: site.folder.appending(path: "site/index.md"))
        let outcome = await site.build()
        #expect(outcome.release == nil && outcome.rules == ["source-file"])
        #expect(outcome.diagnostics[0].message == "contains no page")
        try site.write("site/index.md", "---\ndraft: true\n---\n")
        #expect(await site.build().diagnostics.map(\.message) == ["contains no published page"])
        #expect(await site.build { $0.allowsEmpty = true }.release == 2)
    }

    /// Hugo's `_index.md` was an ordinary page, and the folder below it open.
    @Test(arguments: [
        "_index.md", "Index.md", "index.md", "README.md", "ReadMe.markdown", "_INDEX.md",
    ])
    func `the page of a folder speaks for the folder, whatever it is called`(name: String)
        async throws
    {
        let site = try TemporarySite([
            "sitegen.toml": Self.groups, "site/index.md": "# A\n",
            "site/hr/\(name)": "---\naccess: [hr]\n---\n# HR\n", "site/hr/salaries.md": "# S\n",
        ])
        #expect(await site.build().diagnostics.isEmpty)
        let policy = try String(contentsOf: site.current.appending(path: "access"), encoding: .utf8)
        #expect(policy.contains("allow [hr] /hr/\n"))
    }

    @Test func `a folder has one page that speaks for it`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": Self.groups, "site/index.md": "# A\n", "site/hr/_index.md": "# B\n",
            "site/hr/README.md": "---\naccess: [hr]\n---\n",
        ])
        #expect(await site.build().rules == ["duplicate-output"])
    }

    @Test(arguments: [
        ("hr/hr.md", true), ("hr/overview.md", true), ("hr/indx.md", true),
        ("hr/index (1).md", true), ("hr/Copy of README.md", true),
        ("hr/salaries.md", false), ("hr.md", false), ("hr/index.md", false),
    ])
    func `a page that only looks like an index page is reported, with its neighbours`(
        path: String,
        isTold: Bool
    ) async throws {
        let site = try TemporarySite([
            "sitegen.toml": Self.groups, "site/index.md": "# A\n",
            "site/\(path)": "---\naccess: [hr]\n---\n# HR\n", "site/hr/a.md": "# S\n",
        ])
        let outcome = await site.build()
        #expect(outcome.rules == (isTold ? ["folder-rule"] : []), "\(outcome.diagnostics)")
        if isTold { #expect(outcome.diagnostics[0].message.hasSuffix("can open 'hr/a.md'")) }
    }

    @Test(arguments: [
        "list", "search", "moved", "404", "502", "503", "auth", "forbidden", "layout", "side",
    ])
    func `a page cannot choose a template that does not show its text`(name: String) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "---\nlayout: \(name)\n---\nThe text.\n",
        ])
        let outcome = await site.build()
        #expect(outcome.rules == ["unknown-template"])
        let page = try String(
            contentsOf: site.current.appending(path: "site/index.html"),
            encoding: .utf8
        )
        #expect(page.contains("The text."))
    }

    @Test func `unpublished pages are counted by their reason`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "# A\n", "site/a.md": "---\ndraft: true\n---\n",
            "site/b.md": "---\npublishDate: 2030-01-01\n---\n",
            "site/c.md": "---\nexpiryDate: 2020-01-01\n---\n",
        ])
        let outcome = await site.build()
        let summary = SummaryLine(outcome, .check, milliseconds: 0).text
        #expect(
            summary.contains("1 page (1 draft, 1 future page, 1 expired page not published)")
        )
    }

    /// To Jekyll, Docusaurus, Eleventy and others those are drafts and parts of pages.
    @Test func `pages whose names begin with an underscore are ignored, and reported`() async throws
    {
        let files = [
            "sitegen.toml": "", "site/index.md": "# A\n", "site/_drafts/merger.md": "# M\n",
            "site/_drafts/a/b.md": "# M\n", "site/hr/_notes.md": "# N\n", "site/hr/_index.md": "",
            "site/_static/a.gif": "GIF8", "site/_data/people.yml": "x",
        ]
        let site = try TemporarySite(files)
        let outcome = await site.build()
        #expect(outcome.rules == ["ignored-page", "ignored-page", "ignored-page"])
        let release = site.current.appending(path: "site")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: release.path)
        #expect(paths.contains("_static/a.gif") && !paths.contains("_data"))
        #expect(!paths.contains { $0.contains("merger") || $0.contains("notes") })
        let toml = ["sitegen.toml": "include = [\"_drafts/\", \"_notes.md\"]\n"]
        let all = await (try TemporarySite(files.merging(toml) { $1 })).build()
        #expect(all.diagnostics.isEmpty && all.pages == 5)
    }

    @Test(arguments: [
        ("about.html", "---\naccess: [hr]\n---\n<p>x</p>", true),
        ("page.txt", "title: x\naccess: [hr]\n", true), ("a.org", "+++\na = 1\n+++\n", true),
        ("b.rst", "{\"access\": \"hr\"}\ntext", true), ("a.md.txt", "# A\n", true),
        ("c.html", "<!-- a -->\n<p>access: [hr]</p>", false), ("d.txt", "---\nline\n", false),
        ("e.txt", "Plain text.\n", false), ("f.yml", "---\naccess: [hr]\n", false),
        ("g.txt", String(repeating: "ä", count: 20_000), false), ("h.txt", "caf\u{E9}\n", false),
    ])
    func `a file with front matter that would be copied as it is is refused`(
        name: String,
        text: String,
        isRefused: Bool
    ) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "# A\n", "site/\(name)": text,
        ])
        let outcome = await site.build()
        #expect(outcome.rules == (isRefused ? ["source-file"] : []), "\(outcome.diagnostics)")
    }

    @Test func `a file of a page that is not published is not published`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "[checks]\nlink-to-draft = \"warning\"\n",
            "site/index.md": "[plan](merger/plan.pdf)\n",
            "site/merger/index.md": "---\ndraft: true\n---\n", "site/merger/plan.pdf": "%PDF-",
            "site/merger/more/map.pdf": "%PDF-",
            "site/mixed/index.md": "---\ndate: 2030-01-01\n---\n",
            "site/mixed/page.md": "# P\n", "site/mixed/a.pdf": "%PDF-",
            "site/mixed/open/b.md": "# B\n",
            "site/mixed/open/b.pdf": "%PDF-", "site/other/c.pdf": "%PDF-",
        ])
        let outcome = await site.build()
        #expect(outcome.rules == ["link-to-draft", "file-of-draft"])
        let paths = try site.published()
        #expect(paths.isSuperset(of: ["mixed/a.pdf", "mixed/open/b.pdf", "other/c.pdf"]))
        #expect(!paths.contains { $0.hasPrefix("merger") })
        #expect(
            await site.build { $0.included = [.draft] }.diagnostics.map(\.rule) == ["file-of-draft"]
        )
        #expect(try site.published().contains("merger/more/map.pdf"))
    }

    /// One folder from a Mac's archive, the other typed: a rule for one is none for the other.
    @Test func `two folders whose letters are composed in two ways are refused`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": Self.groups, "site/index.md": "# A\n",
            "site/Geh\u{E4}lter/index.md": "---\naccess: [hr]\n---\n",
            "site/Geha\u{308}lter/x.md": "# X\n",
        ])
        let rules = await site.build().rules
        #expect(rules.contains("duplicate-output"))
    }

    @Test func `an index page in HTML is the page of its folder`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.html": "<p>Home</p>", "site/a.md": "# A\n",
        ])
        #expect(await site.build().diagnostics.isEmpty)
    }

    /// The rule of the one folder took the place of the other's, and its page was open.
    @Test(arguments: [
        ("\u{C9}tude/x.md", "E\u{301}tude/index.md"), ("\u{C9}tude/x.md", "e\u{301}tude/index.md"),
        ("K/x.md", "\u{212A}/index.md"), ("\u{E9}/x.md", "e\u{301}.md"),
    ])
    func `no other page takes away the rule of a page`(page: String, other: String) async throws {
        let rule = "---\naccess: [hr]\n---\n"
        let site = try TemporarySite([
            "sitegen.toml": Self.groups, "site/index.md": "# A\n", "site/\(page)": rule,
            "site/\(other)": rule,
        ])
        let outcome = await site.build()
        #expect(outcome.release == nil, "\(outcome.diagnostics)")
        #expect(outcome.rules.contains("duplicate-output"))
    }

    @Test(arguments: [
        "exclude = [\"README.md\"]", "exclude = [\"/hr/README.md\"]", "exclude = [\"READ*\"]",
    ])
    func `an index page that is ignored does not open its folder`(toml: String)
        async throws
    {
        let site = try TemporarySite([
            "sitegen.toml": toml + "\n" + Self.groups, "site/index.md": "# A\n",
            "site/hr/README.md": "---\naccess: [hr]\n---\n", "site/hr/pay.md": "# P\n",
        ])
        #expect(await site.build().rules == ["unread-access"])
    }

    @Test(arguments: ["secrets.md", "Dockerfile.md", "hr/secrets.sharing.md", "Makefile.md"])
    func `a page about a tool's file is a page`(name: String) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "# A\n", "site/\(name)": "# B\n",
            "site/secrets.toml.bak": "x", "site/secrets.prod.toml": "x", "site/Dockerfile.dev": "x",
        ])
        let outcome = await site.build()
        #expect(outcome.diagnostics.isEmpty && outcome.pages == 2, "\(outcome.diagnostics)")
        #expect(try site.published().allSatisfy { !$0.contains("toml") && !$0.contains("dev") })
    }
}
