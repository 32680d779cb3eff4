import Fixtures
import MarkdownWriting
import Testing

@testable import Import

/// Pieces of HTML as Markdown.
@Suite struct MarkdownWriterTests {
    static func conversion() -> Conversion {
        var site = ImportedSite(title: "x", pages: [ImportedPage(title: "One")])
        site.pages[0].attachments = [Attachment(name: "a.png", path: "f/a.png")]
        let layout = SiteLayout(site)
        return Conversion(layout) { address, page in
            if address.hasPrefix("#") { return .page(page, fragment: String(address.dropFirst())) }
            if address.hasPrefix("https:") { return .elsewhere(address) }
            return layout.filesByPath[address].map(LinkTarget.file) ?? .missing(address)
        }
    }

    static func markdown(_ html: String) -> String {
        let page = PageConversion(conversion(), 0)
        return MarkdownWriter(page: page)
            .text(MarkupReader.tree(Array(html.utf8), isXML: false).children)
    }

    @Test(arguments: [
        ("<p>a <b>b</b> c</p>", "a **b** c"),
        ("<p>a<b>b</b>c</p>", "a<strong>b</strong>c"),
        ("<p>x <b> b </b>y</p>", "x **b** y"),
        ("<p><b></b>a</p>", "a"),
        ("<p>1. a<br/>2. <b>b</b></p>", "1\\. a\\\n2\\. **b**"),
        ("<p>a<br>b<br></p>", "a\\\nb"),
        ("<p><br>a\\<br></p>", "a\\\\"),
        ("<p><b>a<br></b>b</p>", "**a**\\\nb"),
        ("<h2>A *b*<br>c</h2>", "### A \\*b\\* c"),
        ("<h1>A</h1><h6>b</h6>", "## A\n\n###### b"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n<!-- -->\n\n- b"),
        ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<pre>a\n  b</pre>", "```\na\n  b\n```"),
        ("<pre><code class=language-mermaid>a</code></pre>", "```mermaid\na\n```"),
        ("<p><code>a`b</code> <kbd>x</kbd></p>", "``a`b`` <kbd>x</kbd>"),
        ("<p><img src=f/a.png alt='A [b]' width=20></p>", "![A \\[b\\]](one/a.png){width=20}"),
        ("<p><a href='https://example.com/a b'>x</a></p>", "[x](https://example.com/a%20b)"),
        ("<p><a href=gone.html>x</a></p>", "x<!-- import: link to gone.html -->"),
        (
            "<p><a href='javascript:alert(1)'>x</a></p>",
            "x<!-- import: link to javascript:alert 1 -->"
        ),
        ("<p><img src='data:image/png;base64,AA'></p>", "image<!-- import: image data -->"),
        (
            "<table><tr><th>a<th>b<tr><td>x|y<td><p>1</p><p>2</p></table>",
            "| a | b |\n| --- | --- |\n| x\\|y | 1<br>2 |"
        ),
        (
            "<table><tr><td>a</table>",
            "<table>\n<tr>\n<td>\n\na\n\n</td>\n</tr>\n</table>"
        ),
        ("<section><unknown>a</unknown></section>", "a"),
        ("<script>x</script><style>y</style>a", "a"),
        ("a<!-- c -->b", "ab"),
        ("<dl><dt>a</dt><dd>b</dd></dl>", "**a**\n\n> b"),
    ])
    func `HTML becomes Markdown`(html: String, markdown: String) {
        // The page has a file, so that it is a folder.
        #expect(Self.markdown(html) == markdown.replacing("one/a.png", with: "a.png"))
    }

    @Test func `no text is lost between HTML and what readers see`() throws {
        let html = """
            <h1>A</h1>b<p>c <i>d</i><b>e</b>f</p><ul><li>g<p>h</p></li>i</ul><table><caption>j</caption>
            <tr><td colspan=2>k<ul><li>l</li></ul></td></tr></table><div>m<div>n</div>o</div>
            <details><summary>p</summary>q</details><figure>r<figcaption>s</figcaption></figure>
            """
        let words = MarkupReader.tree(Array(html.utf8), isXML: false).words
        let shown = try MarkdownTextTests.shown(Self.markdown(html))
        #expect(shown.words.filter(\.isLetter) == words.filter(\.isLetter))
    }

    @Test func `random pages lose no text`() throws {
        var chance = Chance(state: 31)
        let pieces = [
            "<p>", "</p>", "<b>", "</b>", "<em>", "</em>", "<u>", "</u>", "<code>", "</code>",
            "<ul>", "</ul>", "<li>", "</li>", "<ol start=3>", "</ol>", "<table>", "</table>",
            "<tr><th>", "<tr><td>", "<td colspan=2>", "<th>", "<br>", "<hr>", "<div>", "</div>",
            "<pre>", "</pre>", "<h2>", "</h2>", "<blockquote>", "</blockquote>", "<dl><dt>", "<dd>",
            "</dl>", "<a href='https://example.com/a'>", "</a>", "a", "b c", " ", "*", "_", "|",
            "`",
            "&lt;d&gt;", "# ", "- ", "1. ", "> ", "[x]", ":::", "$e$", "~~", "==", "é",
        ]
        for _ in 0..<3_000 {
            let html = (0..<Int.random(in: 2...14, using: &chance)).map { _ in
                pieces.randomElement(using: &chance) ?? ""
            }.joined()
            let words = MarkupReader.tree(Array(html.utf8), isXML: false).text
            let markdown = Self.markdown(html)
            let shown = try MarkdownTextTests.shown(markdown).text
                .replacing("https://example.com/a", with: "")
            #expect(
                shown.filter { !$0.isWhitespace } == words.filter { !$0.isWhitespace },
                "\(html)\n\(markdown)"
            )
        }
    }

    @Test func `hostile nesting ends`() {
        let deep = String(repeating: "<div><ul><li>", count: 20_000) + "x"
        #expect(Self.markdown(deep).contains("x"))
        #expect(Self.markdown(String(repeating: "<b>", count: 20_000) + "y").contains("y"))
        #expect(Self.markdown(String(repeating: "</p>", count: 20_000) + "z") == "z")
    }

    @Test func `XML has no entities of its own, and no end that another element gives`() {
        let xml = """
            <?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">
            <!ENTITY c "&b;&b;">]><a><x>&b;&c;&amp;&auml;</x><y/><![CDATA[<z>&amp;]]]></a><a>second</a>
            """
        var reader = MarkupReader(Array(xml.utf8), isXML: true)
        let first = reader.next("a")
        #expect(first?.text == "&b;&c;&ä<z>&amp;]")
        #expect(first?.children.map(\.name) == ["x", "y", ""])
        #expect(reader.next("a")?.text == "second")
        #expect(reader.next("a") == nil)
    }
}
