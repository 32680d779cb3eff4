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
        (
            "{% file src=\"a/b.pdf\" %}\nc *d*\n{% endfile %}\ne",
            link("a/b.pdf", "b.pdf") + "<p>c <em>d</em></p>\n<p>e</p>\n"
        ),
        (
            "- {% embed url=\"https://b.de/c\" %}\n  d\n\n  {% endembed %}",
            "<ul>\n<li>\n" + link("https://b.de/c", "b.de") + "<p>d</p>\n</li>\n</ul>\n"
        ),
        ("![](https://youtu.be/a)", link("https://youtu.be/a", "youtu.be")),
        (
            "![b](https://www.YouTube.com/watch?v=a)",
            link("https://www.YouTube.com/watch?v=a", "b")
        ),
        (
            "![](http://player.vimeo.com/video/1)",
            link("http://player.vimeo.com/video/1", "player.vimeo.com")
        ),
        (
            "![b](https://img.youtube.com/vi/a/0.jpg)",
            "<p><img src=\"https://img.youtube.com/vi/a/0.jpg\" alt=\"b\" /></p>\n"
        ),
        (
            "<video src=\"a.mp4\" title=\"b\" width=\"3\" autoplay>c</video> d",
            "<p><video controls preload=\"metadata\" src=\"a.mp4\" width=\"3\" aria-label=\"b\"></video> d</p>\n"
        ),
        (
            "<audio controls>\n<source src=\"a.ogg\" type=\"audio/ogg\">\n<source src=\"a.mp3\">\nNothing\n</audio>\n\nb",
            "\n<p><audio controls preload=\"metadata\" src=\"a.ogg\" aria-label=\"a.ogg\"></audio></p>\n<p>b</p>\n"
        ),
        ("<video src=\"https://b.de/c.mp4\"></video>", link("https://b.de/c.mp4", "b.de")),
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
        "<Video src=\"//b.de/a.mp4\" />", "<video src=\"//b.de/a.mp4\"></video>",
        "<audio><source src=\"javascript:a.mp3\"></audio>", "<video src=\" javascript:a.mp4\">",
        "<video><source src=\"data:video/mp4,a.mp4\"></video>", "![](https://youtu.be/a.mp4)",
        "<Link href=\"javascript:a\">b</Link>", "c <Link to=\" javascript:a\">b</Link>",
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
