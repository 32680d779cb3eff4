import Markdown
import Testing

/// What a page shows besides text.
@Suite struct EmbeddingTests {
    private static func link(_ address: String, _ name: String) -> String {
        "<p><a class=\"frame\" href=\"\(address)\">\(name)</a></p>\n"
    }

    @Test(arguments: [
        (
            "![a *b*](c.mp4)",
            "<p><video controls preload=\"metadata\" src=\"c.mp4\" aria-label=\"a b\"></video></p>\n"
        ),
        (
            "![a](b.MP3?c#d \"e\")",
            "<figure>\n<audio controls preload=\"metadata\" src=\"b.MP3?c#d\" aria-label=\"a\"></audio>\n<figcaption>e</figcaption>\n</figure>\n"
        ),
        (
            "![a](b.webm){width=300}",
            "<p><video controls preload=\"metadata\" src=\"b.webm\" width=\"300\" aria-label=\"a\"></video></p>\n"
        ),
        (
            "{{< video a.mp4 >}}",
            "<p><video controls preload=\"metadata\" src=\"a.mp4\" aria-label=\"\"></video></p>\n"
        ),
        ("![a](https://b.de/c.mp4)", link("https://b.de/c.mp4", "a")),
        (
            "<iframe src=\"https://b.de/c\" title=\"d &amp; e\"></iframe>",
            link("https://b.de/c", "d &amp; e")
        ),
        ("<iframe src=\"https://b.de/c\"></iframe>", link("https://b.de/c", "b.de")),
        (
            "::: video\n<iframe src=\"https://b.de/c\"></iframe>\n:::",
            link("https://b.de/c", "b.de")
        ),
        ("{% youtube abc-1 %}", link("https://www.youtube.com/watch?v=abc-1", "youtube.com")),
        (
            "{{< youtube id=\"a_b\" title=\"c\" >}}",
            link("https://www.youtube.com/watch?v=a_b", "c")
        ),
        ("{% embed url=\"https://b.de/c\" %}", link("https://b.de/c", "b.de")),
        ("{% file src=\"a/b.pdf\" %}", link("a/b.pdf", "b.pdf")),
        ("<YouTube id=\"a\" />", link("https://www.youtube.com/watch?v=a", "youtube.com")),
        ("::: query-table 1-2\n:::\na", "<p>a</p>\n"),
        ("a :tada: :no_name: b", "<p>a 🎉 :no_name: b</p>\n"),
    ])
    func `films, sounds, frames and emoji`(markdown: String, html: String) throws {
        #expect(try BorrowedHTML.html(markdown) == html)
    }

    @Test(arguments: [
        "![a](//b.de/c.mp4)", "![a](\\\\\\\\b.de/c.mp4)", "![a](</\\b.de/c.mp4>)",
        "![a](javascript:b.mp4)",
        "![a](<java\tscript:b.mp4>)", "![a](data:video/mp4,b.mp4)", "![a](HTTPS:b.de/c.mp4)",
        "<iframe src=\"javascript:a\">", "<iframe src=\" data:text/html,a\">",
        "<iframe src=\"//b.de\">",
        "{{< youtube javascript:a >}}", "{{< youtube \"a'><b>\" >}}",
        "{% embed url=\"javascript:a\" %}",
        "{{< video javascript:a.mp4 >}}", "{{< video https://b.de/a.mp4 >}}",
        "<Video src=\"//b.de/a.mp4\" />",
        "![a](<&#x2F;/b.de/c.mp4>)", "![a](doc&#58;//b.de/c.mp4)",
        "<a href=\"c\">![a](https://b.de/c.mp4)</a>",
    ])
    func `nothing of another host is loaded, and nothing runs`(markdown: String) throws {
        let html = try BorrowedHTML.html(markdown)
        #expect(!html.contains("src=\""))
        #expect(!html.contains("href=\"javascript") && !html.contains("href=\"data"))
        #expect(!html.contains("<iframe"))
    }
}
