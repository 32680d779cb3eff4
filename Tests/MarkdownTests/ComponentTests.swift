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
        ("## a <Badge>*b*</Badge> {#c}", "<h2 id=\"c\">a <em>b</em></h2>\n"),
        ("## a <Badge>b</Badge>", "<h2 id=\"a-b\">a b</h2>\n"), ("<Foo>a</Foo>", "<p>a</p>\n"),
        ("<div><Foo>a</Foo></div>", "<div>a</div>\n"),
        ("a <Foo>b</foo> Map<String>", "<p>a &lt;Foo&gt;b&lt;/foo&gt; Map&lt;String&gt;</p>\n"),
        ("<TABLE>\n<TD>a</TD>\n</TABLE>", "<table>\n<tr><td>a</td>\n</tr></table>\n"),
        (
            "<Step title=\"a\">\nb\n</Step>\n<Step>\nc\n</Step>",
            "<ol>\n<li>\n<p><strong>a</strong></p>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>\n"
        ),
        (
            "```mdx-code-block\n<Foo a=\"b\">\n```\n*c*\n~~~mdx-code-block\n</Foo>\n~~~",
            "<p><em>c</em></p>\n"
        ),
        (
            "a\n```mdx-code-block\nb\n```\nc\n```mdx-code-block\nd",
            "<p>a</p>\n<p>b</p>\n<p>c</p>\n<pre><code class=\"language-mdx-code-block\">d\n</code></pre>\n"
        ),
        (
            "a <img\n  src={require('./a.png').default} alt={\"b\"} width={30}/> c",
            "<p>a <img src=\"./a.png\" alt=\"b\" width=\"30\" /> c</p>\n"
        ),
        (
            "<div>\n<img src={ useBaseUrl( `/a.png` ) } alt='b' />\n</div>",
            "<div>\n<img src=\"/a.png\" alt=\"b\" />\n</div>\n"
        ),
        (
            "<Image src={useBaseUrl('a.png')} alt=\"b\" />",
            "<figure>\n<img src=\"a.png\" alt=\"b\" />\n</figure>\n"
        ),
        ("<img src={a('b')} /> {'c'}", "<p>&lt;img src={a('b')} /&gt; {'c'}</p>\n"),
        (
            "<LinkButton href=\"/b/\" icon=\"c\">d *e*</LinkButton>\nf",
            "<p><a href=\"/b/\">d <em>e</em></a></p>\n<p>f</p>\n"
        ),
        (
            "<LinkButton\n  href=\"/b/\"\n>\n  d\n\n  e\n</LinkButton>\n\nf",
            "<p><a href=\"/b/\">d</a></p>\n<p>e</p>\n<p>f</p>\n"
        ),
        ("<Link to=\"/b/\">\n\n- c\n\n</Link>", "<ul>\n<li><a href=\"/b/\">c</a></li>\n</ul>\n"),
        (
            "a <Link to=\"/b/\">c [d](e)</Link> f",
            "<p>a <a href=\"/b/\">c </a><a href=\"e\">d</a> f</p>\n"
        ),
        (
            "<Link to=\"/b/\">\n\n# C\n\n</Link>",
            "<h1 id=\"c\">C</h1>\n<p><a href=\"/b/\">/b/</a></p>\n"
        ),
        ("<Link href={b}>c</Link>", "<p>c</p>\n"),
        (
            "<Card title=\"a\" href=\"/b/\">c</Card>",
            BorrowedHTML.note("<a href=\"/b/\">a</a>", "<p>c</p>\n")
        ),
        (
            "<CardGrid>\n  <LinkCard title=\"a\" href=\"/b/\" description=\"c\" />\n\n  <Card title=\"d\">\n    *e*\n  </Card>\n</CardGrid>",
            "<div class=\"cards\">\n<ul>\n<li>\n<p><a href=\"/b/\">a</a></p>\n<p>c</p>\n</li>\n"
                + "<li>\n<p><strong>d</strong></p>\n<p><em>e</em></p>\n</li>\n</ul>\n</div>\n"
        ),
        (
            "{{< cards >}}\n  {{< card link=\"/b/\" title=\"a\" icon=\"c\" >}}\n{{< /cards >}}",
            "<div class=\"cards\">\n<ul>\n<li>\n<p><a href=\"/b/\">a</a></p>\n</li>\n</ul>\n</div>\n"
        ),
        (
            "`#!py a()` `#!/bin/sh -e` `#!sh`",
            "<p><code>a()</code> <code>#!/bin/sh -e</code> <code>#!sh</code></p>\n"
        ),
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
