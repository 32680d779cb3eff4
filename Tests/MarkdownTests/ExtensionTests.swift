import Markdown
import Testing

/// What GitHub adds to CommonMark, and what sites may add to that.
@Suite struct ExtensionTests {
    private static func html(
        _ markdown: String,
        _ change: (inout MarkdownOptions) -> Void = { _ in }
    ) throws -> String {
        var options = MarkdownOptions()
        change(&options)
        return String(
            decoding: try MarkdownFragment.html(Array(markdown.utf8), options),
            as: UTF8.self
        )
    }

    @Test func `a table in a quote and one in a list, with pipes that are none`() throws {
        #expect(
            try Self.html(
                #"""
                > | a | b |
                > |:-:|--:|
                > | `x\|y` | ~~z~~ \| w |

                - | c |
                  |---|
                  | [d](e) |

                """#
            )
                == #"""
                <blockquote>
                <table>
                <thead>
                <tr>
                <th class="align-center">a</th>
                <th class="align-right">b</th>
                </tr>
                </thead>
                <tbody>
                <tr>
                <td class="align-center"><code>x|y</code></td>
                <td class="align-right"><del>z</del> | w</td>
                </tr>
                </tbody>
                </table>
                </blockquote>
                <ul>
                <li>
                <table>
                <thead>
                <tr>
                <th>c</th>
                </tr>
                </thead>
                <tbody>
                <tr>
                <td><a href="e">d</a></td>
                </tr>
                </tbody>
                </table>
                </li>
                </ul>

                """#
        )
    }

    @Test func `a table ends where another block begins, and rows are as wide as its head`() throws
    {
        #expect(
            try Self.html(
                #"""
                |a|b|
                |-|-|
                |c|
                |d|e|f|
                > g

                """#
            )
                == #"""
                <table>
                <thead>
                <tr>
                <th>a</th>
                <th>b</th>
                </tr>
                </thead>
                <tbody>
                <tr>
                <td>c</td>
                <td></td>
                </tr>
                <tr>
                <td>d</td>
                <td>e</td>
                </tr>
                </tbody>
                </table>
                <blockquote>
                <p>g</p>
                </blockquote>

                """#
        )
    }

    @Test func `tasks, in a list in a list as well`() throws {
        #expect(
            try Self.html(
                #"""
                - [ ] a
                - [x] b
                  1. [X] c

                """#
            )
                == #"""
                <ul>
                <li class="task"><input type="checkbox" disabled aria-label="Incomplete task" /> a</li>
                <li class="task"><input type="checkbox" checked disabled aria-label="Completed task" /> b
                <ol>
                <li class="task"><input type="checkbox" checked disabled aria-label="Completed task" /> c</li>
                </ol>
                </li>
                </ul>

                """#
        )
    }

    @Test func `strikethrough takes one or two tildes, as many as it began with`() throws {
        #expect(
            try Self.html(
                #"""
                a~b~ ~~c~~ ~~~d~~~ ~e ~~f~

                """#
            )
                == #"""
                <p>a<del>b</del> <del>c</del> ~~~d~~~ ~e ~~f~</p>

                """#
        )
    }

    @Test func `addresses end before what is no part of them`() throws {
        #expect(
            try Self.html(
                #"""
                www.a.de/x_y. (https://b.de/c(d)) e@f.de. http://g.de&amp; xwww.h.de

                """#
            )
                == #"""
                <p><a href="http://www.a.de/x_y">www.a.de/x_y</a>. (<a href="https://b.de/c(d)">https://b.de/c(d)</a>) <a href="mailto:e@f.de">e@f.de</a>. <a href="http://g.de">http://g.de</a>&amp; xwww.h.de</p>

                """#
        )
    }

    @Test func `footnotes are numbered as they are referred to`() throws {
        #expect(
            try Self.html(
                #"""
                a[^1] b[^n] c[^1]

                [^1]: d

                    e
                [^n]: [x](y)
                [^u]: z

                """#
            )
                == #"""
                <p>a<sup class="footnote-ref"><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup> b<sup class="footnote-ref"><a href="#fn-n" id="fnref-n" data-footnote-ref>2</a></sup> c<sup class="footnote-ref"><a href="#fn-1" id="fnref-1-2" data-footnote-ref>1</a></sup></p>
                <section class="footnotes" data-footnotes>
                <ol>
                <li id="fn-1">
                <p>d</p>
                <p>e <a href="#fnref-1" class="footnote-backref" data-footnote-backref data-footnote-backref-idx="1" aria-label="Back to reference 1">↩</a> <a href="#fnref-1-2" class="footnote-backref" data-footnote-backref data-footnote-backref-idx="1-2" aria-label="Back to reference 1-2">↩<sup class="footnote-ref">2</sup></a></p>
                </li>
                <li id="fn-n">
                <p><a href="y">x</a> <a href="#fnref-n" class="footnote-backref" data-footnote-backref data-footnote-backref-idx="2" aria-label="Back to reference 2">↩</a></p>
                </li>
                </ol>
                </section>

                """#
        )
    }

    @Test func `alerts are quotes that begin with a word of five`() throws {
        #expect(
            try Self.html(
                #"""
                > [!NOTE]
                > a

                > [!warning]

                > [!TIP] on its line

                - > [!CAUTION]
                  > - b

                """#
            )
                == #"""
                <div class="markdown-alert markdown-alert-note">
                <p class="markdown-alert-title">Note</p>
                <p>a</p>
                </div>
                <div class="markdown-alert markdown-alert-warning">
                <p class="markdown-alert-title">Warning</p>
                </div>
                <div class="markdown-alert markdown-alert-tip">
                <p class="markdown-alert-title">Tip</p>
                <p>on its line</p>
                </div>
                <ul>
                <li>
                <div class="markdown-alert markdown-alert-caution">
                <p class="markdown-alert-title">Caution</p>
                <ul>
                <li>b</li>
                </ul>
                </div>
                </li>
                </ul>

                """#
        )
    }

    @Test func `smart punctuation and extensions in one paragraph`() throws {
        let html = try Self.html("\"a\" -- ~~b's~~ ... www.c.de/d--e `\"`[^1]\n\n[^1]: 'f'\n") {
            $0.smartPunctuation = true
        }
        #expect(html.hasPrefix("<p>“a” – <del>b’s</del> … <a href=\"http://www.c.de/d--e\">"))
        #expect(html.contains("www.c.de/d--e</a> <code>&quot;</code><sup"))
        #expect(html.contains("<p>‘f’ <a href"))
    }

    @Test(arguments: [
        ("[[A b]]", "<a href=\"A%20b\">A b</a>"), ("[[A#x|c]]", "<a href=\"A#x\">c</a>"),
        ("`[[A]]`", "<code>[[A]]</code>"), ("[[]]", "[[]]"), ("\\[[A]]", "[[A]]"),
        ("[[A]](b)", "<a href=\"b\">[A]</a>"), ("![[A]]", "<a href=\"A\">A</a>"),
        ("![[f/a b.png]]", "<img src=\"doc:f/a%20b.png\" alt=\"a b\" />"),
        ("![[a.svg#icon|A plan]]", "<img src=\"doc:a.svg\" alt=\"A plan\" />"),
        ("![[a]](b)", "<img src=\"b\" alt=\"[a]\" />"),
        ("<doc:TheBasics>", "<a href=\"doc:TheBasics\">The Basics</a>"),
        ("<doc:Hours#Late-Hours>", "<a href=\"doc:Hours#Late-Hours\">Late Hours</a>"),
        ("Text. ^keys-1", "Text.<span id=\"~^keys-1\"></span>"),
        ("a ^b^ x ^2", "a ^b^ x ^2"), ("x ^ab", "x ^ab"),
    ])
    func `wiki links, where a site wants them`(markdown: String, html: String) throws {
        #expect(try Self.html(markdown) { $0.wikiLinks = true } == "<p>\(html)</p>\n")
    }

    @Test func `a picture by its name has the size that stands behind a bar`() throws {
        for (size, attributes) in [("200", "width=\"200\""), ("a|9x8", "width=\"9\" height=\"8\"")]
        {
            let html = try Self.html("![[a.png|\(size)]]") {
                $0.wikiLinks = true
                $0.borrowedBlocks = true
            }
            #expect(html.contains(attributes) && html.contains("alt=\"a\""), "\(html)")
        }
    }

    @Test(arguments: [
        ("{% link a/b.md %}#c", "/a/b.md#c"), ("{% post_url 2024-01-01-a %}", "doc:2024-01-01-a"),
        ("{%- page \"/tools\" -%}", "/tools"), ("{{< ref \"two.md#a\" >}}", "doc:two.md#a"),
        ("{{% relref '/a' %}}", "doc:/a"), ("{{ site.baseurl }}/a/", "/a/"),
        ("{{ site.url }}{{site.base_url}}/a", "/a"), ("{{ \"/a\" | relative_url }}", "/a"),
        ("{% link a.md %} \"Title\"", "/a.md"), ("{% include a %}", nil), ("{{ page.url }}", nil),
        ("{{ a | relative_url }}", nil), ("{% link a.md", nil), ("{% link a b.md %}", nil),
    ])
    func `an address that another tool makes of a tag`(tag: String, address: String?) throws {
        let document = try RenderedDocument(Array("[a](\(tag))\n".utf8), MarkdownOptions())
        #expect(document.references.map(\.destination) == [address].compactMap(\.self))
        #expect(address == nil || document.foreignUses.isEmpty)
    }

    @Test func `an address in a wiki link is part of the page's name`() throws {
        var options = MarkdownOptions()
        options.wikiLinks = true
        let document = try RenderedDocument(Array("[[a@b.cc]] c@d.ee\n".utf8), options)
        #expect(document.references.map(\.destination) == ["a@b.cc", "mailto:c@d.ee"])
        #expect(document.diagnostics.isEmpty)
    }
}
