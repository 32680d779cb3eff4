import Diagnostics
import Testing

@testable import SiteGenerator

@Suite struct ExcerptTests {
    /// The line as it is shown, and below it the mark.
    private static func shown(_ line: String, column: Int, length: Int? = nil) -> [String] {
        let bytes = Array(line.utf8)
        let place = Place("a.md", line: 1, column: column, length: length)
        let excerpt = Excerpt(bytes, Extent(of: place, in: bytes))
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

    @Test func `a long line is cut around the place`() {
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

    @Test func `an author's text moves no cursor and forges no line`() {
        #expect(Self.shown("\u{1B}[2J x\u{202E}y", column: 1)[0] == "\u{FFFD}[2J x\u{FFFD}y")
        var lines = SourceLines { _ in nil }
        let forged = Diagnostic(.deadLink, "a\nb.md:1:1: error: c", at: Place("a.md"))
        let text = TextFinding(forged, &lines, Palette(isOn: false)).text
        #expect(text == "a.md:1:1: error: a\u{FFFD}b.md:1:1: error: c [dead-link]\n")
    }
}
