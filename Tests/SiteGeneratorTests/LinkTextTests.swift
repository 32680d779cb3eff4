import Testing

@testable import Site
@testable import SiteGenerator

/// What readers see of a link, and what authors are told of its file.
extension LinkFindingTests {
    /// GitBook shows the title where an author mentions a page.
    @Test(arguments: [
        ("[a.md](a.md \"mention\")", ">A &amp; B</a>"), ("[x](a.md \"mention\")", ">x</a>"),
        ("[a.md](a.md)", ">a.md</a>"), ("[a.md](./a.md#k \"mention\")", ">a.md</a>"),
        ("<a data-mention href=\"./a.md\">a.md</a>", ">A &amp; B</a>"),
        ("{% content-ref url=\"a.md\" %}\n[a.md](a.md)\n{% endcontent-ref %}", ">A &amp; B</a>"),
        ("[pay.md](pay.md \"mention\")", ">pay.md</a>"),
        ("[no.md](no.md \"mention\") [a.md](a.md)", ">no.md</a> <a href=\"/a/\">a.md</a>"),
    ])
    func `the title stands for the address of a page`(text: String, link: String) async throws {
        let site = try Self.site(
            text + "\n",
            ["site/a.md": "# A & B\n## k\n", "site/pay.md": "---\naccess: [hr]\n---\n# Layoffs\n"],
            "[checks]\ndead-link = \"off\"\n[groups]\nhr = { role = \"HR\" }\n"
        )
        #expect(await site.build().release == 1)
        let page = try Self.page(site)
        #expect(page.contains(link) && !page.contains("Layoffs"))
    }

    @Test(arguments: ["[[_Shop]]", "[a](../g/_Shop.md)", "[a](_Shop.md)"])
    func `a file that is ignored is named`(link: String) async throws {
        let files = ["site/g/_Shop.md": "# S\n", "site/h/one.md": link + "\n"]
        let found = await (try Self.site("# A\n", files)).build().diagnostics
        #expect(
            found.filter { $0.rule == "dead-link" }.flatMap(\.notes).map(\.message) == [
                "'g/_Shop.md' exists but is ignored: its name or its folder's name begins with '_'; 'include = [\"/g/_Shop.md\"]' in sitegen.toml publishes it, \"_*.md\" all such files"
            ]
        )
    }
}
