import Diagnostics
import Foundation
import Testing

/// What is told of links, and what becomes of them.
@Suite struct LinkFindingTests {
    private static func site(_ page: String, _ files: [String: String] = [:], _ toml: String = "")
        throws -> TemporarySite
    {
        let all = ["sitegen.toml": toml, "site/index.md": page]
        return try TemporarySite(all.merging(files) { $1 })
    }

    private static func page(_ site: TemporarySite) throws -> String {
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
        ("![a](film.mp4)", "unsuitable-image"), ("![a](text.pdf)", "unsuitable-image"),
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
