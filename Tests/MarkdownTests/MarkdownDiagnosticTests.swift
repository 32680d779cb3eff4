import HTML
import Testing

@testable import Markdown

@Suite struct MarkdownDiagnosticTests {
    private static func diagnostics(_ markdown: String) -> [MarkdownDiagnostic] {
        (try? RenderedDocument(Array(markdown.utf8), MarkdownOptions()))?.diagnostics ?? []
    }

    @Test func `an image without words is found, one with words is not`() {
        #expect(
            Self.diagnostics("a ![](b.png) ![c](d.png)\n\n[![](e.png)](f.md)\n") == [
                MarkdownDiagnostic(
                    .missingAlternativeText,
                    at: .init(line: 1, column: 3, length: 10)
                ),
                MarkdownDiagnostic(
                    .missingAlternativeText,
                    at: .init(line: 3, column: 2, length: 10)
                ),
            ]
        )
    }

    @Test func `levels of headings go down one at a time`() {
        #expect(Self.diagnostics("# A\n## B\n### C\n# D\n").map(\.kind) == [.secondTopHeading])
        #expect(
            Self.diagnostics("## A\n#### B\n") == [
                MarkdownDiagnostic(
                    .skippedHeadingLevel(from: 2, to: 4),
                    at: .init(line: 2, column: 1, length: 6)
                )
            ]
        )
        // The title of the page stands above its first heading.
        #expect(Self.diagnostics("### A\n").map(\.kind) == [.skippedHeadingLevel(from: 1, to: 3)])
        #expect(Self.diagnostics("## A\n### B\n## C\n### D\n").isEmpty)
    }

    @Test func `raw HTML is found where it stands, and a comment is not`() {
        let finding = MarkdownDiagnostic(
            .rawHTML(HTMLOmission(.needsTrust, "form")),
            at: .init(line: 1, column: 3)
        )
        #expect(Self.diagnostics("a <form>\n\n<!-- c -->\n") == [finding])
    }

    @Test func `words in more cells than the header has are told at their row`() {
        let row = MarkdownDiagnostic(.extraCells(header: 2, row: 4), at: .init(line: 5, column: 3))
        let markdown = "- a\n\n  | b | c |\n  |---|---|\n  | `d | e` | f | g\n  | h | i | |\n"
        #expect(Self.diagnostics(markdown) == [row])
        #expect(Self.diagnostics("> | b |\n> |---|\n> | `d \\| e` |\n").isEmpty)
    }
}
