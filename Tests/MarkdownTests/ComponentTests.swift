import Markdown
import Testing

/// Components of MDX and Vue, and comments of other tools.
@Suite struct ComponentTests {
    @Test(arguments: [
        (
            "<Tabs>\n<TabItem value=\"a\">b *c*</TabItem>\n</Tabs>",
            "<div class=\"tabs\">\n<details open>\n<summary>a</summary>\n<p>b <em>c</em></p>\n"
                + "</details>\n</div>\n"
        ),
        ("<Card title=\"a\">b</Card>", BorrowedHTML.note("a", "<p>b</p>\n")),
        (
            "<Card\n  title=\"a\"\n  icon={{ a: <b>1</b> }}\n>\nb\n</Card>",
            BorrowedHTML.note("a", "<p>b</p>\n")
        ),
        (
            "- <Card\n    title=\"a\">\n  b\n  </Card>",
            "<ul>\n<li>\n" + BorrowedHTML.note("a", "<p>b</p>\n") + "</li>\n</ul>\n"
        ),
        ("<Foo a=\"b\">c</Foo>", "<p>c</p>\n"), ("<Foo\n  a={b}\n/>\nc", "<p>c</p>\n"),
        (
            "<Image src=\"a.png\" alt=\"b\" />",
            "<figure>\n<img src=\"a.png\" alt=\"b\" />\n</figure>\n"
        ),
        ("<Badge text=\"a\" />", "<p>a</p>\n"),
        ("## A <Badge text=\"b\" />", "<h2 id=\"a-b\">A b</h2>\n"),
        (
            "<LinkCard\n  title=\"a\"\n  href=\"/b/\"\n  description=\"c\"\n/>",
            "<p><a href=\"/b/\">a</a></p>\n<p>c</p>\n"
        ),
        ("a <Foo b=\"c\">d</Foo> e", "<p>a d e</p>\n"),
        ("{/* a\n\nb */}\nc", "<p>c</p>\n"), ("%%\na\n\nb\n%%\n\nc", "<p>c</p>\n"),
        ("{% comment %}\n\na\n\n{% endcomment %}\nc", "<p>c</p>\n"),
        ("{/* a\n\nb */} c", "<p>{/* a</p>\n<p>b */} c</p>\n"),
        ("{/* a\n\nb", "<p>{/* a</p>\n<p>b</p>\n"),
        ("# A {/* #b */}", "<h1 id=\"b\">A</h1>\n"),
    ])
    func `components keep their texts, and comments go`(markdown: String, html: String) throws {
        #expect(try BorrowedHTML.html(markdown) == html)
    }
}
