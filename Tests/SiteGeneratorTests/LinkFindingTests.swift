import Diagnostics
import Foundation
import Testing

@testable import Site
@testable import SourceFolder

/// What is told of links, and what becomes of them.
@Suite struct LinkFindingTests {
    static func site(_ page: String, _ files: [String: String] = [:], _ toml: String = "")
        throws -> TemporarySite
    {
        let all = ["sitegen.toml": toml, "site/index.md": page]
        return try TemporarySite(all.merging(files) { $1 })
    }

    static func page(_ site: TemporarySite) throws -> String {
        let file = site.current.appending(path: "site/index.html")
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test(arguments: [
        ("[a]()", "empty-link", "link has no destination: its parentheses are empty"),
        ("![a](<>)", "empty-link", "image has no destination: its parentheses are empty"),
        (
            "[a](htps://example.com)", "unknown-scheme",
            "link to 'htps://example.com': 'htps:' is a scheme that browsers do not know; did you mean 'https'?"
        ),
        (
            "[a](<C:\\x>)", "unknown-scheme",
            "link to 'C:\\x': 'c:' looks like a Windows drive"
        ),
        (
            "[a](xref:System.String)", "unknown-scheme",
            "link to 'xref:System.String': 'xref:' is a cross-reference of DocFX"
        ),
        (
            "[a](file://server/share/x.docx)", "local-file-link",
            "link to 'file://server/share/x.docx' does not work: web pages cannot open local files"
        ),
        (
            "[a](javascript:x)", "dangerous-link",
            "link to 'javascript:' is removed, because it would run in the reader's browser"
        ),
    ])
    func `a dead link is reported`(text: String, rule: String, message: String)
        async throws
    {
        let outcome = await (try Self.site(text + "\n")).build()
        #expect(outcome.diagnostics.map(\.rule) == [rule])
        #expect(outcome.diagnostics.map(\.message) == [message])
    }

    @Test(arguments: [
        "mailto:a@example.com", "tel:+49", "MSTEAMS:/l/x", "ms-excel:ofe", "web+x:y", "sip:a@b",
        "vscode://file/x", "//example.com/x",
    ])
    func `a link that another program opens is left alone`(address: String) async throws {
        let site = try Self.site("[a](\(address))\n")
        #expect(await site.build().diagnostics.isEmpty)
    }

    /// A file server would be told who reads, by a picture that loads by itself.
    @Test func `no picture is loaded from a file address`() async throws {
        let toml = "[checks]\nlocal-file-link = \"off\"\n"
        let site = try Self.site("![a](file://srv/a.png) [b](file://srv/b.docx)\n", [:], toml)
        #expect(await site.build().release == 1)
        let page = try Self.page(site)
        #expect(!page.contains("file://srv/a.png") && page.contains("href=\"file://srv/b.docx\""))
    }

    @Test(arguments: [
        ("https://docs.example.com/nope/", "dead-link"),
        ("HTTPS://Docs.Example.com/nope", "dead-link"),
        ("http://docs.example.com/nope/", "dead-link"), ("//docs.example.com/nope/", "dead-link"),
        ("https://docs.example.com:443/nope/", "dead-link"),
        ("https://docs.example.com/pay/", "link-to-restricted-page"),
        ("https://docs.example.com/%70ay/", "link-to-restricted-page"),
        ("https://docs.example.com//pay//?a=b", "link-to-restricted-page"),
        ("https://docs.example.com/open/#gone", "dead-anchor"),
        ("https://docs.example.com/open/#here:~:text=words", nil),
        ("https://docs.example.com/open/#:~:text=words", nil), ("open.md#:~:text=a,b", nil),
        ("https://docs.example.com", nil), ("https://docs.example.com?x#", nil),
        ("https://docs.example.com/wiki/a", nil),
        ("https://docs.example.com.evil.example/nope/", nil),
        ("https://docs.example.com@evil.example/nope/", nil),
        ("https://docs.example.com:8443/nope", nil),
    ]) func `an address of the site itself is checked as a path`(address: String, rule: String?)
        async throws
    {
        let site = try Self.site(
            "[a](\(address))\n",
            ["site/pay.md": "---\naccess: [hr]\n---\n", "site/open.md": "## Here\n"],
            "base_url = \"https://docs.example.com\"\n[links]\nignore = [\"/wiki/\"]\n[groups]\nhr = { role = \"HR\" }\n"
        )
        #expect(await site.build().diagnostics.map(\.rule) == [rule].compactMap(\.self))
    }

    @Test(arguments: [
        ("![a](https://example.com/a.png)", "unsuitable-image"),
        ("![a](//example.com/a.png)", "unsuitable-image"),
        ("<img alt='' src='https://example.com/a.png'>", "unsuitable-image"),
        ("![a](film.mp4)", nil), ("![a](text.pdf)", "unsuitable-image"),
        ("![a](large.gif)", "unsuitable-image"), ("[a](large.gif) [b](film.mp4)", nil),
        ("![a](small.gif)", nil),
    ]) func `an image that readers do not see, or wait for, is reported`(
        text: String,
        rule: String?
    )
        async throws
    {
        let site = try Self.site(
            text + "\n",
            [
                "site/film.mp4": "\0\0\0\u{18}ftypmp42", "site/text.pdf": "%PDF-1.7",
                "site/small.gif": "GIF89a",
                "site/large.gif": "GIF89a" + String(repeating: " ", count: 5_000_000),
            ],
            "raw_html = \"safe\"\n"
        )
        #expect(await site.build().diagnostics.map(\.rule) == [rule].compactMap(\.self))
    }

    /// What a page links to, and what is told about it.
    private static func links(
        _ text: String,
        on path: String,
        _ files: [String],
        _ toml: String = ""
    ) async throws -> (addresses: [String], rules: [String?]) {
        let top = "include = [\"_*.md\"]\n"
        var all = ["sitegen.toml": top + "[checks]\nmissing-alternative-text = \"off\"\n" + toml]
        for file in files {
            let isPage = file.hasSuffix(".md")
            all["site/\(file)"] = isPage ? "## Doors\n\n### Keys\n\n## Keys\n" : "GIF89a"
        }
        all["site/\(path)"] = (all["site/\(path)"].map { _ in "" } ?? "") + text + "\n"
        let site = try TemporarySite(all)
        let outcome = await site.build()
        let url = SitePathName.url(ofPage: path) + "index.html"
        let page = try? String(
            contentsOf: site.current.appending(path: "site\(url)"),
            encoding: .utf8
        )
        let article = page?.split(separator: "<article").last ?? ""
        let addresses = article.matches(of: /(?:href|src)="([^"]*)"/).map { String($0.1) }
        return (addresses.filter { !$0.hasPrefix("#Site") }, outcome.diagnostics.map(\.rule))
    }

    /// Each as the tool took it for which it was written.
    @Test(
        arguments: [
            // Without an ending, and relative to the file or to the page's address.
            ("[a](two)", "fr/one.md", ["fr/two.md"], "/fr/two/", nil),
            ("[a](../two/)", "fr/one.md", ["fr/two.md"], "/fr/two/", nil),
            ("[a](../two/)", "one.md", ["two.md"], "/two/", nil),
            ("[a](../two/)", "fr/one.md", ["two.md"], "/two/", nil),
            ("[a](../two/)", "fr/one.md", ["fr/two.md", "two.md"], "/fr/two/", "ambiguous-link"),
            ("[a](../two)", "fr/one.md", ["fr/two.md", "two.md"], "/two/", "ambiguous-link"),
            ("[a](../two.md)", "fr/one.md", ["fr/two.md", "two.md"], "/two/", nil),
            ("[a](./)", "fr/one.md", ["fr/index.md"], "/fr/", nil),
            ("![a](../a.gif)", "one.md", ["a.gif"], "/a.gif", nil),
            // Other endings, and other names of index pages.
            ("[a](two.html#keys)", "one.md", ["two.md"], "/two/#keys", nil),
            ("[a](g/index.html)", "one.md", ["g/README.md"], "/g/", nil),
            ("[a](g/README.md)", "one.md", ["g/index.md"], "/g/", nil),
            ("[a](two.mdx)", "one.md", ["two.md"], "/two/", nil),
            ("[a](./index)", "g/one.md", ["g/index.md"], "/g/", nil),
            ("[a](/g/index#keys)", "one.md", ["g/README.md"], "/g/#keys", nil),
            ("[a](../g/index)", "h/one.md", ["g/two.md"], "/g/", nil),
            ("[a](../g/README.md)", "h/one.md", ["g/two.md"], "../g/README.md", "dead-link"),
            ("[a](/a.gif)", "one.md", ["public/a.gif"], "/public/a.gif", nil),
            // Azure DevOps.
            ("[a](/g/E%2Dmail)", "one.md", ["g/E%2Dmail.md"], "/g/E-mail/", nil),
            ("[a](E%252Dmail.md)", "one.md", ["E%2Dmail.md"], "/E-mail/", nil),
            ("[a](/Opening%20hours)", "one.md", ["Opening-hours.md"], "/Opening-hours/", nil),
            // Docusaurus.
            (
                "[a](/guide/opening)", "one.md", ["02-guide/1_opening.md"], "/02-guide/1_opening/",
                nil
            ),
            ("[a](2024-01)", "one.md", ["1.2024-01.md"], "2024-01", "dead-link"),
            ("[a](g/two.md)", "h/one.md", ["g/two.md", "h/two.md"], "/g/two/", nil),
            ("[a](./g/two.md)", "h/one.md", ["g/two.md"], "./g/two.md", "dead-link"),
            ("[a](g/two.md)", "h/one.md", ["g/two.md", "h/g/two.md"], "/h/g/two/", nil),
            // Jekyll.
            ("[a]\n\n[a]: {% link g/two.md %}", "h/one.md", ["g/two.md"], "/g/two/", nil),
            // Starlight.
            (
                "[a](/g-h/whats-new/)", "one.md", ["G. H/What's New.md"],
                "/G.%20H/What%27s%20New/", nil
            ),
            // Obsidian.
            ("[[Shop/Rules]]", "x/one.md", ["Shop/Rules.md", "Rules.md"], "/Shop/Rules/", nil),
            ("[[Rules]]", "one.md", ["a/b/Rules.md"], "/a/b/Rules/", nil),
            (
                "[[Rules]]", "x/y/one.md", ["x/Rules.md", "a/Rules.md"], "/x/Rules/",
                "ambiguous-link"
            ),
            ("[[_Rules]]", "one.md", ["Rules.md", "_Rules.md", "x/rules.md"], "/_Rules/", nil),
            ("[[Keys]]", "x/one.md", ["keys.md", "x/_Keys.md"], "/keys/", nil),
            ("[[a_b]]", "x/one.md", ["a b.md", "c/a_b.md"], "/c/a_b/", nil),
            ("[a](A%20b.md#keys)", "x/one.md", ["y/A b.md", "y/a b c.md"], "/y/A%20b/#keys", nil),
            ("[a](a%20b.md)", "x/one.md", ["y/A b.md"], "a%20b.md", "dead-link"),
            ("[a](b.md)", "x/one.md", ["y/b.md", "z/b.md"], "b.md", "dead-link"),
            ("[a](index.md)", "x/one.md", ["index.md"], "index.md", "dead-link"),
            ("![a](../g/index.gif)", "x/one.md", ["g/a.md"], "../g/index.gif", "missing-asset"),
            ("[a](/g/index)", "x/one.md", ["g/a.md"], "/g/", nil),
            ("![a](b.gif)", "x/one.md", ["y/b.gif"], "/y/b.gif", nil),
            ("[[./Rules]]", "x/one.md", ["x/Rules.md", "a/Rules.md"], "/x/Rules/", nil),
            ("[[Two#Doors#Keys]]", "one.md", ["two.md"], "/two/#keys", nil),
            ("[[Two#Keys]]", "one.md", ["two.md"], "/two/#keys", nil),
            ("[[Two#Keys#Doors]]", "one.md", ["two.md"], "/two/#Keys%23Doors", "dead-anchor"),
            ("![[a b.gif|20]]", "x/one.md", ["f/a b.gif"], "/f/a%20b.gif", nil),
            ("![[b.gif]]", "one.md", ["f/a.gif"], "b.gif", "missing-asset"),
            ("[[#^abcd]]\n\nText ^abcd", "one.md", [], "#~%5Eabcd", nil),
            // DocC.
            ("<doc:Two#Keys>", "g/one.md", ["h/Two.md"], "/h/Two/#keys", nil),
            (
                "![](plan)", "g/one.md", ["a/plan@2x.gif", "a/plan~dark.gif"], "/a/plan%402x.gif",
                nil
            ),
            // Hugo.
            ("[a](/go/lang/two/)", "one.md", ["go/Lang/Two.md"], "/go/Lang/Two/", nil),
            ("[a](/Go/Lang/Two/)", "one.md", ["go/lang/two.md"], "/Go/Lang/Two/", "dead-link"),
            ("[a]({{< ref \"two.md#keys\" >}})", "g/one.md", ["h/two.md"], "/h/two/#keys", nil),
            // Ids that other tools make of a heading.
            (
                "[a](two.md#Keys-)", "one.md", ["one-key.md", "two.md"], "/two/#Keys-",
                "dead-anchor"
            ),
            ("[a](two.md#DOORS)", "one.md", ["two.md"], "/two/#doors", nil),
        ] as [(String, String, [String], String, String?)]
    )
    func `a link leads where its own tool led`(
        text: String,
        path: String,
        files: [String],
        address: String,
        rule: String?
    ) async throws {
        let toml = ["dead-link", "dead-anchor", "missing-asset"].map { "\($0) = \"warning\"\n" }
            .joined()
        let found = try await Self.links(text, on: path, files, toml)
        #expect(found.addresses.first == address)
        #expect(found.rules == [rule].compactMap(\.self))
    }

    @Test(
        arguments: [
            ("root = \"/docs\"", "[a](/docs/two#keys)", ["two.md"], "/two/#keys", nil),
            ("root = [\"/a/\", \"/b/\"]", "[a](/b/)", ["index.md"], "/", nil),
            ("root = \"/docs/\"", "[a](/two)", ["two.md"], "/two/", nil),
            ("root = \"/docs/\"", "[a](/docs/two)", ["docs/two.md"], "/docs/two/", nil),
            ("root = \"/d/\"", "[a](/d/two)", ["d/two.md", "two.md"], "/two/", "ambiguous-link"),
            ("relative = \"file\"", "[a](../two/)", ["two.md", "fr/two.md"], "/two/", nil),
            ("relative = \"address\"", "[a](../two)", ["two.md", "fr/two.md"], "/fr/two/", nil),
            ("root = \"docs\"", "a", [], nil, "configuration"),
            ("relative = \"page\"", "a", [], nil, "configuration"),
        ] as [(String, String, [String], String?, String?)]
    )
    func `settings say what links mean`(
        setting: String,
        text: String,
        files: [String],
        address: String?,
        rule: String?
    ) async throws {
        let found = try await Self.links(text, on: "fr/one.md", files, "[links]\n\(setting)\n")
        #expect(found.addresses.first == address)
        #expect(found.rules == [rule].compactMap(\.self))
    }

    /// A link to a draft never becomes one to another page.
    @Test func `a page that is not published hides no other reading`() async throws {
        let site = try Self.site(
            "# A\n",
            [
                "site/fr/one.md": "[a](../two/)\n", "site/two.md": "# T\n",
                "site/fr/two.md": "---\ndraft: true\n---\n",
            ]
        )
        #expect(await site.build().diagnostics.map(\.rule).contains("link-to-draft"))
    }

    @Test func `an id, a permalink and other names of a page are known to links`() async throws {
        let site = try Self.site(
            "[a](/guide/hours) [b](/x/y/) [c](/z/) [[Opening times]]\n",
            [
                "site/01-guide/2-open.md": "---\nid: hours\npermalink: x/y\n---\n",
                "site/b.md": "---\nslug: /z/\naliases: [Opening times, 'C#', b, B, a/b]\n---\n",
                "site/c.md": "---\naliases: [Opening times]\nurl: /b/\n---\n",
            ]
        )
        let outcome = await site.build()
        #expect(outcome.release == 1)
        #expect(outcome.diagnostics.map(\.rule) == ["alias", "ambiguous-link"])
    }

    @Test func `an alias wins over a list, and over its page's own address in vain`() async throws {
        let site = try Self.site(
            "# A\n",
            [
                "site/teams/shop.md": "---\naliases: [/teams/]\n---\n",
                "site/hours.md": "---\naliases: [/hours/, /Hours/]\n---\n",
            ]
        )
        let outcome = await site.build()
        #expect(outcome.release == 1)
        #expect(outcome.diagnostics.map(\.severity) == [.warning])
        let list = site.current.appending(path: "site/teams/index.html")
        #expect(try String(contentsOf: list, encoding: .utf8).contains("/teams/shop/"))
        #expect(
            !FileManager.default.fileExists(atPath: list.path.replacing("teams", with: "Hours"))
        )
    }

    @Test func `links with certain beginnings are left alone`() async throws {
        let toml = "[links]\nignore = [\"/dotnet/\", \"../std/\"]\n"
        let site = try Self.site("[a](/dotnet/x) [b](../std/i.html#c) [c](/dot)\n", [:], toml)
        let outcome = await site.build()
        #expect(outcome.diagnostics.map(\.subject) == ["/dot"])
    }

    /// A program cannot hide behind such a beginning.
    @Test func `a dangerous link is never left alone`() async throws {
        let toml = "[links]\nignore = [\"java\"]\n"
        let site = try Self.site("[a](javascript:x)\n", [:], toml)
        #expect(await site.build().diagnostics.map(\.rule) == ["dangerous-link"])
    }

    /// macOS writes `é` as two characters, and everybody else as one.
    @Test func `names that are composed in another way find each other`() async throws {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        let site = try Self.site(
            "![a](\(decomposed).gif) [b](#\(decomposed)) [c](\(decomposed).md)\n\n## Caf\u{E9}\n",
            ["site/\(composed).gif": "GIF8", "site/\(composed).md": "# C\n"]
        )
        #expect(await site.build().diagnostics.isEmpty)
        let page = try Self.page(site)
        #expect(page.contains("src=\"/caf%C3%A9.gif\""))
        #expect(page.contains("href=\"#caf%C3%A9\"") && page.contains("href=\"/caf%C3%A9/\""))
    }

    @Test func `an anchor on the address that a page had before is looked up on the page`()
        async throws
    {
        let site = try Self.site(
            "[a](/old/#here) [b](/old/#gone)\n",
            ["site/new.md": "---\naliases: /old\n---\n## Here\n"]
        )
        let outcome = await site.build()
        #expect(
            outcome.diagnostics.map(\.message) == [
                "'new.md' has no heading '#gone'; it has '#here'"
            ]
        )
    }

    @Test func `a folder that differs in case is named`() async throws {
        let site = try Self.site("[a](Guide/Setup.md)\n", ["site/guide/setup.md": "# S\n"])
        let notes = await site.build().diagnostics.flatMap(\.notes).map(\.message)
        #expect(notes == ["there is 'guide/setup.md', which differs only in case"])
    }

    @Test func `a path that is too deep is reported as such`() async throws {
        let deep = String(repeating: "a/", count: 40)
        let outcome = await (try Self.site("# A\n", ["site/\(deep)b.md": "# B\n"])).build()
        #expect(outcome.diagnostics.map(\.message) == ["it is nested deeper than 31 folders"])
    }

    @Test func `an alias that two pages have can be lowered, and leads to the first`() async throws
    {
        let files = [
            "site/a.md": "---\naliases: /old\n---\n", "site/b.md": "---\naliases: /OLD\n---\n",
        ]
        #expect(await (try Self.site("# A\n", files)).build().diagnostics.map(\.rule) == ["alias"])
        let toml = "[checks]\nalias = \"warning\"\n"
        let site = try Self.site("# A\n", files, toml)
        let outcome = await site.build()
        #expect(outcome.release == 1)
    }

    /// A glossary: each link was a search among all headings, and each dead one a comparison.
    @Test func `many links and headings take time in proportion`() async throws {
        let headings = (0..<20_000).map { "## Release notes for version \($0)\n" }.joined()
        let links = (0..<20_000).map { "[a](#release-notes-for-versioni-\($0))\n" }.joined()
        let site = try Self.site(headings + "\n" + links)
        let outcome = await site.build { $0.checks.publishes = false }
        #expect(outcome.diagnostics.count == 20_000)
    }
}
