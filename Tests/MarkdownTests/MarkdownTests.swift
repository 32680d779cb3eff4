import Markdown
import Testing

@Suite struct MarkdownTests {
    private static func html(_ markdown: String) -> String {
        guard let html = try? MarkdownFragment.html(Array(markdown.utf8), .init()) else {
            return "refused"
        }
        return String(decoding: html, as: UTF8.self)
    }

    /// The ids that GitHub gives.
    @Test(arguments: [
        ("What's new?", "whats-new"), ("A & B", "a--b"), ("Über uns", "über-uns"),
        ("`code` and *stress*", "code-and-stress"), ("a_b-c", "a_b-c"), ("1. First", "1-first"),
        ("日本語 テスト", "日本語-テスト"), ("!!!", "section"), ("C++ / C#", "c--c"),
    ])
    func `a heading's id`(heading: String, id: String) {
        #expect(Self.html("# \(heading)").contains(" id=\"\(id)\""))
    }

    @Test func `equal headings are numbered`() {
        let html = Self.html("# A\n# A\n# A-1\n# A")
        for id in ["a", "a-1", "a-1-1", "a-2"] { #expect(html.contains("id=\"\(id)\"")) }
    }

    @Test func `a link in a heading stays where it was`() {
        #expect(
            Self.html("# See [x](y.md)\n\n[z](w.md)")
                == "<h1 id=\"see-x\">See <a href=\"y.md\">x</a></h1>\n<p><a href=\"w.md\">z</a></p>\n"
        )
    }

    /// What one author writes, the browsers of all colleagues run.
    @Test(arguments: [
        "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](java\u{1}script:alert(1))",
        "![x](vbscript:x)", "[x](data:text/html,x)", "<script>alert(1)</script>", "a <b onclick=x>",
        "[x](<java\tscript:alert(1)>)", "[x](&#106;avascript:alert(1))", "<javascript:alert(1)>",
    ])
    func `nothing that runs gets through`(markdown: String) {
        let html = Self.html(markdown).lowercased()
        #expect(!html.contains("<script") && !html.contains("onclick"))
        for scheme in ["javascript:", "java\u{1}script:", "vbscript:", "data:"] {
            #expect(!html.contains("\"\(scheme)"))
        }
    }

    @Test func `placeholders are filled in their order, whatever stands around them`() {
        #expect(
            Self.html("> - ![a [b](c) `d`](e \"f\") [g](h)")
                == """
                <blockquote>
                <ul>
                <li><img src="e" alt="a b d" title="f" /> <a href="h">g</a></li>
                </ul>
                </blockquote>

                """
        )
    }
}
