import Testing

@testable import Markdown

/// The looks at lines that let later stages be passed over.
@Suite struct LineTraitsTests {
    @Test(arguments: [
        ("| a |\n|---|\n| b |", 1), ("| a |\r\n|---|\r\n| b |\r\n", 1), ("x\n| a |\n|---|\n", 1),
        ("| a |\n|---|\n1. b\n", 1), ("| a | b |\n|---|\n", 0), ("| a |\n|---|\n|\n", 1),
        ("```\n\n| a |\n|---|\n\n```\n\n| b |\n|---|\n", 1), ("~~~\n\n| a |\n|---|\n", 0),
        ("> ```\n\n| a |\n|---|\n", 1), ("- a\n\n  ```\n\n| a |\n|---|\n", 1),
        ("```\n~~~\n```\n\n| a |\n|---|\n", 1), ("    ```\n\n| a |\n|---|\n", 1),
        ("<!--\n\n| a |\n|---|\n| --> |\n\n| b |\n|---|\n", 1),
        ("<!--\n\n| a |\n|---|\n\n-->\n\n| b |\n|---|\n", 1),
        ("<pre>\n\n| a |\n|---|\n", 0), ("<div>\n\n| a |\n|---|\n", 1),
        ("- | a |\n  |---|\n\n| b |\n|---|\n\n    | c |\n    |---|\n", 2),
    ])
    func `a table begins in a paragraph only`(markdown: String, count: Int) throws {
        for rawHTML in [MarkdownOptions.RawHTML.safe, .verbatim] {
            var options = MarkdownOptions()
            options.rawHTML = rawHTML
            let html = try RenderedDocument(Array(markdown.utf8), options).html
            #expect(String(decoding: html, as: UTF8.self).ranges(of: "<table>").count == count)
        }
    }
}
