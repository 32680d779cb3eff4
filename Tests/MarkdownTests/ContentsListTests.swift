import Markdown
import Testing

/// Lists of contents where an author asks for one.
@Suite struct ContentsListTests {
    private static func html(_ markdown: String) throws -> String {
        String(
            decoding: try MarkdownFragment.html(Array(markdown.utf8), .init()),
            as: UTF8.self
        )
    }

    private static let list = """
        <nav class="toc">
        <ul>
        <li><a href="#a">A</a></li>
        </ul>
        </nav>

        """

    @Test(arguments: ["[TOC]", "[[TOC]]", "[[_TOC_]]", "[TOC]  "])
    func `a mark alone in a paragraph lists the headings`(mark: String) throws {
        let heading = "<h2 id=\"a\">A</h2>\n"
        #expect(try Self.html("\(mark)\n\n## A\n") == Self.list + heading)
        #expect(try Self.html("## A\n\n\(mark)\n") == heading + Self.list)
    }

    @Test func `a mark with a definition is a link`() throws {
        #expect(try Self.html("[TOC]\n\n[toc]: a\n") == "<p><a href=\"a\">TOC</a></p>\n")
        #expect(try Self.html("[[TOC]]\n\n[toc]: a\n") == "<p>[<a href=\"a\">TOC</a>]</p>\n")
    }

    @Test(arguments: ["a [TOC]", "- [TOC]", "`[TOC]`", "[TOC] a"])
    func `a mark elsewhere stays`(markdown: String) throws {
        #expect(try Self.html("## A\n\n\(markdown)\n").contains("[TOC]"))
    }

    @Test func `links and code behind several lists keep their places`() throws {
        let markdown = "[a](b)\n\n[TOC]\n\n## A\n\n[c](d)\n\n[TOC]\n\n[e](f)\n\n```x\ng\n```\n"
        let document = try RenderedDocument(Array(markdown.utf8), .init())
        let html = String(
            decoding: document.filled(with: ["1", "2", "3"], code: [Array("h".utf8)]),
            as: UTF8.self
        )
        #expect(
            html == "<p><a href=\"1\">a</a></p>\n" + Self.list + "<h2 id=\"a\">A</h2>\n"
                + "<p><a href=\"2\">c</a></p>\n" + Self.list + "<p><a href=\"3\">e</a></p>\n"
                + "<pre><code class=\"language-x\">h</code></pre>\n"
        )
    }

    @Test func `more lists than a page may hold are refused before they are written`() {
        let markdown =
            String(repeating: "## a\n", count: 5000) + String(repeating: "[[TOC]]\n\n", count: 8000)
        #expect(throws: RenderLimitError.self) {
            try RenderedDocument(Array(markdown.utf8), .init())
        }
    }
}
