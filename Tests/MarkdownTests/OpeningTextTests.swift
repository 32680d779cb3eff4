import Markdown
import Testing

/// What lists by date say of a page that nobody describes.
struct OpeningTextTests {
    static let long = Array(repeating: "word", count: 60).joined(separator: " ")

    @Test(
        "is the first sentences, whole where they fit",
        arguments: [
            ("One *word* & `more`\nin two lines.", "One word & more in two lines."),
            ("# Title\n\n![Mark](a.png)\n\nText[^1] of &lt;A&gt;.\n\n[^1]: A", "Text of <A>."),
            ("- Item\n\nAfter the list.", "After the list."),
            ("Term\n: Its meaning\n\nText", "Text"),
            ("日本語。\u{2026}", "日本語。…"),
            (long, Array(repeating: "word", count: 48).joined(separator: " ") + "…"),
            (String(long.prefix(99)) + ". " + long, String(long.prefix(99)) + "."),
            (String(repeating: "ü", count: 300), String(repeating: "ü", count: 240) + "…"),
            ("", ""),
        ]
    )
    func text(markdown: String, opening: String) throws {
        var options = MarkdownOptions()
        options.borrowedBlocks = true
        options.opening = true
        #expect(try RenderedDocument(Array(markdown.utf8), options).opening == opening)
        options.opening = false
        #expect(try RenderedDocument(Array(markdown.utf8), options).opening.isEmpty)
    }
}
