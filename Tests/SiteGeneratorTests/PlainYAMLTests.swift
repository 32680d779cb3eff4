import Testing

@testable import SiteGenerator

@Suite struct PlainYAMLTests {
    private static let keys = [
        "title", "date", "tags", "access", "draft", "weight", "key-with_x", "1a", "Title",
    ]

    private static let values = [
        "Page one", "2026-01-02", "2026-01-02T10:00:00+01:00", "2026-1-9 8:00", "[a, b]", "[]",
        "[ a , \"b c\", 'd' ]", "[a, é, 5]", "true", "No", "ON", "", "\"quoted: text\"", "''",
        "'single # q'", "it's", "a: b", "a #c", "a#c", "a:b", "http://x.y/z", "12", "-5", "1.5e3",
        "0x10", "1_000", "+4", ".5", ".inf", "1:30", "~", "null", "Null", "NULL", "nULL",
        "null # c", "'null'", "[a, null, ~]", "\n- ~\n- b", "~x", "é ü", "日本", "- x", "-x",
        "\n  - a\n  - b", "\n- a\n- \"b c\"", "\n  - a\n - b", "\n    -  5  \n    - é", "\n  a: b",
        "\n  -\n  - x", "|\n  text", ">\n  folded", "one\n  two", "*x", "&a x", "!t x", "{a: b}",
        "  spaced   ", "a\u{a0}b", "a\u{2028}b", "a\u{feff}", "a\u{85}b", "a\tb", "ends:", "(a) b",
        "\"a\\\"b\"", "'a''b'", "\"a\" b", "[a, [b]]", "[a: b]", "[a,,b]", "[a,]", "[a] b", "[a",
        "[a] # c", "\"x\" # c", "# c", "…", "👩‍👩‍👧 x", "é: x", "[é, b]", "a\n", "a\n# c", "a\n  # c",
        "a\n...", "a\n---", "a\nb", "%", "@a", "`a`", "\"a", "'", "a\u{7}",
    ]

    private static func text(_ chance: inout RandomSite.Chance) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...5, using: &chance) {
            let colon = Int.random(in: 0..<12, using: &chance) == 0 ? ["", ":", " : "] : [": "]
            text += keys.randomElement(using: &chance) ?? ""
            text += colon.randomElement(using: &chance) ?? ""
            text += values.randomElement(using: &chance) ?? ""
            text += Int.random(in: 0..<20, using: &chance) == 0 ? "\r\n" : "\n"
        }
        return text
    }

    @Test func `plain lines are read as libyaml reads them`() {
        var chance = RandomSite.Chance(state: 7)
        var plain = 0
        for _ in 0..<5000 {
            let text = Self.text(&chance)
            let yaml = Array(text.utf8)
            guard let entries = PlainYAML.entries(of: yaml, path: "a.md", linesAbove: 1) else {
                continue
            }
            plain += 1
            let whole = YAMLFrontMatter(yaml, path: "a.md", asksLibrary: true)
            #expect("\(entries)" == "\(whole.entries)", "\(text)")
            #expect(whole.diagnostics.isEmpty, "\(text)")
        }
        // Most random texts have a line that only libyaml reads.
        #expect(plain > 500)
    }

    @Test(arguments: [
        "title: A page\ndate: 2026-01-02\ntags: [a, b]\n",
        "title: \"A: page\"\ntags:\n  - a\n  - 'b c'\ndraft: true\n",
        "# comment\n\ntitle: Über uns\r\nweight: 10\r\naccess: hr\r\n",
    ])
    func `usual front matter needs no tree`(yaml: String) {
        #expect(PlainYAML.entries(of: Array(yaml.utf8), path: "a.md", linesAbove: 1) != nil)
    }

    @Test(arguments: [
        "a: b\na: c\n", "a: &x b\n", "a: *x\n", "a:\n  b: c\n", "a: |\n  b\n", "a: b: c\n",
        "\"a\": b\n", "a: b\n  c\n", "a: 1_000\n", "a: \"\\n\"\n", "", "\t", "a: b\n...\n",
    ])
    func `libyaml reads what is not plain`(yaml: String) {
        #expect(PlainYAML.entries(of: Array(yaml.utf8), path: "a.md", linesAbove: 1) == nil)
    }
}
