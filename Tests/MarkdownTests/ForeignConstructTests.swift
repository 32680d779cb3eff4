import Testing

@testable import Markdown

@Suite struct ForeignConstructTests {
    private static func uses(_ markdown: String) throws -> [ForeignUse] {
        try RenderedDocument(Array(markdown.utf8), .init()).foreignUses
    }

    @Test(
        arguments: [
            ("{{#include a.rs}}", .shortcode), ("r[a.b]\nText", .ruleMarker),
            ("{{< figure src=\"a\" >}}", .shortcode), ("{{<figure src=\"a\">}}", .shortcode),
            ("{{% note %}}", .shortcode), ("{% raw %}", .templateTag),
            ("[a](b){: .c }", .attributeList), ("[a](b){ .c }", .attributeList),
            ("!!! note \"A\"\n    b", .admonition), ("??? tip\n    b", .admonition),
            ("=== \"A\"\n\n    b", .contentTab), ("--8<-- \"a.md\"", .snippet),
            ("{* a.py hl[1] *}", .snippet),
            ("::: a.b", .container), (":::note\na\n:::", .container),
            ("::: tip Title\na\n:::", .container), ("import A from '../a.js'", .module),
            ("<Tabs group=\"a\">\n</Tabs>", .component), ("a <Card /> b", .component),
            ("![[a.png]]", .embed), ("```{note}\na\n```", .directive), ("(a-b)=\n# A", .label),
            ("> [!EXAMPLE]\n> a", .alert),
            ("[!INCLUDE [a](b.md)]", .alert), ("> [!VIDEO https://a.de]", .alert),
            ("Term\n: what it means", .definitionList),
            ("Term\n\n:   what it means", .definitionList),
            ("- Term\n  : what it means", .definitionList),
            ("> Term\n> : what it means", .definitionList),
            ("![a](b.png =100x50)", .looseLink), ("![a](b.png =100x)", .looseLink),
            ("a <Listing n=1>", .component),
            ("{{ site.title }}", .shortcode), ("{{site.title}}", .shortcode),
            ("{{page.date | date: \"%Y\"}}", .shortcode),
            ("{{- .Site.Title -}}", .shortcode), ("a {{ site.posts[0].url }}", .shortcode),
            ("a %%b c%% d", .comment), ("a %%b\nc%%", .comment), ("%%", .comment),
            ("{::comment}", .comment), ("{/* a */}", .comment), ("a {# b #}", .comment),
            ("{#- b -#}", .comment), ("a {#b#}", .comment), ("{# a\nb #}", .comment),
            ("{{/* a */}}", .comment), ("{{- /* a */ -}}", .comment),
            ("![a](Screenshot 1.png)", .looseLink), ("[a](my doc.md)", .looseLink),
            ("![a](b =c)", .looseLink),
            ("[*a*](my  long doc.md#b)", .looseLink),
            ("[![a](b)](my doc.md)", .looseLink), ("|a|\n|-|\n|[a](b c)|", .looseLink),
            ("=== A\n    b", .contentTab), ("=== “A”", .contentTab),
            ("::: {.panel-tabset}\na\n:::", .container), (":::{dropdown} A\na\n:::", .container),
            ("> [!NOTE]a", .alert), ("> [!NOTE|label:A]\n> a", .alert),
            ("> [!div class=\"a\"] b", .alert),
            ("**a:**b", .looseStars), ("a **b **", .looseStars),
            ("** a**", .looseStars),
            ("[a [b](c) d](e)", .looseLink), ("[a]( b c )", .looseLink),
            ("{{ x }}", .shortcode), ("{{ e.g. this }}", .shortcode), ("{%raw%}", .templateTag),
            ("a {#b} c", .attributeList), ("[@a19]", .citation),
            ("[-@a, p. 3]", .citation), ("@Metadata {\n    @A(b)\n}", .documentationDirective),
            ("@Image(source: a, alt: \"b\")", .documentationDirective),
            ("a <Card b={<i>c</i>} /> d", .component), ("<Card\n  b={<i>c</i>} /> d", .component),
            ("[`a`][b.c]", .looseReference), ("a [b c][d] e", .looseReference),
            (":::", .container), ("a\n:::", .container), ("[!FOO] a", .alert),
            ("![a](b.png =x50)", .looseLink), ("![a](b.png =50%x)", .looseLink),
        ] as [(String, ForeignConstruct)]
    )
    func `is noticed, and not in code`(markdown: String, construct: ForeignConstruct) throws {
        #expect(try Self.uses(markdown).map(\.construct) == [construct])
        #expect(try Self.uses("````md\n\(markdown)\n````\n").isEmpty)
        if !markdown.contains("\n") {
            #expect(try Self.uses("`` x \(markdown) ``\n").isEmpty)
            #expect(try Self.uses("    \(markdown)\n").isEmpty)
        }
    }

    @Test(arguments: [
        "x : b\nexample:", "reasons: UTF-8", "include: a :b", "a {b} { c } {d}", "Wow!!! note",
        "import and export of goods", "import taxes rise;x",
        "What??? no", "error[E0001]", "![a](b)", "![[a]](b)", "<BR> <String>",
        "2 ** 3 ** 4", "*args, **kwargs and **kwargs", "a/**/b **/*.md", "\\**a:\\**b", "**a",
        "a** b",
        "`**a:**b`", "[![a](b)](c)", "[@a](b)", "[@a/b]", "[@a]\n\n[@a]: b", "a@b.de [@]",
        "@Override", ":no_such_name:", "@Test func", "a @B {", "Map<Key a=b", "a <B and C", "{#",
        "[!]", "a[i][j]", "[a][1]", "[a][]", "[a][b]\n\n[b]: c", "[[b] a][b]\n\n[b]: c", "[a] [b]",
        "10:30:00", "a:b:c", "std::a::b", "https://a.b:80:c", "a : b : c", ":a b:", ":A:", ":1:",
        "/users/:id:/a", ":ref:`a`", "`:wave:`", "::a::", "1 :2: 3", "> [!NOTE]\n> a", "(a)= b",
        "# A {#b}", "## C {: #d .e }",
        "```{}\n```", "a :::b", "a : b", ": a", "# A\n\n: b", "a\n:\n", "a\n:b", "|a|\n|-|\n|: b|",
        "a =1x1)", "![a](b) =1x1)", "(a =1x1)", "> [!TIP] a", ">\n> [!NOTE]\n> a",
        "[a](b) (c d)", "a](b c)", "[a](b \"c d\")", "[a](b 'c d')", "[a](b (c d))", "[a](<b c>)",
        "[a]( b )", "[a](b\nc)", "[a](b c", "\\[a](b c)", "[a\\](b c)", "[a](b c)\n\n[a]: d",
        "[^a](b c)\n\n[^a]: d", "100%% or 50% %", "%%time a", "`%%a%%`",
        "{{ a.b", "{{ 1.5 }}", "\\{{ a }}", "${{ secrets.A }}", "{{ a.b }",
        "a {/b}", "/// note\na", "a^[b]",
        "<Details open=\"\">\n</Details>",
    ])
    func `what people write is left alone`(markdown: String) throws {
        #expect(try Self.uses(markdown).isEmpty)
    }

    @Test(
        arguments: [
            ("```py\na\nb # (1)!\n```", .codeNote), ("```yaml\n# (21)!\n```\n\n1. a", .codeNote),
            ("```html\n<b> <!-- (1)! -->\n```\n\na", .codeNote),
            ("```js\na // (1)!\n```\n\n1. b", nil),
            ("```md\na # (1)!\n```", nil), ("```swift\na(1)!\n```", nil),
            ("```py\na # (1)\n```", nil),
            ("```py\na # wow!\n```", nil), ("`a # (1)!`", nil),
            ("<div>\n{{ a }}\n</div>", .shortcode), ("<p>{% a %}</p>", .templateTag),
            ("<div>\n`{{ a }}` <code>{{ a }}</code>\n</div>", nil),
            ("<p title=\"{{ a }}\">b</p>", nil),
            ("<Foo>a</Foo>", .componentTag), ("## a <Foo>b</Foo>", .componentTag),
            ("a ![[b]] c", .embed), ("![[b#c.d]]", .embed), ("![[b.md]]", .embed),
            ("![[a. b]]", .embed),
            ("a ![[b.pdf]] c", nil), ("![[b/c.pdf#page=2|d]]", nil), ("![[a.png]]", nil),
        ] as [(String, ForeignConstruct?)]
    )
    func `with all that is understood, the rest is noticed`(
        markdown: String,
        construct: ForeignConstruct?
    ) throws {
        var options = MarkdownOptions()
        options.borrowedBlocks = true
        options.themed = true
        options.wikiLinks = true
        let uses = try RenderedDocument(Array(markdown.utf8), options).foreignUses
        #expect(uses.map(\.construct) == [construct].compactMap(\.self))
    }

    @Test func `each kind is told once, with its first place`() throws {
        let uses = try Self.uses("a\n\n- b {{% c %}}\n\n| d |\n|-|\n| {{% e %}} |\n\n{{% f %}}\n")
        #expect(uses.map(\.construct) == [.shortcode] && uses.map(\.count) == [3])
        #expect(uses.first?.occurrences.map(\.line) == [3, 7, 9])
        #expect(uses.first?.occurrences.map(\.column) == [5, 3, 1])
    }

    @Test func `of 10,001 occurrences 10,000 are kept, and all are counted`() throws {
        let use = try #require(
            try Self.uses(String(repeating: "{{% a %}}\n", count: 10_001)).first
        )
        #expect(use.occurrences.count == 10_000 && use.count == 10_001)
    }

    @Test func `occurrences come in the order of the text`() throws {
        let markdown = "[^1]: {{% a %}}\n\nb {{% c %}}[^1]\n"
        let document = try RenderedDocument(Array(markdown.utf8), .init())
        #expect(document.foreignUses.first?.occurrences.map(\.line) == [1, 3])
    }
}
