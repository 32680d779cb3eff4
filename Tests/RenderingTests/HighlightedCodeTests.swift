import Foundation
import HTML
import Markdown
import Testing

@testable import Rendering

@Suite struct HighlightedCodeTests {
    static func code(_ text: String, language: String = "python") -> PlainCode {
        PlainCode(language: language, html: Array(HTMLText.escape(text).utf8)[...])
    }

    @Test(arguments: [
        ("a", "a"), ("", ""), ("if a", "<span class=\"k\">if</span> a"),
        ("a\n< & >\"'", "a\n<span class=\"o2\">&lt;</span> &amp; &gt;&quot;'"),
        ("ä😀", "<span class=\"s\">ä</span>😀"),
        ("ab", "<span class=\"a\">a</span><span class=\"b\">b</span>"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ])
    func `colours round the same text are let through`(text: String, html: String) {
        let verified = HighlightedCode(verifying: Array(html.utf8)[...], of: Self.code(text))
        #expect(verified?.html == Array(html.utf8))
    }

    /// Each is said to be `a < b` with colours.
    @Test(arguments: [
        // Tags
        "<script>a &lt; b</script>", "a &lt; b<script></script>", "<b>a</b> &lt; b", "a < b",
        "<!-- -->a &lt; b", "</code></pre>a &lt; b", "<SPAN class=\"k\">a</SPAN> &lt; b",
        "<span>a</span> &lt; b", "<span class=\"k\"/>a &lt; b", "<",
        // Attributes
        "<span class=\"k\" onclick=\"x()\">a</span> &lt; b", "<span class='k'>a</span> &lt; b",
        "<span class=\"k\" >a</span> &lt; b", "<span class=\"\">a</span> &lt; b",
        "<span class=\"k x\">a</span> &lt; b", "<span class=\"K\">a</span> &lt; b",
        "<span class=\"k\"style=\"\">a</span> &lt; b", "<span style=\"k\">a</span> &lt; b",
        "<span class=\"k&quot;\">a</span> &lt; b", "<span class=\"é\">a</span> &lt; b",
        "<span class=\"k", "<span class=\"k\"",
        // Balance
        "<span class=\"k\">a &lt; b", "a &lt; b</span>", "</span>a &lt; b<span class=\"k\">",
        "<span class=\"k\"><span class=\"k\">a</span></span> &lt; b",
        "<span class=\"k\">a</span></span> &lt; b", "<span class=\"k\">a</span > &lt; b",
        // Text
        "", "a &lt; ", "a &lt; b ", "a &lt; c", "A &lt; b", "a  &lt; b", "a &lt;\nb", "\0a &lt; b",
        // Entities
        "a &lt b", "a &#60; b", "a &#x3c; b", "a &LT; b", "a &amp;lt; b", "&#97; &lt; b",
        "a &<span class=\"k\">lt; b",
    ])
    func `anything else is refused`(html: String) {
        let verified = HighlightedCode(verifying: Array(html.utf8)[...], of: Self.code("a < b"))
        #expect(verified == nil)
    }

    @Test func `HTML that grows beyond measure is refused`() {
        let tags = String(repeating: "<span class=\"k\"></span>", count: 100)
        #expect(HighlightedCode(verifying: Array("\(tags)a".utf8)[...], of: Self.code("a")) == nil)
    }

    @Test func `what a worker is given is the code that the author wrote`() {
        let text = "if a < b && \"&lt;\" > '&amp;quot;' { ä }\n"
        #expect(String(decoding: Self.code(text).text, as: UTF8.self) == text)
    }

    @Test func `a key is that of one language and one code`() {
        let keys = [
            Self.code("a"), Self.code("b"), Self.code("a", language: "c"),
            Self.code("n\na", language: "pytho"),
        ].map(\.key)
        #expect(Set(keys).count == 4)
        #expect(Self.code("a").key == keys[0])
    }

    @Test(arguments: [
        ("html a", true), ("unknown ", true), ("slow ", true), ("large ", true), ("failed ", true),
        ("html b", false), ("html", false), ("", false), (" ", false), ("unknown", false),
        ("unknown a", false), ("HTML a", false), ("html  a", false), ("error ", false),
        ("html <b>a</b>", false), ("html 1\na", false),
    ])
    func `an answer is a status and HTML`(text: String, isAnswer: Bool) {
        let answer = HighlightAnswer(reading: Array(text.utf8)[...], of: Self.code("a"))
        #expect((answer != nil) == isAnswer)
        if let answer { #expect(answer.text == Array(text.utf8)) }
    }
}
