import Testing

@testable import Markdown

/// Ids of headings and footnotes: GitHub's wherever that is free, and none twice.
@Suite struct DocumentIDTests {
    private static func document(_ markdown: String) throws -> RenderedDocument {
        try RenderedDocument(Array(markdown.utf8), .init())
    }

    @Test(
        arguments: [
            ("# Content\n# Tools\n# Account", ["content", "tools", "account"]),
            ("# A\n# A\n# A-1", ["a", "a-1", "a-1-1"]),
            ("# B { #a data-label=\"b c\" }\n# B { id=c }\n# B { id=\"9.7\" }", ["a", "c", "9.7"]),
            ("# B {#a}\n# A", ["a", "a-1"]), ("# A\n# B {#a}", ["a-1", "a"]),
            ("# A {#x}\n# B {#x}\n# C {#x}", ["x", "x-1", "x-2"]),
            ("# A {#x}\n# B {#x}\n# C {#x-1}", ["x", "x-2", "x-1"]),
            ("# A b {#Site-content}\n# A b", ["a-b", "a-b-1"]), ("# A {#site-a}", ["site-a"]),
            ("# Site-content", ["site-content"]),
        ]
    )
    func `each heading has an id of its own`(markdown: String, ids: [String]) throws {
        #expect(try Self.document(markdown).headings.map(\.id) == ids)
    }

    @Test(arguments: [
        "foo\nbar\n===", "foo  \nbar\n===", "foo\\\nbar\n---", "foo ![\nbar](x)\n---",
    ])
    func `a line break in a heading is a space`(markdown: String) throws {
        let headings = try Self.document(markdown).headings
        #expect(headings.map(\.text) == ["foo bar"] && headings.map(\.id) == ["foo-bar"])
    }

    @Test func `an id that is taken, and one of the templates, is found`() throws {
        #expect(
            try Self.document("# A {#x}\n## B {#x}\n## C {#Site-x}\n## D\n## D").diagnostics == [
                MarkdownDiagnostic(.duplicateID("x"), at: .init(line: 2, column: 1, length: 9)),
                MarkdownDiagnostic(
                    .reservedID("Site-x"),
                    at: .init(line: 3, column: 1, length: 14)
                ),
            ]
        )
    }

    @Test func `footnotes and headings share no id`() throws {
        let markdown = "# Fn 1\n\na[^1] b[^1] c[^1-2]\n\n# Fnref 1\n\n[^1]: d\n[^1-2]: e\n"
        let html = String(decoding: try Self.document(markdown).html, as: UTF8.self)
        let ids = html.split(separator: " id=\"").dropFirst().compactMap {
            $0.split(separator: "\"").first.map(String.init)
        }
        #expect(ids.count == 7 && Set(ids).count == 7)
        let targets = html.split(separator: "href=\"#").dropFirst().compactMap {
            $0.split(separator: "\"").first.map(String.init)
        }
        #expect(targets.count == 6 && Set(targets).isSubset(of: ids))
    }
}
