import Diagnostics
import Testing

@testable import SiteGenerator

@Suite struct BaselineTests {
    private static func link(_ line: Int, _ message: String = "dead") -> Diagnostic {
        Diagnostic(.deadLink, message, at: Place("x/site/a.md", line: line))
    }

    @Test func `a line that moved is known, and one more of its kind is new`() throws {
        let baseline = Baseline(recording: [Self.link(1), Self.link(5)], in: "x/")
        let read = try Baseline(parsing: Array(baseline.text.utf8))
        #expect(read == baseline)
        let split = read.split([Self.link(8), Self.link(9), Self.link(10)], in: "x/")
        #expect(split.new == [Self.link(10)])
        #expect(split.known == 2 && split.stale.isEmpty)
    }

    @Test func `an entry that no longer occurs is told`() {
        let baseline = Baseline(recording: [Self.link(1), Self.link(2, "gone")], in: "x/")
        let split = baseline.split([Self.link(1)], in: "x/")
        #expect(split.stale == [.init(rule: "dead-link", path: "site/a.md", message: "gone")])
    }

    /// A handbook's baseline is one file in git, wherever the command is started.
    @Test func `paths are relative to the site`() {
        let baseline = Baseline(recording: [Self.link(1)], in: "x/")
        let here = Diagnostic(.deadLink, "dead", at: Place("site/a.md", line: 1))
        #expect(baseline.split([here], in: "").new.isEmpty)
    }

    @Test func `what keeps pages from readers, and notes, are never let pass`() {
        let found = [
            Diagnostic(.widenedAccess, "a", at: Place("a")),
            Diagnostic(.frontMatter, "b", at: Place("a")), Diagnostic(.error, "c", at: Place("a")),
            Diagnostic(.movedOutsideLink, "d", at: Place("a")),
            Diagnostic(.deadLink, "e", at: nil),
        ]
        let baseline = Baseline(recording: found, in: "")
        #expect(baseline.counts.isEmpty)
        let forged = """
            {"version":1,"findings":[{"rule":"widened-access","path":"a","message":"a","count":9}]}
            """
        #expect((try? Baseline(parsing: Array(forged.utf8)))?.split(found, in: "").new == found)
    }

    @Test(arguments: [
        "", "[]", "{\"version\":2,\"findings\":[]}", "{\"version\":1}",
        "{\"version\":1,\"findings\":[{}]}",
        "{\"version\":1,\"findings\":[{\"rule\":\"a\",\"path\":\"b\",\"message\":\"c\",\"count\":0}]}",
    ])
    func `what is no baseline is refused`(text: String) {
        #expect(throws: Baseline.Mistake.self) { try Baseline(parsing: Array(text.utf8)) }
    }
}
