import Diagnostics
import Fixtures
import Testing

@testable import Rules
@testable import Site

@Suite struct BaselineTests {
    private static func link(_ line: Int, _ message: String = "dead", _ subject: String? = nil)
        -> Diagnostic
    {
        Diagnostic(
            .deadLink,
            message,
            at: Diagnostics.SourceLocation("x/site/a.md", line: line),
            subject: subject
        )
    }

    @Test func `a finding whose line moved stays suppressed`() throws {
        let baseline = Baseline(recording: [Self.link(1), Self.link(5, "other")], in: "x/")
        let read = try Baseline(parsing: Array(baseline.text.utf8))
        #expect(read == baseline)
        for (way, bytes) in SavedText.variants(of: baseline.text) {
            #expect(try Baseline(parsing: bytes) == baseline, "\(way)")
        }
        let split = read.split(
            [Self.link(8), Self.link(9, "other"), Self.link(10, "new")],
            in: "x/"
        )
        #expect(split.new == [Self.link(10, "new")])
        #expect(split.known == 2 && split.stale.isEmpty)
    }

    @Test func `a drawing that nobody answers for is the one with the mistake`() {
        let place = Diagnostics.SourceLocation("a.md")
        let wrong = Diagnostic(.drawing, "diagram: Syntax Error", at: place, subject: "1f")
        let late = Diagnostic(.noDrawings, "PlantUML stopped", at: place, subject: "1f")
        let other = Diagnostic(.drawing, "diagram: Syntax Error", at: place, subject: "2e")
        #expect(Baseline(recording: [wrong], in: "").split([late, other], in: "").new == [other])
        #expect(Baseline(recording: [late], in: "").split([wrong], in: "").stale.isEmpty)
    }

    /// The message of a dead anchor lists the headings of another page.
    @Test func `what another page says is no part of a finding`() {
        let baseline = Baseline(recording: [Self.link(1, "it has '#a', '#b'", "b.md#c")], in: "")
        #expect(baseline.split([Self.link(1, "it has '#a'", "b.md#c")], in: "").new.isEmpty)
        #expect(
            baseline.split([Self.link(1, "it has '#a', '#b'", "b.md#d")], in: "").new.count == 1
        )
    }

    /// Mending one of two dead links must not be a new finding.
    @Test func `a mended finding is no new one`() {
        let both = [Self.link(1), Self.link(2)]
        #expect(Baseline(recording: both, in: "").split([Self.link(2)], in: "").new.isEmpty)
    }

    @Test func `an entry that no longer occurs is reported`() {
        let baseline = Baseline(recording: [Self.link(1), Self.link(2, "gone")], in: "x/")
        let split = baseline.split([Self.link(1)], in: "x/")
        #expect(split.stale == [.init(rule: "dead-link", path: "site/a.md", subject: "gone")])
    }

    /// A handbook's baseline is one file in git, wherever the command is started.
    @Test func `paths are relative to the site`() {
        let baseline = Baseline(recording: [Self.link(1)], in: "x/")
        let here = Diagnostic(
            .deadLink,
            "dead",
            at: Diagnostics.SourceLocation("site/a.md", line: 1)
        )
        #expect(baseline.split([here], in: "").new.isEmpty)
    }

    @Test func `rules that fail closed, and notes, are never suppressed`() {
        let found = [
            Diagnostic(.widenedAccess, "a", at: Diagnostics.SourceLocation("a")),
            Diagnostic(.frontMatter, "b", at: Diagnostics.SourceLocation("a")),
            Diagnostic(.error, "c", at: Diagnostics.SourceLocation("a")),
            Diagnostic(.movedExternalLink, "d", at: Diagnostics.SourceLocation("a")),
            Diagnostic(.deadLink, "e", at: nil),
        ]
        let baseline = Baseline(recording: found, in: "")
        #expect(baseline.entries.isEmpty)
        let forged = """
            {"version":2,"findings":[{"rule":"widened-access","path":"a","subject":"a"}]}
            """
        #expect((try? Baseline(parsing: Array(forged.utf8)))?.split(found, in: "").new == found)
    }

    @Test(arguments: [
        "", "[]", "{\"version\":1,\"findings\":[]}", "{\"version\":2}", "{\"version\":3}",
        "{\"version\":2,\"findings\":[{}]}",
        "{\"version\":2,\"findings\":[{\"rule\":\"a\",\"path\":\"b\",\"subject\":1}]}",
    ])
    func `what is no baseline is refused`(text: String) {
        #expect(throws: Baseline.Mistake.self) { try Baseline(parsing: Array(text.utf8)) }
    }
}
