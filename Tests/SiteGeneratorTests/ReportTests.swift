import Diagnostics
import Jansson
import Testing

@testable import Rules
@testable import Site
@testable import SiteGenerator

@Suite struct ReportTests {
    private static let link = Diagnostic(
        .deadLink,
        "link to 'b,c:d%.md' is dead: there is no such page",
        at: Diagnostics.SourceLocation("site/é: a.md", line: 2, column: 8, length: 6),
        notes: [
            .init("there is 'b.md'", at: Diagnostics.SourceLocation("site/b.md")), .init("a\nb"),
        ]
    )

    private static func report(_ diagnostics: [Diagnostic]) -> Report {
        var outcome = BuildOutcome(diagnostics: diagnostics)
        outcome.pages = 3
        let summary = SummaryLine(outcome, .check, milliseconds: 5)
        return Report(outcome, summary) { path in
            path.hasSuffix("a.md") ? Array("x\nä 🚂[x](y)\r\n".utf8) : nil
        }
    }

    @Test func `text is the line that editors click, then the source`() {
        #expect(
            Self.report([Self.link]).text(.text)
                == """
                site/é: a.md:2:8: error: link to 'b,c:d%.md' is dead: there is no such page [dead-link]
                    2 | ä 🚂[x](y)
                      |     ^~~~~~
                site/b.md:1:1: note: there is 'b.md'
                site/é: a.md:2:8: note: a\u{FFFD}b

                """
        )
        let coloured = Self.report([Self.link]).text(.text, inColour: true)
        #expect(coloured.contains("\u{1B}[1;31merror\u{1B}[0m"))
    }

    @Test func `a workflow command is escaped, its columns are UTF-16 code units`() {
        let diagnostics = [Self.link, Diagnostic(.warning, "x", at: nil)]
        #expect(
            Self.report(diagnostics).text(.github)
                == "::error file=site/é%3A a.md,line=2,col=5,endColumn=11,title=dead-link"
                + "::link to 'b,c:d%25.md' is dead: there is no such page%0Anote: site/b.md: there is 'b.md'%0A"
                + "note: a%0Ab\n::warning::x\n"
        )
    }

    @Test func `JSON contains every field of a finding`() throws {
        let json = try JSON(parsing: Array(Self.report([Self.link]).text(.json).utf8))
        let finding = json["findings"]?.array?.first
        #expect(finding?["rule"] == "dead-link" && finding?["severity"] == "error")
        #expect(finding?["path"] == "site/é: a.md" && finding?["line"] == 2)
        #expect(finding?["column"] == 8 && finding?["length"] == 6)
        #expect(finding?["notes"]?.array?.first?["line"] == .null)
        #expect(json["summary"]?["errors"] == 1 && json["summary"]?["pages"] == 3)
    }

    @Test func `SARIF names rules, addresses and columns`() throws {
        let json = try JSON(parsing: Array(Self.report([Self.link]).text(.sarif).utf8))
        let run = json["runs"]?.array?.first
        let result = run?["results"]?.array?.first
        #expect(result?["ruleId"] == "dead-link" && result?["ruleIndex"] == 0)
        let location = result?["locations"]?.array?.first?["physicalLocation"]
        #expect(location?["artifactLocation"]?["uri"] == "site/%C3%A9%3A%20a.md")
        #expect(location?["region"] == ["startLine": 2, "startColumn": 5, "endColumn": 11])
        #expect(result?["relatedLocations"]?.array?.count == 1)
        #expect(run?["columnKind"] == "utf16CodeUnits")
        #expect(run?["tool"]?["driver"]?["rules"]?.array?.count == Rule.allCases.count)
    }

    @Test func `code quality has a fingerprint for each finding, whatever its line`() throws {
        let findings = { (text: String) in try JSON(parsing: Array(text.utf8)).array ?? [] }
        let moved = Diagnostic(
            .deadLink,
            Self.link.message,
            at: Diagnostics.SourceLocation("site/é: a.md", line: 9, column: 1)
        )
        let found = try findings(Self.report([Self.link, moved]).text(.gitlab))
        #expect(found.first?["location"] == ["path": "site/é: a.md", "lines": ["begin": 2]])
        #expect(found.first?["check_name"] == "dead-link" && found.first?["severity"] == "critical")
        #expect(found.first?["description"]?.string == Self.link.message)
        #expect(Set(found.compactMap { $0["fingerprint"]?.string }).count == 2)
        let alone = try findings(Self.report([moved]).text(.gitlab))
        #expect(alone.first?["fingerprint"] == found.first?["fingerprint"])
        let whole = Diagnostic(.warning, "x", at: nil)
        let last = try findings(Self.report([whole]).text(.gitlab)).first
        #expect(last?["location"] == ["path": "sitegen.toml", "lines": ["begin": 1]])
        #expect(last?["severity"] == "minor")
    }
}
