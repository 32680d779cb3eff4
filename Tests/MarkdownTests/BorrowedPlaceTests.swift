import Markdown
import Testing

/// Blocks of other tools below HTML and lists, and footnotes in a text.
@Suite struct BorrowedPlaceTests {
    /// A line right below HTML belongs to the HTML, unless it is one of these.
    @Test(arguments: [
        (
            "{% hint %}\na\n\n<img src=\"a.png\" alt=\"x\">\n{% endhint %}\nc",
            BorrowedHTML.note("Info", "<p>a</p>\n<img src=\"a.png\" alt=\"x\" />\n") + "<p>c</p>\n"
        ),
        (
            "<Tabs>\n<TabItem label=\"A\">\n<hr>\n</TabItem>\n<TabItem label=\"B\">\n<hr>\n</TabItem>\n</Tabs>",
            "<div class=\"tabs\">\n<details open>\n<summary>A</summary>\n<hr />\n</details>\n"
                + "<details open>\n<summary>B</summary>\n<hr />\n</details>\n</div>\n"
        ),
        (
            "{{< details \"A\" >}}\n<hr>\n{{< /details >}}\n*b*",
            "<details class=\"markdown-alert markdown-alert-note\">\n"
                + "<summary class=\"markdown-alert-title\">A</summary>\n<hr />\n</details>\n<p><em>b</em></p>\n"
        ),
        ("/// note\n<hr>\n///\n*b*", BorrowedHTML.note("Note", "<hr />\n") + "<p><em>b</em></p>\n"),
        (
            "<div>\n!!! note\n    *a*\n</div>",
            "<div>\n" + BorrowedHTML.note("Note", "<p><em>a</em></p>\n") + "</div>\n"
        ),
        (
            "<div>\na\n: b\n{% x %}\n</Foo>\n:::\n</div>",
            "<div>\na\n: b\n{% x %}\n&lt;/Foo&gt;\n:::\n</div>\n"
        ),
        ("<pre>\n:::note\n</pre>", "<pre>\n:::note\n</pre>\n"),
    ])
    func `HTML ends before a block of another tool`(markdown: String, html: String) throws {
        #expect(try BorrowedHTML.html(markdown) == html)
    }

    @Test(arguments: [
        (
            "{% stepper %}\n{% step %}\n## A\na\n{% endstep %}\n\n{% step %}\nb\n{% endstep %}\n{% endstepper %}\n"
                + "{% stepper %}\n{% step %}\nc\n{% endstep %}\n{% endstepper %}",
            "<ol>\n<li>\n<h2 id=\"a\">A</h2>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>\n"
                + "<ol>\n<li>\n<p>c</p>\n</li>\n</ol>\n"
        ),
        (
            "1. x\n\n{% step %}\ny\n{% endstep %}",
            "<ol>\n<li>x</li>\n</ol>\n<ol>\n<li>\n<p>y</p>\n</li>\n</ol>\n"
        ),
        (
            "{% columns %}\n{% column width=\"50%\" %}\na\n{% endcolumn %}\n\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}",
            "<p>a</p>\n<p>b</p>\n"
        ),
        ("{% page-ref page=\"a/b.md\" %}", "<p><a class=\"frame\" href=\"a/b.md\">b.md</a></p>\n"),
        (
            "## :rocket: Go\n## 🚀 Go\n## :+1:",
            "<h2 id=\"rocket-go\">🚀 Go</h2>\n<h2 id=\"-go\">🚀 Go</h2>\n<h2 id=\"1\">👍</h2>\n"
        ),
    ])
    func `steps, columns and ids`(markdown: String, html: String) throws {
        #expect(try BorrowedHTML.html(markdown) == html)
    }

    @Test func `a footnote may stand in the text`() throws {
        let html = try BorrowedHTML.html("a^[b *c* [d](e)] f^[g], h. ^[Two words.] [^1]\n\n[^1]: i")
        #expect(
            html.hasPrefix(
                "<p>a<sup class=\"footnote-ref\"><a href=\"#fn-inline-1\" id=\"fnref-inline-1\""
                    + " data-footnote-ref>1</a></sup> f<sup"
            )
        )
        #expect(
            html.contains("<li id=\"fn-inline-1\">\n<p>b <em>c</em> <a href=\"e\">d</a> <a href")
        )
        #expect(html.contains("<li id=\"fn-inline-3\">\n<p>Two words. <a href"))
        #expect(html.contains(">4</a></sup></p>") && html.contains("<p>i <a href"))
        for text in [
            "^[a-z]+", "x^[2]", "a^[b](c)", "a^[b", "a ^[b] c", "`a^[b]`", "a^[b]: c", "a^[]",
            "a\\^[b c]",
        ] {
            #expect(!(try BorrowedHTML.html(text).contains("footnote")), "\(text)")
        }
    }
}
