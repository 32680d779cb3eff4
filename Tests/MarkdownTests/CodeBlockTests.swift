import Testing

@testable import CodeBlocks
@testable import Markdown

@Suite struct CodeBlockTests {
    @Test(arguments: [
        ("python", "python"), ("python title=\"a\"", "python"), ("{.python}", "python"),
        ("{.python .numbered}", "python"), ("{ .python }", "python"), ("{python}", "python"),
        ("rust,ignore", "rust"), ("language-c++", "c++"), ("lang-C#", "C#"),
        ("python{1,3}", "python"), (".net", "net"), ("objective-c", "objective-c"),
        ("vb.net", "vb.net"), ("", nil), ("{#id}", nil), ("-x", nil), ("{}", nil),
        ("mermaid", "mermaid"), ("{.mermaid}", "mermaid"), ("\"><script>", nil), ("ä", nil),
        ("language-", nil),
        (String(repeating: "a", count: 40), String(repeating: "a", count: 40)),
        (String(repeating: "a", count: 41), nil),
    ])
    func `an info string names a language`(info: String, language: String?) {
        #expect(CodeLanguage.name(inInfo: info) == language)
    }

    @Test func `blocks are found where they are, escaped`() throws {
        let markdown = """
            [[_TOC_]]

            # A

            ```c
            a < b
            ```

            > ~~~ d
            > e
            > ~~~

            ```
            f
            ```

            ## G
            """
        let document = try RenderedDocument(Array(markdown.utf8), MarkdownOptions())
        let blocks = document.codeBlocks.map { block in
            (block.language, String(decoding: document.html[block.range], as: UTF8.self))
        }
        #expect(blocks.map(\.0) == ["c", "d"])
        #expect(blocks.map(\.1) == ["a &lt; b\n", "e\n"])
    }

    @Test func `code is filled beside URLs, or left`() throws {
        let markdown = "[a](b)\n\n```c\nd\n```\n\n[e](f)\n\n```g\nh\n```\n"
        let document = try RenderedDocument(Array(markdown.utf8), MarkdownOptions())
        func filled(_ code: [[UInt8]?]) -> String {
            String(decoding: document.filled(with: ["1", "2"], code: code), as: UTF8.self)
        }
        let expected = """
            <p><a href="1">a</a></p>
            <pre><code class="language-c">X</code></pre>
            <p><a href="2">e</a></p>
            <pre><code class="language-g">h
            </code></pre>

            """
        #expect(filled([Array("X".utf8), nil]) == expected)
        #expect(filled([Array("X".utf8)]) == expected)
        #expect(filled([nil, nil]) == filled([]))
    }
}
