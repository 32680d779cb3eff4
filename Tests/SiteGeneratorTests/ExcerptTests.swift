import Diagnostics
import Testing

@testable import Rules
@testable import SiteGenerator

@Suite struct ExcerptTests {
    /// The line as it is shown, and below it the mark.
    private static func shown(_ line: String, column: Int, length: Int? = nil) -> [String] {
        let bytes = Array(line.utf8)
        let location = Diagnostics.SourceLocation("a.md", line: 1, column: column, length: length)
        let excerpt = Excerpt(bytes, UnderlinedRange(of: location, in: bytes))
        return [excerpt.text, excerpt.mark]
    }

    @Test func `what is meant is underlined`() {
        #expect(
            Self.shown("See [x](y.md).", column: 5, length: 9) == [
                "See [x](y.md).", "    ^~~~~~~~~",
            ]
        )
        #expect(Self.shown("acess: [hr]", column: 1) == ["acess: [hr]", "^~~~~"])
        #expect(Self.shown("ab", column: 9, length: 5) == ["ab", "  ^"])
        #expect(Self.shown("", column: 1) == ["", "^"])
    }

    @Test func `tabs, wide characters and marks keep the line straight`() {
        #expect(Self.shown("\t[x](y)", column: 2, length: 6) == ["    [x](y)", "    ^~~~~~"])
        #expect(Self.shown("日本 [x](y)", column: 8, length: 6) == ["日本 [x](y)", "     ^~~~~~"])
        #expect(Self.shown("[日本](y)", column: 1, length: 11) == ["[日本](y)", "^~~~~~~~~"])
        #expect(Self.shown("e\u{301}🙂 [x](y)", column: 9, length: 6)[1] == "    ^~~~~~")
    }

    @Test func `a long line is cut around the location`() {
        let far = String(repeating: "a", count: 300) + "[x](y)" + String(repeating: "b", count: 300)
        let shown = Self.shown(far, column: 301, length: 6)
        #expect(shown[0].count <= Excerpt.width + 1)
        #expect(shown[0].hasPrefix("…a") && shown[0].hasSuffix("b…"))
        let mark = shown[1].count - 6
        #expect(shown[0].dropFirst(mark).hasPrefix("[x](y)"))
        // A megabyte in one line, the place in the middle of it and of a character.
        let wide = String(repeating: "é", count: 1 << 19)
        #expect(Self.shown(wide, column: 500_000, length: 1 << 20)[0].count <= Excerpt.width + 1)
    }

    @Test func `a location in the middle of a long line is found in characters and in columns`()
        throws
    {
        let text =
            String(repeating: "é", count: 3000) + "[x](y) " + String(repeating: "a", count: 50)
        var lines = SourceLines { _ in Array("first\n\(text)\r\n".utf8) }
        let location = Diagnostics.SourceLocation("a.md", line: 2, column: 6001, length: 6)
        let found = lines.line(of: location)
        let line = try #require(found)
        let characters = UnderlinedRange(of: location, in: line.bytes).utf16Columns(in: line)
        #expect(characters.start == 3001 && characters.end == 3007)
        #expect(
            Self.shown(text, column: 6001, length: 6)[1] == String(repeating: " ", count: 34)
                + "^~~~~~"
        )
    }

    /// 40,000 findings in a line of 280,000 bytes: the line was copied, and measured from its start,
    /// for each.
    @Test(arguments: [Report.Format.text, .sarif, .github])
    func `ten times the findings in one line are about ten times the work`(format: Report.Format) {
        func seconds(_ count: Int) -> Double {
            let source = Array(String(repeating: "[x](y) ", count: count).utf8)
            let found = (0..<count).map { index in
                let location = Diagnostics.SourceLocation(
                    "a.md",
                    line: 1,
                    column: 7 * index + 1,
                    length: 6
                )
                return Diagnostic(.deadLink, "'y' leads nowhere", at: location)
            }
            var lines = SourceLines { _ in source }
            let clock = ContinuousClock()
            let spent = clock.measure {
                for diagnostic in found {
                    switch format {
                    case .github: _ = GitHubCommand(diagnostic, &lines).text
                    case .sarif:
                        if let location = diagnostic.location, let line = lines.line(of: location) {
                            _ = UnderlinedRange(of: location, in: line.bytes).utf16Columns(in: line)
                        }
                    default: _ = TextDiagnostic(diagnostic, &lines, Palette(isOn: false)).text
                    }
                }
            }
            return Double(spent.components.attoseconds) / 1e18 + Double(spent.components.seconds)
        }
        var growth = Double.infinity
        for _ in 0..<3 where growth > 25 { growth = seconds(40_000) / seconds(4000) }
        #expect(growth <= 25)
    }

    @Test func `an author's text moves no cursor and forges no line`() {
        #expect(Self.shown("\u{1B}[2J x\u{202E}y", column: 1)[0] == "\u{FFFD}[2J x\u{FFFD}y")
        var lines = SourceLines { _ in nil }
        let forged = Diagnostic(
            .deadLink,
            "a\nb.md:1:1: error: c",
            at: Diagnostics.SourceLocation("a.md")
        )
        let text = TextDiagnostic(forged, &lines, Palette(isOn: false)).text
        #expect(text == "a.md:1:1: error: a\u{FFFD}b.md:1:1: error: c [dead-link]\n")
    }
}
