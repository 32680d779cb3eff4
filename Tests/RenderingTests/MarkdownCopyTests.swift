import Markdown
import Testing

@testable import Rendering

/// Pages as Markdown: they say what the page says, and nothing else.
@Suite struct MarkdownCopyTests {
    private static func copy(
        _ markdown: String,
        title: String? = nil,
        titleLevel: Int? = nil,
        rawHTML: MarkdownOptions.RawHTML = .safe
    ) throws -> String {
        var options = MarkdownOptions()
        options.wikiLinks = true
        options.formulas = true
        options.diagrams = true
        options.borrowedBlocks = true
        options.themed = true
        options.rawHTML = rawHTML
        let document = try RenderedDocument(Array(markdown.utf8), options)
        let bytes = MarkdownCopy(origin: "https://docs.example.com", url: "/a/b/").bytes(
            of: document,
            urls: document.references.map(\.destination),
            title: title,
            titleLevel: titleLevel
        )
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is Markdown of GitHub already.
    @Test(arguments: [
        "# Title\n\nA *text* with **words**, ~~none~~ and `code`.\n",
        "- one\n- two\n  - three\n\n1. first\n2. second\n",
        "- a\n\n- b\n\n  more\n\n  ```sh\n  ls\n\n  pwd\n  ```\n",
        "> quoted\n>\n> - item\n",
        "| A | B | C |\n| :--- | :---: | ---: |\n| 1 | 2 | 3 |\n",
        "| A | B |\n| --- | --- |\n| 1 | `a\\|b` |\n| x \\| y |  |\n",
        "```swift\nlet a = \"<b>\"\n\n  b\n```\n",
        "````\n```\n````\n",
        "- [x] done\n- [ ] open\n",
        "Text[^1].\n\n[^1]: A note.\n",
        "1\\. no list, \\* no \\[emphasis\\], snake_case\n",
        "a\\\nb\n", "---\n", "src/_a.md & AT&T, \\_x, -5 \\&lt; `a  b`\n", "- a\n\n---\n\n- b\n",
        "```JSON\n{{ include }}\n```\n", "**a**b: {c} $5 == ++ `{{d}}` access: hr\n",
        "Energy $E=mc^2$.\n\n$$\nx\n\ny\n$$\n",
        "```mermaid\na --> b\n```\n",
        "![A picture](https://example.com/a.png)\n",
    ])
    func `what GitHub knows stays as it is`(markdown: String) throws {
        #expect(try Self.copy(markdown) == markdown)
    }

    @Test(arguments: [
        (
            "[a](/x/y/) [b](#c) [d](https://example.com/)",
            "[a](https://docs.example.com/x/y/) [b](https://docs.example.com/a/b/#c)"
                + " [d](https://example.com/)\n"
        ),
        ("Seen <!-- secret --> here\n\n<!-- secret\n\nsecret -->\n\nEnd", "Seen here\n\nEnd\n"),
        ("a\n\n[^x]: secret\n\n[y]: /secret/ 'secret'\n\n*[SEC]: secret", "a\n"),
        ("%% secret %%\n\na", "a\n"),
        (
            "> [!WARNING]\n> Hot\n\n!!! note \"Own\"\n    Text",
            "> [!WARNING]\n> Hot\n\n> [!NOTE]\n> **Own**\n>\n> Text\n"
        ),
        ("Term\n: What it is", "**Term**\n\n> What it is\n"),
        (
            "<details><summary><b>Q</b> &amp; A</summary>\n\n*a*\n</details>",
            "<details>\n<summary>Q &#38; A</summary>\n\n*a*\n\n</details>\n"
        ),
        ("> [!tip]- Own\n> Hot", "> [!TIP]\n> **Own**\n>\n> Hot\n"),
        ("=== \"One\"\n    a\n\n=== \"Two\"\n    b", "**One**\n\na\n\n**Two**\n\nb\n"),
        (
            "```py title=\"a.py\" linenums=\"1\" hl_lines=\"1\"\nx\n```",
            "**a.py**\n\n```py\nx\n```\n"
        ),
        (
            "H<sub>2</sub>O and ++ctrl+a++ <kbd>x</kbd>",
            "H<sub>2</sub>O and <kbd>Ctrl</kbd>+<kbd>A</kbd> <kbd>x</kbd>\n"
        ),
        ("[TOC]\n\n## One\n\n## Two", "## One\n\n## Two\n"),
        ("<table><tr><td>a<p>b</p></td></tr></table>\n\nc", "| a b |\n| --- |\n\nc\n"),
        ("<script>secret</script><style>secret</style>\n\na", "a\n"),
        ("", ""),
    ])
    func `what a page says in other words`(markdown: String, expected: String) throws {
        #expect(try Self.copy(markdown) == expected)
    }

    @Test func `the title is a heading, once`() throws {
        #expect(try Self.copy("Text", title: "A *title*") == "# A \\*title\\*\n\nText\n")
        #expect(try Self.copy("## A\n\n## B", titleLevel: 2) == "# A\n\n## B\n")
    }

    @Test func `an author's HTML ends`() throws {
        let html = "<ul><li>a<li>b</ul><p>c<p>d <span hidden>secret</span><b>e"
        #expect(try Self.copy(html, rawHTML: .trusted) == "- a\n- b\n\nc\n\nd **e**\n")
        let hidden =
            "<p hidden>secret</p><p>s</p>"
            + "<a href='/b/'><div>b <i>c</i></div><div>d</div></a>"
        let deeper = String(repeating: "<div>", count: 100) + "<b hidden>secret</b>e"
        #expect(
            try Self.copy(hidden + deeper, rawHTML: .trusted)
                == "s\n\n[b *c* d](https://docs.example.com/b/)\n\ne\n"
        )
        let deep = String(repeating: "<blockquote>", count: 5000)
        #expect(try Self.copy(deep + "x", rawHTML: .trusted).utf8.count < 1000)
    }
}
