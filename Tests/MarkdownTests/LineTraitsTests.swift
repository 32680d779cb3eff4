import Testing

@testable import Markdown

/// The looks at lines that let later stages be passed over.
@Suite struct LineTraitsTests {
    @Test func `letters and spaces are counted as one by one`() {
        for byte in UInt8.min...UInt8.max {
            let isWord = byte.isLetter || byte == .space
            for position in 0..<8 {
                let word = (0..<8).reduce(UInt64(0)) { word, index in
                    let other = index < position ? UInt8(ascii: " ") : UInt8(ascii: "~")
                    return word | UInt64(index == position ? byte : other) << UInt64(8 * index)
                }
                let found = LineTraits.leadingWords(word)
                #expect(found == (isWord ? position + 1 : position))
            }
        }
    }

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
