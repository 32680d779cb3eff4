import Testing

@testable import Markdown

/// Where a link stands, whatever is around it: `line:column:length`.
@Suite struct PlaceTests {
    private static func places(_ markdown: String, rawHTML: Bool = false) -> [String] {
        var options = MarkdownOptions()
        options.rawHTML = rawHTML ? .trusted : .omitted
        let document = try? RenderedDocument(Array(markdown.utf8), options)
        return document?.references.map { reference in
            let length = reference.range.length.map(String.init) ?? "-"
            return "\(reference.range.line):\(reference.range.column):\(length)"
        } ?? []
    }

    @Test(arguments: [
        ("a [b](c)", ["1:3:6"]), ("ä ~x~ [b](c)", ["1:8:6"]),
        ("- a\n  - b ~ [c](d)\n", ["2:9:6"]),
        ("> > a ~ [c](d)\n> lazy ~ [e](f)\n", ["1:9:6", "2:10:6"]),
        ("1. a\n\n   > ~ [c](d)\n", ["3:8:6"]),
        ("> - | a |\n>   |---|\n>   | x [c](d) |\n", ["3:9:6"]),
        ("| a | b |\n|-|-|\n| [c](d) | ![e](f) |\n", ["3:3:6", "3:12:7"]),
        ("a[^1]\n\n[^1]: b [c](d)\n\n    e [f](g)\n", ["3:9:6", "5:7:6"]),
        ("> [!NOTE]\n> [a](b)\n", ["2:3:6"]), ("- [x] ~ [a](b)\n", ["1:9:6"]),
        ("# ~a~ [b](c) #\n", ["1:7:6"]), ("[a][b] ~\n\n[b]: c\n", ["1:1:6"]),
        ("~ [a\nb](c)\n", ["1:3:-"]), ("x www.a.de y", ["1:3:8"]), ("\t- ~[a](b)", []),
        ("-\t~ [a](b)", ["1:5:6"]),
    ])
    func `of a link`(markdown: String, places: [String]) {
        #expect(Self.places(markdown) == places)
    }

    @Test(arguments: [
        ("a <a href=b>c</a>", ["1:6:6"]), ("<div>\n <a\n href='b'>c</a>\n", ["3:2:8"]),
        ("> - <div>\n>   <img src=\"a\">\n", ["2:10:7"]),
        ("| a |\n|-|\n| <a href=b> |\n", ["3:6:6"]),
        ("a <a\n  href=b>c</a>", ["2:3:6"]),
    ])
    func `of an address in HTML`(markdown: String, places: [String]) {
        #expect(Self.places(markdown, rawHTML: true) == places)
    }
}
