import Markdown
import Testing

/// Formulas and diagrams: what becomes one, and what stays text.
@Suite struct FormulaTests {
    private static func document(_ markdown: String) throws -> RenderedDocument {
        var options = MarkdownOptions()
        options.formulas = true
        options.diagrams = true
        return try RenderedDocument(Array(markdown.utf8), options)
    }

    /// The sources of the drawings, as workers get them.
    private static func drawings(_ markdown: String) throws -> [String] {
        let document = try Self.document(markdown)
        return document.codeBlocks.compactMap { block in
            guard DrawnLanguage(codeBlock: block.language) != nil else { return nil }
            return String(decoding: document.html[block.range], as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("Energy $E=mc^2$.", ["$E=mc^2$"]),
        ("*$a_1 * b_1$*, ($x$) $y$-axis, 数$n$者", ["$a_1 * b_1$", "$x$", "$y$", "$n$"]),
        (#"$\$5 + x$ and $3 \times 5$"#, [#"$\$5 + x$"#, #"$3 \times 5$"#]),
        ("$`a $ b`$ $$c$$", ["$`a $ b`$", "$$c$$"]),
        ("# About $x$\n\n| $a$ | b |\n|---|---|\n| $c$ | d |", ["$x$", "$a$", "$c$"]),
        ("a\n$$\nx\n\n- y\n$$\nb", ["$$\nx\n\n- y\n$$"]),
        ("> $$\n> x\n> $$\n\n- $$\n  y\n  $$", ["$$\nx\n$$", "$$\ny\n$$"]),
        ("```math\nx < y\n```", ["$$\nx &lt; y\n$$"]),
        ("[$x$](a.md) [^1]\n\n[^1]: $y$", ["$x$", "$y$"]),
        (
            "::: mermaid\na\n:::\n\n```mermaid\nb\n```\n\n``` { .mermaid title=\"A\" }\nc\n```\n\n```{mermaid}\nd\n```",
            ["a\n", "b\n", "c\n", "d\n"]
        ),
    ])
    func `a formula or a diagram`(markdown: String, expected: [String]) throws {
        #expect(try Self.drawings(markdown) == expected)
    }

    @Test(arguments: [
        "It costs $5 and $10.", "It costs $5, or 7$.", "From $5/user to 10$.", "$HOME/$USER",
        "US$5 and 6$", #"\$x$"#, "$ x$", "$x $", "`$x$`", "$5 in `PRICE$`", "[a $x](b$.md)",
        "$$$x$$$", "$$", "$", "a\n\n$$\nx", "    $$\n    x\n    $$", "```\n$$\nx\n$$\n```",
        "[costs $5](a) and [b$](c)", "<a title=\"$x$\">", "$x$2",
    ])
    func `no formula`(markdown: String) throws {
        #expect(try Self.drawings(markdown).isEmpty)
    }

    @Test func `without the setting, dollar signs are text`() throws {
        let markdown = "$x$\n\n$$\ny\n$$\n\n```math\nz\n```\n\n```dot\ngraph {}\n```\n"
        let html = String(
            decoding: try MarkdownFragment.html(Array(markdown.utf8), MarkdownOptions()),
            as: UTF8.self
        )
        #expect(html.hasPrefix("<p>$x$</p>\n<p>$$\ny\n$$</p>\n<pre><code class=\"language-math\">"))
        #expect(html.hasSuffix("<pre><code class=\"language-dot\">graph {}\n</code></pre>\n"))
    }

    @Test func `a diagram has its title below it, and its place in the file`() throws {
        let document = try Self.document(
            "# A\n\n> ```dot title=\"A <b>\"\n> graph {}\n> ```\n\n```puml\nA->B\n```\n\nx $y$\n"
        )
        let html = String(decoding: document.html, as: UTF8.self)
        #expect(
            html.contains(
                """
                <figure class="diagram">
                <div class="drawing">graph {}
                </div>
                <figcaption>A &lt;b&gt;</figcaption>
                </figure>
                """
            )
        )
        #expect(document.codeBlocks.map(\.source.line) == [4, 8, 11])
        #expect(document.codeBlocks.map(\.source.column) == [1, 1, 3])
    }

    /// The ends that are searched for are remembered.
    @Test(arguments: ["$`a ", "$$ ", "$a ", "$ ", "\\$$a", "$$$ "])
    func `many openers take linear time`(opener: String) throws {
        let text = String(repeating: opener, count: 100_000)
        #expect(try Self.document(text).html.count > text.utf8.count / 2)
    }
}
