import HTML
import Testing

@testable import Markdown

/// HTML of authors whom nobody trusts.
@Suite struct SafeHTMLTests {
    private static func document(
        _ markdown: String,
        _ rawHTML: MarkdownOptions.RawHTML = .safe
    ) throws -> RenderedDocument {
        var options = MarkdownOptions()
        options.rawHTML = rawHTML
        return try RenderedDocument(Array(markdown.utf8), options)
    }

    /// Rendered with the addresses as they were written, but for those that are dangerous.
    private static func html(
        _ markdown: String,
        _ rawHTML: MarkdownOptions.RawHTML = .safe
    ) throws -> String {
        var options = MarkdownOptions()
        options.rawHTML = rawHTML
        let html = try MarkdownFragment.html(Array(markdown.utf8), options)
        return String(decoding: html, as: UTF8.self).trimmingSuffix(while: \.isNewline)
    }

    @Test(arguments: [
        ("a <kbd>Ctrl</kbd>+<KBD>C</KBD>", "<p>a <kbd>Ctrl</kbd>+<kbd>C</kbd></p>"),
        ("one<br>two<BR/>three", "<p>one<br />two<br />three</p>"),
        ("2<sup>10</sup> H<sub>2</sub>O", "<p>2<sup>10</sup> H<sub>2</sub>O</p>"),
        (
            "<details open>\n<summary>S</summary>\n\n*text*\n\n</details>\n\nb",
            "<details open=\"\">\n<summary>S</summary>\n<p><em>text</em></p>\n</details>\n<p>b</p>"
        ),
        (
            "<img src=a.png alt=\"a &amp; b\" width=50%>",
            "<img src=\"a.png\" alt=\"a &amp; b\" width=\"50%\" />"
        ),
        (
            "<picture><source media=\"(x)\" srcset='a.png 1x, b.png 2x'><img src=c.png></picture>",
            "<p><picture><source media=\"(x)\" srcset=\"a.png 1x, b.png 2x\" />"
                + "<img src=\"c.png\" /></picture></p>"
        ),
        (
            "<dl><dt>a<dd>b<dt>c</dl>",
            "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"
        ),
        (
            "<table>\n<tr><th colspan=2>a\n<tr><td>\n\n- b\n\n</table>",
            "<table>\n<tr><th colspan=\"2\">a\n</th></tr><tr><td>\n<ul>\n<li>b</li>\n</ul>\n"
                + "</td></tr></table>"
        ),
        (
            "<p align=center>\n\n![a](b)\n\n</p>",
            "<p align=\"center\">\n</p>\n<p><img src=\"b\" alt=\"a\" /></p>"
        ),
        (
            "| a |\n|-|\n| <ul><li>x<li>y</ul> |",
            "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
                + "<td><ul><li>x</li><li>y</li></ul></td>\n</tr>\n</tbody>\n</table>"
        ),
        ("<ruby>a<rp>(<rt>b<rp>)</ruby>", "<p><ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby></p>"),
    ])
    func `harmless elements arrive`(markdown: String, html: String) throws {
        #expect(try Self.html(markdown) == html)
        #expect(try Self.document(markdown).diagnostics.isEmpty)
    }

    @Test(arguments: [
        (
            "<table data-view=\"cards\"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type=\"content-ref\"></th>"
                + "<th data-hidden data-card-cover></th></tr></thead><tbody><tr><td><h4><i class=\"fa-book\">:book:</i></h4></td><td>A</td>"
                + "<td><a href=\"a.md\">a.md</a></td><td><a href=\"b.png\">b.png</a></td></tr>\n"
                + "<tr><td></td><td><strong>B</strong> <a href=\"c.md\">C</a></td><td><a href=\"d.md\">d.md</a></td><td></td></tr></tbody></table>",
            "<div class=\"author-grid author-cards\">\n<ul>\n"
                + "<li><img alt=\"\" src=\"b.png\" /><div><a href=\"a.md\">A</a></div></li>\n"
                + "<li><div><strong>B</strong> <a href=\"c.md\">C</a></div><div><a href=\"d.md\">d.md</a></div></li>\n"
                + "</ul>\n</div>"
        ),
        (
            "a\n\n<table><thead><tr><th>A</th><th data-hidden>B</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr>"
                + "<tr><td>c</tbody></table>b",
            "<p>a</p>\n<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td></tr><tr><td>c</td></tr></tbody></table>b"
        ),
        ("a <i class=\"fa-x\">:x:</i> <i class=y>z</i>", "<p>a  <i class=\"author-y\">z</i></p>"),
    ])
    func `what GitBook shows of its tables and icons`(markdown: String, html: String) throws {
        #expect(try BorrowedHTML.html(markdown).trimmingSuffix(while: \.isNewline) == html)
        // A link in a table is found where it stands.
        var options = MarkdownOptions()
        options.borrowedBlocks = true
        let references = try RenderedDocument(Array(markdown.utf8), options).references
        for reference in references where reference.kind == .htmlLink {
            let before = markdown.split(separator: "\n")[reference.range.line - 1].utf8
                .dropFirst(reference.range.column - 1)
            let length = reference.destination.utf8.count + 7
            #expect(String(before.prefix(length))?.contains(reference.destination) == true)
        }
    }

    @Test(arguments: [
        ("a <b>c", "<p>a <b>c</b></p>"), ("a </b> c", "<p>a  c</p>"),
        ("<b><i>a</b> c</i>", "<p><b><i>a</i></b> c</p>"),
        ("*a <b>c* d</b>", "<p><em>a <b>c</b></em> d</p>"),
        ("- <div>\n\nb", "<ul>\n<li>\n<div>\n</div></li>\n</ul>\n<p>b</p>"),
        ("> <div>\n\n</div>b", "<blockquote>\n<div>\n</div></blockquote>\n<p>b</p>"),
        (
            "<div>\n\n- a\n\n  </div>\n\nb",
            "<div>\n<ul>\n<li>\n<p>a</p>\n</li>\n</ul>\n<p>b</p>\n</div>"
        ),
        ("</div></main></body>\n\na", "<p>a</p>"),
        ("<details>\n\na</details>\n\nb", "<details>\n<p>a</p>\n</details>\n<p>b</p>"),
        ("<a href=x>\n\n[b](c)\n\n</a>", "<a href=\"x\">\n</a>\n<p><a href=\"c\">b</a></p>"),
        ("<a href=x>y[b](c)</a>", "<p><a href=\"x\">y</a><a href=\"c\">b</a></p>"),
        ("<a href=x>*y[b](c)*</a>", "<p><a href=\"x\"><em>yb</em></a></p>"),
        ("[a<a href=x>b</a>](c)", "<p><a href=\"c\">ab</a></p>"),
        ("[a<a id=x>b</a>](c)", "<p><a href=\"c\">a<span id=\"~x\"></span>b</a></p>"),
        ("a <div>b</div> c", "<p>a b c</p>"), ("# a <h2>b</h2>", "<h1 id=\"a-b\">a b</h1>"),
        ("<p>a<div>b", "<p>a</p><div>b\n</div>"),
        ("<p><table><tr><td>a", "<p></p><table><tr><td>a\n</td></tr></table>"),
        ("<table>a<tr>b<td>c", "<table><tr><td>a</td></tr><tr><td>b</td><td>c\n</td></tr></table>"),
        ("<table><b>a</b><div>c</table>", "<table><tr><td><b>a</b><div>c</div></td></tr></table>"),
        ("<table><tr>\n\n# a", "<table><tr>\n<td>\n<h1 id=\"a\">a</h1>\n</td></tr></table>"),
        ("x <td>a</td><li>b<dd>c<rt>d<caption>e", "<p>x a b c d e</p>"),
        ("<ul><li><table></li><li>", "<ul><li><table>\n</table></li></ul>"),
        ("<table><tr><td><ul></table></ul>a", "<table><tr><td><ul></ul></td></tr></table> a"),
        ("<ruby><p>a<rt>b", "<p><ruby>a<rt>b</rt></ruby></p>"),
        ("<div><div><div></div>", "<div><div><div></div>\n</div></div>"),
        (
            "# [a](#tab/a)\n\n<div>\n\n# [b](#tab/b)\n\n</div>c\n\n---",
            "<div class=\"tabs\">\n<details open>\n<summary>a</summary>\n<div>\n</div>\n</details>\n"
                + "<details open>\n<summary>b</summary>\n<p>c</p>\n</details>\n</div>"
        ),
        (
            "<div>\n\na[^1]\n\n[^1]: b <i>c",
            """
            <div>
            <p>a<sup class="footnote-ref"><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup></p>
            </div>
            <section class="footnotes" data-footnotes>
            <ol>
            <li id="fn-1">
            <p>b <i>c</i> <a href="#fnref-1" class="footnote-backref" data-footnote-backref \
            data-footnote-backref-idx="1" aria-label="Back to reference 1">↩</a></p>
            </li>
            </ol>
            </section>
            """
        ),
    ])
    func `what comes out is balanced, and what browsers would build from it`(
        markdown: String,
        html: String
    ) throws {
        #expect(try Self.html(markdown) == html)
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", ""), ("<style>\n@import 'x';\n</style>", ""),
        ("a <script>alert(1)</script>", "<p>a alert(1)</p>"),
        ("<div><script>\nx\n</SCRIPT >y</div>", "<div>y</div>"),
        (
            "<div><noscript><p title=\"</noscript><img src=x onerror=y>\">",
            "<div>&lt;p title=&quot;<img src=\"x\" />&quot;&gt;\n</div>"
        ),
        ("<textarea><img src=x onerror=y></textarea>", "<p>&lt;img src=x onerror=y&gt;</p>"),
        ("<div><title><b>", "<div>&lt;b&gt;\n</div>"),
        ("<div><plaintext></div>", "<div>&lt;/div&gt;\n</div>"),
        ("<svg><style><img src=x onerror=y></style></svg>", "<p></p>"),
        ("<svg><a href='javascript:x'><text>words</text></a></svg>", "<p>words</p>"),
        ("<math><mtext><table><mglyph><style><img src=x onerror=y></style>", "<p></p>"),
        ("<form action=x><button formaction=y>a</button></form>", "<p>a</p>"),
        ("<template><b>x</b></template>", "<p><b>x</b></p>"),
        ("<div><select><option>a<option>b</select>", "<div>a b\n</div>"),
        (
            "x <b onclick=y style=z class='top bar'>c</b>",
            "<p>x <b class=\"author-top author-bar\">c</b></p>"
        ),
        ("x <b class='a$b'>c</b>", "<p>x <b>c</b></p>"),
        ("x <b/onclick=y//title=z>c</b>", "<p>x &lt;b/onclick=y//title=z&gt;c</p>"),
        ("<div/onclick=y//title=z>", "<p>&lt;div/onclick=y//title=z&gt;</p>"),
        ("<div\n\tTITLE=a title=b onclick\n>", "<div title=\"a\">\n</div>"),
        ("<div title='\"><script>'>", "<div title=\"&quot;&gt;&lt;script&gt;\">\n</div>"),
        ("<div title=`x`<img src=y>", "<div title=\"`x`&lt;img\">\n</div>"),
        ("<div title=\"x", "<p>&lt;div title=&quot;x</p>"),
        ("<div <script>alert(1)</script>", "<p>&lt;div &lt;script&gt;alert(1)</p>"),
        ("<div><!--> <img src=x onerror=y> -->", "<div> <img src=\"x\" /> --&gt;\n</div>"),
        ("<div><!-- --!><i>a</i> -->", "<div><i>a</i> --&gt;\n</div>"),
        ("<div><!-- <i>", "<div>\n</div>"),
        ("<div></><i>a", "<div><i>a\n</i></div>"), ("<div><![CDATA[<i>]]>", "<div>]]&gt;\n</div>"),
        ("<div><?x <i>a?>", "<div>a?&gt;\n</div>"), ("a <!-- b --> c <?d?> e", "<p>a  c  e</p>"),
        ("<a href=javascript:x>a</a>", "<p><a href=\"\">a</a></p>"),
        ("<a href='java&Tab;script&colon;x'>a</a>", "<p><a href=\"\">a</a></p>"),
        ("<a href=\"&#1;JAVASCRIPT:x\">a</a>", "<p><a href=\"\">a</a></p>"),
        (
            "<img src=data:image/svg+xml,x srcset='data:text/html,x 1x'>",
            "<img src=\"\" srcset=\" 1x\" />"
        ),
        ("<iframe src=javascript:x></iframe><embed src=y><object data=z>w</object>", "<p>w</p>"),
        ("<base href=x><meta http-equiv=refresh content=y><link rel=z>", ""),
        ("<img name=cookie id=main>", "<img id=\"~main\" />"), ("<td id=x>a", "<p>a</p>"),
        ("<div hidden contenteditable popover role=main>", "<div>\n</div>"),
        ("<td colspan=99999999>", ""),
        ("<table><td colspan=9999 rowspan=2>", "<table><tr><td rowspan=\"2\">\n</td></tr></table>"),
        (
            "<ol start=-3 type=A><li value=2>",
            "<ol start=\"-3\" type=\"A\"><li value=\"2\">\n</li></ol>"
        ),
        ("a\u{0} <b title='\u{0}'>b</b>", "<p>a\u{FFFD} <b title=\"\u{FFFD}\">b</b></p>"),
        ("<h2 id=content>a</h2>", "<h2 id=\"~content\">a</h2>"),
        ("Vec<T> and `<T>`", "<p>Vec&lt;T&gt; and <code>&lt;T&gt;</code></p>"),
    ])
    func `everything else is dropped or shown, and its words stay`(
        markdown: String,
        html: String
    ) throws {
        #expect(try Self.html(markdown) == html)
    }

    @Test(arguments: [
        ("<Tabs group=os>a</Tabs>", "<p>&lt;Tabs group=os&gt;a&lt;/Tabs&gt;</p>"),
        ("a <x-y z=1>b</x-y>c", "<p>a &lt;x-y z=1&gt;b&lt;/x-y&gt;c</p>"),
        ("a <Badge text=\"<b>\" /> c", "<p>a &lt;Badge text=&quot;&lt;b&gt;&quot; /&gt; c</p>"),
        (
            "<Listing caption='a\n<i>b'>\n\nc\n\n</Listing>",
            "<p>&lt;Listing caption='a\n&lt;i&gt;b'&gt;</p>\n<p>c</p>\n<p>&lt;/Listing&gt;</p>"
        ),
        (
            "<Script src=x onload=y>\nalert(1)</Script>",
            "<p>&lt;Script src=x onload=y&gt;\nalert(1)&lt;/Script&gt;</p>"
        ),
        ("Use <your tenant id> here.", "<p>Use &lt;your tenant id&gt; here.</p>"),
        ("- <path to file>", "<ul>\n<li>\n<p>&lt;path to file&gt;</p>\n</li>\n</ul>"),
        ("- <p name>", "<ul>\n<li>\n<p>&lt;p name&gt;</p>\n</li>\n</ul>"),
        ("a <var name>b</var></var>", "<p>a &lt;var name&gt;b&lt;/var&gt;</p>"),
        ("a <script name onclick>b", "<p>a &lt;script name onclick&gt;b</p>"),
        ("<script name>\nb", "<p>&lt;script name&gt;\nb</p>"),
        ("a <p name>\n\nb </p>", "<p>a &lt;p name&gt;</p>\n<p>b </p>"),
    ])
    func `what is no element is shown with all that stands in it`(
        markdown: String,
        html: String
    ) throws {
        #expect(try Self.html(markdown) == html)
        #expect(try Self.html(markdown, .omitted) == html)
    }

    @Test(arguments: [
        ("a <img src=b alt>", "<p>a <img src=\"b\" alt=\"\" /></p>"),
        ("<div markdown>\n\na\n\n</div>", "<div>\n<p>a</p>\n</div>"),
        ("<div class=a name>", "<div class=\"author-a\">\n</div>"),
        ("<ol reversed>", "<ol reversed=\"\">\n</ol>"), ("<div data-a aria-b>", "<div>\n</div>"),
        ("<DETAILS OPEN>", "<details open=\"\">\n</details>"),
        ("<Details summary=\"a\">", "<details>\n</details>"),
    ])
    func `an attribute that needs no value makes no placeholder`(
        markdown: String,
        html: String
    ) throws {
        #expect(try Self.html(markdown) == html)
    }

    @Test(arguments: [
        ("one<br>two", "<p>one two</p>"), ("2<sup>10</sup>", "<p>2 10</p>"),
        ("un<b>believ</b>able", "<p>unbelievable</p>"),
        ("**a**<br>*b*", "<p><strong>a</strong> <em>b</em></p>"),
        ("<kbd>Ctrl</kbd>+<kbd>C</kbd>", "<p>Ctrl+C</p>"), ("end.<br>Next", "<p>end. Next</p>"),
        ("a<br> b", "<p>a b</p>"), ("a<br>![c](d)", "<p>a <img src=\"d\" alt=\"c\" /></p>"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "<p>a b</p>"),
        ("<div>\n\na\n\n</div>", "<p>a</p>"), ("<p>a</p>\n<p>b</p>", "<p>a\nb</p>"),
        ("[a<br>b](c)[^x]", "<p><a href=\"c\">a b</a>[^x]</p>"),
        ("a<span>b<br>", "<p>ab</p>"), ("a<!-- c -->b", "<p>ab</p>"),
    ])
    func `without HTML the words stay apart`(markdown: String, html: String) throws {
        #expect(try Self.html(markdown, .omitted) == html)
    }

    @Test func `words in a heading stay apart in its text`() throws {
        #expect(try Self.document("# One<br>Two").headings.map(\.text) == ["One Two"])
        #expect(try Self.document("# One<br>Two", .omitted).headings.map(\.text) == ["One Two"])
    }

    @Test func `ids have a mark of their own, and links find them`() throws {
        let markdown =
            "[l](#x) <a name='x'></a><i id=x>a</i> <b id='a b'>c</b> <form id=f>\n\n## X\n"
        let document = try Self.document(markdown)
        #expect(document.anchors == ["~x"])
        #expect(document.droppedAnchors == ["a b", "f"])
        #expect(document.headings.map(\.id) == ["x"])
        #expect(document.id(linkedBy: "x") == "x")
        #expect(try Self.html("[l](#y)<a id=y></a>").hasPrefix("<p><a href=\"#~y\">l</a>"))
        #expect(try Self.document("<a id=x>", .omitted).droppedAnchors == ["x"])
    }

    @Test(arguments: [
        ("a <form>b</form> <form>", ["1:3 needsTrust form"]),
        ("x <b\n  onclick=y style=z>", ["1:3 needsTrust b onclick style"]),
        (
            "<div>\n <svg><path id=x><g></svg>\n  <nav>",
            ["2:2 needsTrust svg", "3:3 needsTrust nav"]
        ),
        ("> - <p>\n>   <td>", ["2:5 misplaced td"]), ("a <div>", ["1:3 misplaced div"]),
        ("<name> <name>\n\n<other>", ["1:1 unknown name", "3:1 unknown other"]),
        ("a <i id=x><i id=x>", ["1:11 repeatedID i x"]), ("<div><!-- a", ["1:6 unclosed !--"]),
        ("[a<a href=x>b</a>](c)", ["1:3 misplaced a"]),
        ("<a href=x>*[a](b)*</a>", ["1:12 misplaced a"]),
        (String(repeating: "<i>", count: 66), ["1:193 tooDeep i"]), ("</div> </b> <!-- a -->", []),
        (
            "a <your tenant id> <p name> <badge text=b>",
            ["1:3 unknown your tenant id", "1:20 placeholder p name", "1:29 unknown badge"]
        ),
        ("<Badge text=b /> <Listing n=1>", []),
        (
            "a <?php b ?> <![CDATA[c]]> <!X y>",
            ["1:3 declaration ?php", "1:14 declaration ![CDATA[", "1:28 declaration !X"]
        ),
        ("<?php\n<b>\n", ["1:1 declaration ?php"]),
        ("<iframe></iframe>", ["1:1 needsPolicy iframe"]),
        ("a <embed> <object>", ["1:3 needsPolicy embed", "1:11 needsPolicy object"]),
        ("<script src=a></script>", ["1:1 needsPolicy script"]),
        ("<!DOCTYPE html>", ["1:1 declaration !DOCTYPE"]),
    ])
    func `what is left out is told once, at its place`(markdown: String, found: [String]) throws {
        let told = try Self.document(markdown).diagnostics.map { finding -> String in
            guard case .rawHTML(let omission) = finding.kind else { return "" }
            return
                "\(finding.range.line):\(finding.range.column) \(omission.reason) \(omission.words)"
        }
        #expect(told == found)
    }

    @Test func `what goes through unchanged and is blocked by browsers is told`() throws {
        let markdown =
            "<iframe src=a></iframe> <kbd>a</kbd>\n\nb <script src=/_theme/a.js></script><object>"
        let document = try Self.document(markdown, .trusted)
        #expect(
            document.diagnostics.map(\.kind) == [
                .rawHTML(HTMLOmission(.blocked, "iframe")),
                .rawHTML(HTMLOmission(.blocked, "object")),
            ]
        )
        #expect(document.diagnostics.map(\.range.line) == [1, 3])
    }

    @Test func `without HTML a finding names the setting that lets the element through`() throws {
        let kinds = try Self.document("<kbd>a</kbd> <form>", .omitted).diagnostics.map(\.kind)
        #expect(
            kinds == [
                .rawHTML(HTMLOmission(.needsSafe, "kbd")),
                .rawHTML(HTMLOmission(.needsTrust, "form")),
            ]
        )
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
