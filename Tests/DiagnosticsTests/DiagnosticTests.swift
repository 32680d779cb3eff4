import Testing

@testable import Diagnostics

@Suite struct DiagnosticTests {
    @Test func `a diagnostic is a line that editors can click, its notes below it`() {
        let diagnostic = Diagnostic(
            .error,
            "link to 'sick-leave.md' is dead: there is no such page",
            at: Diagnostics.SourceLocation("site/leave.md", line: 12, column: 7),
            notes: [
                .init("there is 'sickness.md'", at: Diagnostics.SourceLocation("site/sickness.md"))
            ]
        )
        #expect(
            diagnostic.text(program: "sitegen")
                == """
                site/leave.md:12:7: error: link to 'sick-leave.md' is dead: there is no such page
                site/sickness.md:1:1: note: there is 'sickness.md'

                """
        )
        #expect(Diagnostic(.warning, "x", at: nil).text(program: "p") == "p: warning: x\n")
    }

    @Test func `they are sorted by path, line and column`() {
        let places = [
            Diagnostics.SourceLocation("b"), Diagnostics.SourceLocation("a", line: 10),
            Diagnostics.SourceLocation("a", line: 9, column: 5),
            Diagnostics.SourceLocation("a", line: 9),
        ]
        let sorted = places.map { Diagnostic(.error, "", at: $0) }.sorted().map(\.location)
        #expect(sorted == [places[3], places[2], places[1], places[0]])
    }

    @Test(arguments: [
        ("acess", "access"), ("drfat", "draft"), ("Title", "title"), ("xyz", nil), ("a", nil),
        ("titel", "title"),
    ])
    func `a slip finds what was meant`(name: String, near: String?) {
        #expect(NearestName.of(name, in: ["access", "draft", "title", "widens"]) == near)
    }
}
