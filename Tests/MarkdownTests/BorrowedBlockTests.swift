import Markdown
import Testing

/// Blocks, marks, keys and images in the syntax of other tools.
@Suite struct BorrowedBlockTests {
    private static func folded(_ title: String, _ content: String, open: String = "") -> String {
        "<details class=\"markdown-alert markdown-alert-tip\"\(open)>\n"
            + "<summary class=\"markdown-alert-title\">\(title)</summary>\n\(content)</details>\n"
    }

    @Test(arguments: [
        "!!! note\n    a\n", "!!! Note\n\n    a\n", "!!! note inline end\n\ta\n",
        ":::note\na\n:::\n",
        "::: note\n\na\n\n:::\n", ":::note{.x}\na\n:::\n", "> [!note]\n> a\n",
        "text\n!!! note\n    a", "{{% note %}}\na\n{{% /note %}}", "> Note: a",
        "{{< alert color=\"note\" >}}\na\n{{< /alert >}}", "<Aside type=\"note\">\na\n</Aside>",
        "<Note>\n\na\n\n</Note>", "<Foo bar={1}>\n<Note title={b}>\na\n</Note>\n</Foo>",
        "{{<callout note>}}\na\n{{</callout>}}",
        "::: {.columns}\n::: {.callout-note}\na\n:::\n:::", "::: aside\na\n:::",
        "{% hint style=\"note\" %}\na\n{% endhint %}\n", ":::note\na", "- x\n\n!!! note\n    a",
        "/// note\na\n///", "> /// note |\n> a\n> ///\n\n/// note\n\na\n\n///\n",
        "/// details |\n    open: False\n    attrs: {class: b}\nx\n///\n//// note\na\n////",
        "/// admonition |\n    type: note\n\na\n///", "<hr>\n:::note\na\n:::",
    ])
    func `the same note in each dialect`(markdown: String) throws {
        #expect(try BorrowedHTML.html(markdown).hasSuffix(BorrowedHTML.note("Note", "<p>a</p>\n")))
    }

    @Test(arguments: [
        ("!!! danger \"A *b*\"\n    a", "A <em>b</em>", "caution"),
        (":::tip[A `b`]\na\n:::", "A <code>b</code>", "tip"),
        (":::info A & b\na\n:::", "A &amp; b", "note"), ("> [!BUG] A\n> a", "A", "caution"),
        ("!!! tip Learn about *badges*\n    a", "Learn about <em>badges</em>", "tip"),
        ("!!! tip “Curly one”\n    a", "Curly one", "tip"),
        ("!!! tip 'Single'\n    a", "Single", "tip"),
        ("!!! tip „Deutsch“\n    a", "Deutsch", "tip"), ("!!! tip “Mixed\"\n    a", "Mixed", "tip"),
        ("!!! tip {title=\"Braced title\"}\n    a", "Braced title", "tip"),
        ("!!! tip title=\"Bare\"\n    a", "Bare", "tip"),
        ("!!! tip inline end\n    a", "Tip", "tip"),
        ("!!! tip inline end Words\n    a", "Words", "tip"),
        ("!!! tip big blink \"A\"\n    a", "A", "tip"),
        ("!!! tip \"A\" and more\n    a", "&quot;A&quot; and more", "tip"),
        ("!!! tip Don't\n    a", "Don't", "tip"), (":::tip{title=\"A\"}\na\n:::", "A", "tip"),
        (":::tip A {.b}\na\n:::", "A", "tip"), (":::tip “A b”\na\n:::", "A b", "tip"),
        (":::tip[A]{icon='x'}\na\n:::", "A", "tip"),
        (":::tip Use {name}\na\n:::", "Use {name}", "tip"),
        (":::{tip} A\na\n:::", "A", "tip"), ("/// tip | A\na\n///", "A", "tip"),
        ("/// note | A\n    type: tip\na\n///", "A", "tip"),
        ("::: {.callout-tip title='A b'}\na\n:::", "A b", "tip"),
        ("{% hint style='tip' title=\"A\" %}\na\n{% endhint %}", "A", "tip"),
        ("{% hint style=“tip” %}\na\n{% endhint %}", "Tip", "tip"),
        ("{% hint %}\na\n{% endhint %}", "Info", "note"),
        ("{{< alert title=\"A b\" color=\"warning\" >}}\na\n{{< /alert >}}", "A b", "warning"),
        ("{{% notice tip \"A b\" %}}\na\n{{% /notice %}}", "A b", "tip"),
        ("{{% alert context=\"primary\" %}}\na\n{{% /alert %}}", "Note", "note"),
        ("> Experiment: a", "Example", "note"),
        ("!!! success\n    a", "Success", "tip"), (":::question\na\n:::", "Question", "important"),
    ])
    func `titles and kinds`(markdown: String, title: String, look: String) throws {
        #expect(
            try BorrowedHTML.html(markdown) == BorrowedHTML.note(title, "<p>a</p>\n", look: look)
        )
    }

    @Test func `an empty title is none, and a kind of one's own has a class`() throws {
        #expect(
            try BorrowedHTML.html("!!! note \"\"\n    a") == """
                <div class="markdown-alert markdown-alert-note">
                <p>a</p>
                </div>

                """
        )
        #expect(
            try BorrowedHTML.html("!!! pied-piper\n    a").hasPrefix(
                "<div class=\"markdown-alert markdown-alert-note author-pied-piper\">\n"
                    + "<p class=\"markdown-alert-title\">Pied-piper</p>"
            )
        )
    }

    @Test(arguments: [
        ("??? tip \"A\"\n  a", "A", ""), ("??? tip \"A\"\n\n   a", "A", ""),
        ("> ??? tip “A”\n>   a", "A", ""), ("- x\n\n??? tip 'A'\n  a", "A", ""),
        ("+ x\n\n* x\n\n??? tip 'A'\n  a", "A", ""),
        ("  ??? tip A\n    a", "A", ""), ("::: details A {open}\na\n:::", "A", " open"),
        ("??? tip \"A\"\n    a", "A", ""), ("???+ tip\n    a", "Tip", " open"),
        ("/// details | A\n    type: tip\na\n///", "A", ""),
        ("/// details | A\n    open: True\n    type: tip\n\na\n///", "A", " open"),
        ("> [!tip]- A\n> a", "A", ""), ("> [!tip]+ A\n> a", "A", " open"),
    ])
    func `folded ones`(markdown: String, title: String, open: String) throws {
        let look = markdown.contains(":: details") ? "note" : "tip"
        let box = Self.folded(title, "<p>a</p>\n", open: open).replacing(
            "-tip\"",
            with: "-\(look)\""
        )
        #expect(try BorrowedHTML.html(markdown).contains(box))
    }

    @Test func `blocks in blocks, in lists and in quotes`() throws {
        let inner = BorrowedHTML.note("Tip", "<p>b</p>\n", look: "tip")
        let outer = BorrowedHTML.note("Note", "<p>a</p>\n\(inner)<p>c</p>\n")
        for markdown in [
            "!!! note\n    a\n\n    !!! tip\n        b\n\n    c",
            "::::note\na\n:::tip\nb\n:::\nc\n::::",
            "!!! note\n  a\n\n  !!! tip\n    b\n\n  c",
            "!!! note\n   a\n\n   !!! tip\n     b\n\n   c",
            "!!! note\n    a\n\n    !!! tip\n      b\n\n    c",
            ":::note\na\n:::tip\nb\n:::\nc\n:::", "> [!note]\n> a\n> !!! tip\n>     b\n>\n> c",
        ] { #expect(try BorrowedHTML.html(markdown) == outer, "\(markdown)") }
        #expect(
            try BorrowedHTML.html("- x\n  :::tip\n  b\n- y\n:::\nz") == """
                <ul>
                <li>x
                \(inner)</li>
                <li>y</li>
                </ul>
                <p>z</p>

                """
        )
    }

    @Test(arguments: [
        "=== “A”\n  a\n\n=== 'B'\n  b\n", "=== \"A\"\n   a\n\n=== \"B\"\n   b\n\nc",
        "=== \"A\"\n    a\n\n=== \"B\"\n    b\n", "=== \"A\"\n\n    a\n=== \"B\"\n\n    b\n\nc",
        "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n\n{% tab title=\"B\" %}\nb\n{% endtab %}\n{% endtabs %}\nc",
        "{{< tabs >}}\n{{< tab \"A\" >}}\na\n{{< /tab >}}\n{{< tab \"B\" >}}\nb\n{{< /tab >}}\n{{< /tabs >}}\nc",
        "{{% tabpane %}}\n{{% tab header=\"A\" %}}\na\n{{% tab name=B %}}\nb\n{{% /tab %}}\n{{% /tabpane %}}\nc",
        "<Tabs syncKey=\"a\">\n  <TabItem label=\"A\">\na\n  </TabItem>\n  <TabItem label=\"B\">\nb\n  </TabItem>\n</Tabs>\nc",
        "/// tab | A\na\n///\n\n/// tab | B\n    new: False\n\nb\n///\n\nc",
        "::::{tab-set}\n:::{tab-item} A\na\n:::\n:::{tab-item} B\nb\n:::\n::::\nc",
    ])
    func `the same tabs in each dialect`(markdown: String) throws {
        let tabs = """
            <div class="tabs">
            <details open>
            <summary>A</summary>
            <p>a</p>
            </details>
            <details open>
            <summary>B</summary>
            <p>b</p>
            </details>
            </div>

            """
        let rest = markdown.hasSuffix("c") ? "<p>c</p>\n" : ""
        #expect(try BorrowedHTML.html(markdown) == tabs + rest)
    }

    @Test func `definitions`() throws {
        #expect(
            try BorrowedHTML.html("A *b*\n: c\n: d\n\nE\n\n:   f\n\n    g\n\nh") == """
                <dl>
                <dt>A <em>b</em></dt>
                <dd>c</dd>
                <dd>d</dd>
                <dt>E</dt>
                <dd>
                <p>f</p>
                <p>g</p>
                </dd>
                </dl>
                <p>h</p>

                """
        )
    }

    @Test(arguments: [
        "??? tip \"A\"\na", "??? tip \"A\"\n\na", "??? tip \"A\"\n a", "!!! tip \"A\"\na",
        "=== \"A\" b\n    c",
        ":::note[A] b\na\n:::", "{% hint style=\"info\" %} a {% endhint %}",
        "{% hint style='\"><b>' %}\na\n{% endhint %}",
        "!!! note", "!!! wow", "!!!note\n    a", "=== A\n    a", "::: a.b", ":::row:::",
        ":::",
        "{{% note %}}\na", "{{</* note */>}}\na\n{{</* /note */>}}", "{{< note >}} a {{< /note >}}",
        "/// note\na", "/// noted\na\n///", "/// note a\nb\n///", "/// a", "// note\na\n///",
        "<Note>\na", "</Note>", "<note>\na\n</note>", "> note: a", "> Note:a",
        "{{< unknown >}}\na\n{{< /unknown >}}",
        ":::noted\na\n:::", "```\n:::note\na\n:::\n```", "    !!! note\n        a",
        "{% include \"a\" %}",
        "{% endhint %}", "{% tab title=\"a\" %}", ": a", "# A\n: b", "a\n: ", "`!!! note`",
    ])
    func `what is none stays as it is`(markdown: String) throws {
        let html = try BorrowedHTML.html(markdown)
        #expect(!html.contains("alert") && !html.contains("tabs") && !html.contains("<dl>"))
        let words = markdown.split { !$0.isLetter }
        #expect(words.allSatisfy { html.contains($0) })
    }

    @Test(arguments: [
        ("==a *b*==", "<mark>a <em>b</em></mark>"), ("a == b == c", "a == b == c"),
        ("x==y z==w", "x==y z==w"), ("===a===", "===a==="), ("(==a==)", "(<mark>a</mark>)"),
        ("++ctrl+alt+del++", "<kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Del</kbd>"),
        ("++F2++ ++arrow-up++", "<kbd>F2</kbd> <kbd>↑</kbd>"), ("C++ or c++", "C++ or c++"),
        ("a++b++", "a++b++"), ("++ a ++", "++ a ++"),
        ("`==a==` ++<b>++", "<code>==a==</code> ++&lt;b&gt;++"),
    ])
    func `marks and keys`(markdown: String, html: String) throws {
        #expect(try BorrowedHTML.html(markdown).contains("<p>\(html)</p>") || html.contains("&lt;"))
    }

    @Test(arguments: [
        ("![a](b.png){width=300}", "width=\"300\" loading=\"lazy\""),
        (
            "![a](b.png){ width=\"30px\" height=20 .c }",
            "width=\"30\" height=\"20\" loading=\"lazy\""
        ),
        ("![a](b.png =100x50)", "width=\"100\" height=\"50\" loading=\"lazy\""),
        ("![a](b.png \"\" =100x)", "width=\"100\" loading=\"lazy\""),
        ("![a|300x200](b.png)", "width=\"300\" height=\"200\" loading=\"lazy\""),
        ("![a](b.png){width=52%}", "class=\"is-50-wide\""),
        ("![a](b.png){align=right}", "class=\"is-at-end\""),
    ])
    func `sizes of images`(markdown: String, attributes: String) throws {
        #expect(
            try BorrowedHTML.html("x \(markdown)")
                == "<p>x <img src=\"b.png\" \(attributes) alt=\"a\" /></p>\n"
        )
    }

    @Test(arguments: [
        "![a](b.png){x y}", "![a](b.png){width=0}", "![a](b.png){width=x}",
        "![a](b.png){width=99999}",
        "![a](b.png =x)", "![a](b.png) {width=3}", "[a](b.png){width=3}", "[a](b.png =3x3)",
    ])
    func `no size`(markdown: String) throws {
        #expect(!(try BorrowedHTML.html(markdown).contains(" width")))
    }

    @Test func `an image alone with a title has it as a caption`() throws {
        for markdown in ["![a](b.png \"C & d\")", "![a](b.png \"C & d\"){.x}"] {
            #expect(
                try BorrowedHTML.html(markdown) == """
                    <figure>
                    <img src="b.png" alt="a" />
                    <figcaption>C &amp; d</figcaption>
                    </figure>

                    """
            )
        }
        #expect(try BorrowedHTML.html("![a](b.png \"c\") d").hasPrefix("<p><img"))
    }

    @Test func `abbreviations`() throws {
        let html = try BorrowedHTML.html(
            "# HR\n\nHR, HRs (HR-IT) `HR` [HR](a)\n\n| HR |\n|---|\n\n*[HR]: Human <b>\n*[HR-IT]: Both\n"
        )
        let abbreviation = "<abbr title=\"Human &lt;b&gt;\">HR</abbr>"
        #expect(
            html.contains(
                "<p>\(abbreviation), HRs (<abbr title=\"Both\">HR-IT</abbr>) <code>HR</code>"
                    + " <a href=\"a\">\(abbreviation)</a></p>"
            )
        )
        #expect(html.contains("<h1 id=\"hr\">HR</h1>") && html.contains("<th>\(abbreviation)</th>"))
        #expect(!html.contains("*["))
    }

    @Test func `deeply nested blocks are refused or shown`() {
        let fenced = String(repeating: ":::note\n", count: 5000)
        let indented = (0..<200).map { String(repeating: "    ", count: $0) + "!!! note\n" }
        for text in [fenced, indented.joined()] { _ = try? BorrowedHTML.html(text) }
    }

    @Test func `blocks of code in a group are tabs`() throws {
        let html = try BorrowedHTML.html(
            "::: code-group\n```js [a.js]\n1\n```\n```ts\n2\n```\n:::\n\nc"
        )
        #expect(html.contains("<summary>a.js</summary>\n<pre><code class=\"language-js\">1"))
        #expect(html.contains("<summary>TypeScript</summary>"))
        #expect(html.hasSuffix("</details>\n</div>\n<p>c</p>\n"))
        // A group that has no end ends with its list item.
        #expect(
            try BorrowedHTML.html("- ::: code-group\n\n```js\n1\n```").contains(
                "</li>\n</ul>\n<pre>"
            )
        )
    }

    @Test(arguments: [
        (
            "{{< details \"A\" >}}\na\n{{< /details >}}",
            "<summary class=\"markdown-alert-title\">A<"
        ),
        (
            "{{% expand title=\"A\" %}}\na\n{{% /expand %}}",
            "<summary class=\"markdown-alert-title\">A<"
        ),
        (
            "{{< figure src=\"a.png\" alt=\"B\" caption=\"*C*\" >}}",
            "alt=\"B\" />\n<figcaption><em>C</em></figcaption>\n</figure>"
        ),
        ("::: {#a .b}\n**a**\n:::\nc", "<p><strong>a</strong></p>\n<p>c</p>"),
        ("<div class=\"x\" markdown=\"1\">\n**a**\n</div>", "<p><strong>a</strong></p>\n</div>"),
        (
            "<details markdown>\n<summary>A</summary>\n*a*\n</details>\n<div>\n*b*\n</div>",
            "<p><em>a</em></p>\n</details>\n<div>\n*b*\n</div>"
        ),
        ("<Card title=\"a\">\n**b**\n</Card>", "<p><strong>b</strong></p>"),
        (
            "<Tabs>\n  <TabItem label=\"a\">\n    **b**\n\n    ```js\n    1\n      2\n    ```\n\n    - c\n  </TabItem>\n</Tabs>\n\n    d",
            "<p><strong>b</strong></p>\n<pre><code class=\"language-js\">1\n  2\n</code></pre>\n<ul>\n<li>c</li>\n</ul>\n</details>\n</div>\n<pre><code>d\n"
        ),
        ("<LinkCard title=\"a & b\" href=\"c.md\" />", "<p><a href=\"c.md\">a &amp; b</a></p>"),
    ])
    func `blocks that hold Markdown`(markdown: String, html: String) throws {
        #expect(try BorrowedHTML.html(markdown).contains(html))
    }

    @Test(arguments: [
        ("[a](b){: .c } d", "a</a> d"), ("*a*{.b}", "<em>a</em>"), ("`a`{.b #c}", "<code>a</code>"),
        ("a\n{: .b}", "<p>a\n</p>"), ("a {: #b }", "<p>a </p>"), ("a {/* b */} c", "<p>a  c</p>"),
        ("{{/* a */}}", "<p></p>"), ("a {# b #} c", "<p>a  c</p>"), ("a %%b\nc%% d", "<p>a  d</p>"),
        (
            "{% code title=\"a\" %}\nb\n{% endcode %}\n{% column %}\nc\n{% endcolumn %}",
            "<p>b</p>\n<p>c</p>"
        ),
        (":material-check: a", "<p> a</p>"), (":material-check:{ style=\"a: b\" } a", "<p> a</p>"),
        ("`a`{ width=\"3\" } {b=1}", "<p><code>a</code> {b=1}</p>"),
        ("a:material-check:b", "<p>a:material-check:b</p>"),
        ("<Foo a=\"b\" />", ""), ("[[_TOSP_]]", ""), ("a <Foo a=\"b\" />", "<p>a </p>"),
        ("a {b}", "<p>a {b}</p>"),
        ("a {.b} c", "<p>a {.b} c</p>"), ("{% a %}", "<p>{% a %}</p>"),
        ("100%% or 50%%", "<p>100%% or 50%%</p>"), ("a{.b}", "<p>a{.b}</p>"),
        ("`{/* a */}`", "<p><code>{/* a */}</code></p>"), ("{/* a", "<p>{/* a</p>"),
        ("import A from 'b'", ""), ("import a from here", "<p>import a from here</p>"),
        ("<script setup>\na\n</script>\n\nb", "<p>b</p>"),
    ])
    func `what other tools do not show`(markdown: String, html: String) throws {
        let found = try BorrowedHTML.html(markdown).split(
            separator: "\n",
            omittingEmptySubsequences: true
        )
        let shown = found.joined(separator: "\n")
        #expect(shown == html || !html.isEmpty && shown.contains(html))
    }
}
