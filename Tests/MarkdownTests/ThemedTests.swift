import Markdown
import Testing

/// What themes find around headings, code and tables.
@Suite struct ThemedTests {
    private static func html(_ markdown: String, themed: Bool = true) throws -> String {
        var options = MarkdownOptions()
        options.themed = themed
        options.borrowedBlocks = true
        return String(
            decoding: try MarkdownFragment.html(Array(markdown.utf8), options),
            as: UTF8.self
        )
    }

    @Test func `a heading has a link to itself, named by it`() throws {
        #expect(
            try Self.html("# A\n\n## B & \"C\"\n") == """
                <h1 id="a">A</h1>
                <h2 id="b--c">B &amp; &quot;C&quot;</h2>
                <a class="anchor" href="#b--c" aria-labelledby="b--c"></a>

                """
        )
    }

    @Test func `code says its language`() throws {
        #expect(
            try Self.html("```swift\na\n```\n") == """
                <div class="code" data-language="Swift">
                <pre><code class="language-swift">a
                </code></pre>
                </div>

                """
        )
        for (info, label) in [
            ("py", "Python"), ("rust,ignore", "Rust"), ("{.yml}", "YAML"),
            ("Brainfuck", "brainfuck"),
            ("shell-session", "Terminal"),
        ] {
            #expect(try Self.html("```\(info)\na\n```\n").contains("data-language=\"\(label)\""))
        }
        for info in ["", "text", "\"><b>"] {
            let html = try Self.html("```\(info)\na\n```\n")
            #expect(html.hasPrefix("<div class=\"code\">\n<pre>"), "\(info)")
        }
    }

    @Test(arguments: [
        ("```py\na # (1)!\n```\n\n1. b", "a ❶", true),
        ("- ```py\n  a # (1)\n  ```\n\n  1. b", "a ❶", true),
        ("```{.py .annotate}\na # (1)\n```", "a ❶", true),
        ("```py\na # (1)\n```\n\nc\n\n1. b", "a # (1)", false),
        ("```py\na # (1)\n```\n\n- b", "a # (1)", false),
        ("```py\na(1)\n```\n\n1. b", "a(1)", false),
    ])
    func `a number in a comment is a note if a list follows`(
        markdown: String,
        code: String,
        isNote: Bool
    ) throws {
        let html = try Self.html(markdown)
        #expect(html.contains(">\(code)\n</code>"))
        #expect(html.contains("class=\"code is-annotated\"") == isNote)
    }

    @Test func `a table has a box, with rows or without`() throws {
        for rows in ["", "| 1 |\n"] {
            let html = try Self.html("| a |\n|---|\n\(rows)")
            #expect(html.hasPrefix("<div class=\"table\">\n<table>\n"))
            #expect(html.hasSuffix("</table>\n</div>\n"))
        }
    }

    @Test func `nobody else gets any of it`() throws {
        let html = try Self.html("## A\n\n```c\n```\n\n| a |\n|---|\n", themed: false)
        #expect(!html.contains("<div") && !html.contains("<a"))
    }
}
