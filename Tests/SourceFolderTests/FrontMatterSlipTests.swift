import Access
import Testing

@testable import SourceFolder

/// Values that are there in the file, but not in the author's mind.
@Suite struct FrontMatterSlipTests {
    private static func read(
        _ text: String,
        _ language: FrontMatterSplit.Language = .yaml
    ) -> (matter: FrontMatter, diagnostics: [String]) {
        let reader = FrontMatterReader(
            Array(text.utf8),
            language,
            path: "a.md",
            groups: ["hr", "board"]
        )
        return (reader.frontMatter, reader.diagnostics.map { $0.text(program: "sitegen") })
    }

    /// In YAML the first six are one value (YAML 1.1, "null"); `#` begins a comment.
    private static let nothing = ["", " ~", " null", " Null", " NULL", " # c", " ''", " \"  \""]

    @Test(arguments: [
        "title", "linkTitle", "description", "date", "lastmod", "publishDate", "expiryDate", "slug",
        "tags", "aliases", "template", "order", "toc", "listing", "search", "params", "permalink",
    ])
    func `a key without a value is absent, however that is written`(key: String) {
        let plain = Self.read("order: 5\ntitle: A").matter
        let texts = Self.nothing.map { ("\(key):\($0)\n", FrontMatterSplit.Language.yaml) }
        for (text, language) in texts + [
            // libyaml reads these, because of the key in quotes.
            ("\"\(key)\": ~\n", .yaml), ("\"\(key)\": Null\n", .yaml),
            ("{\"\(key)\": null}", .json), ("\(key) = \"\"\n", .toml),
        ] {
            let (matter, diagnostics) = Self.read(text, language)
            #expect(diagnostics.count == 1, "\(text)")
            let message = "warning: '\(key)' is empty and is ignored\n"
            #expect(diagnostics.allSatisfy { $0.hasSuffix(message) }, "\(text) \(diagnostics)")
            #expect(matter.title == nil && matter.tags.isEmpty && matter.slug == nil)
            #expect(matter.date == nil && matter.params.isEmpty && matter.description == nil)
            #expect(matter.isDraft == plain.isDraft && matter.isSearched && matter.showsContents)
        }
    }

    @Test func `a word in quotes is a text`() {
        for text in ["title: 'null'\ntags: [\"~\"]", "\"title\": \"null\"\n\"tags\": ['~']"] {
            let (matter, diagnostics) = Self.read(text)
            #expect(matter.title == "null" && matter.tags == ["~"] && diagnostics.isEmpty)
        }
        #expect(Self.read("title: nULL").matter.title == "nULL")
        #expect(Self.read("title: !!str null").matter.title == "null")
        #expect(Self.read("title = \"null\"", .toml).matter.title == "null")
    }

    @Test func `elements and inner keys without a value are left out`() {
        for text in [
            "tags: [a, null, b, ~]\nparams: {x: null, y: 1, z: {w: ~}, v: [~, 2]}",
            "tags:\n  - a\n  - ~\n  - b\n  -\nparams:\n  x:\n  y: 1\n  z:\n    w: Null\n  v:\n    - ~\n    - 2",
        ] {
            let (matter, diagnostics) = Self.read(text)
            #expect(matter.tags == ["a", "b"])
            #expect(matter.params.map(\.key).sorted() == ["v", "y", "z"])
            #expect(diagnostics.count == 5 && diagnostics.allSatisfy { $0.contains("warning:") })
        }
        let (matter, diagnostics) = Self.read("{\"tags\": [null, \"a\"]}", .json)
        #expect(matter.tags == ["a"])
        let message = "'tags' has an element without a value, which is ignored"
        #expect(diagnostics.map { $0.hasSuffix("warning: \(message)\n") } == [true])
    }

    @Test(arguments: [
        "access:", "access: ~", "access: null", "access: Null", "access: NULL", "access: ''",
        "access: 'null'", "access: [null]", "access: [~, hr]", "access: [hr, NULL]",
        "access:\n  - hr\n  -", "access: {hr: ~}", "access: ' '", "widens: ~", "widens: NULL",
    ])
    func `access without a value opens nothing`(text: String) {
        let (matter, diagnostics) = Self.read(text)
        #expect(matter.access == nil && !matter.widens)
        #expect(diagnostics.contains { $0.contains(": error: ") }, "\(diagnostics)")
        for json in ["{\"access\": null}", "{\"access\": [null, \"hr\"]}"] {
            #expect(Self.read(json, .json).diagnostics.contains { $0.contains(": error: ") })
        }
    }

    @Test(arguments: [
        ("draft", "draft"), ("published", "draft"), ("render", "draft"), ("headless", "draft"),
        ("build", "draft"), ("build", "inner"), ("unlisted", "unlisted"), ("private", "error"),
    ])
    func `keys that withhold a page do so without a value`(key: String, effect: String) {
        for word in ["", " ~", " null", " NULL"] {
            let text = effect == "inner" ? "\(key):\n  render:\(word)\n" : "\(key):\(word)\n"
            let (matter, diagnostics) = Self.read(text)
            switch effect {
            case "unlisted": #expect(matter.isUnlisted, "\(text)")
            case "error": #expect(diagnostics.contains { $0.contains("error") }, "\(text)")
            default: #expect(matter.isDraft, "\(text)")
            }
        }
    }

    private static let curly =
        "the quotes are curly, so they are part of the value; write straight quotes or none"

    @Test(
        arguments: [
            ("access: “hr”", "error: group '“hr”'", true), ("draft: “true”", "error:", true),
            ("date: ‘2026-01-01’", "error:", true), ("access: [hr, “board”]", "error:", true),
            ("title: “A: b”", "error: front matter is not YAML", true),
            ("title: “A”", "warning: 'title': the quotes", nil),
            ("title: „Ä’s“", "warning: 'title': the quotes", nil),
            ("tags: [a, “b”]", "warning: 'tags': the quotes", nil),
            ("title: “A” and “B”", nil, nil), ("title: The “A”", nil, nil),
            ("title: ’Tis", nil, nil),
            ("title: «A»", nil, nil), ("date: 3", "error:", false),
        ] as [(String, String?, Bool?)]
    )
    func `curly quotes are named`(text: String, start: String?, isNoted: Bool?) {
        let diagnostics = Self.read(text).diagnostics
        #expect(diagnostics.count == (start == nil ? 0 : 1), "\(diagnostics)")
        guard let start, let found = diagnostics.first else { return }
        #expect(found.contains(start), "\(found)")
        if let isNoted { #expect(found.contains("note: \(Self.curly)") == isNoted, "\(found)") }
    }

    @Test func `curly quotes are named in TOML and JSON`() {
        for (text, language) in [
            ("title = “A”", FrontMatterSplit.Language.toml), ("{\n\"title\": “A”\n}", .json),
            ("{“title”: \"A\"}", .json),
        ] {
            let diagnostics = Self.read(text, language).diagnostics
            #expect(diagnostics.contains { $0.contains("note: \(Self.curly)") }, "\(diagnostics)")
        }
    }

    @Test(arguments: [
        "title: A\n\tb: c", "tags:\n\t- c", "params:\n\ta: c", "\ttitle: A",
        "params:\n  a: c\n\tb: d", "tags:\n  -\tb",
    ])
    func `a tab is named`(text: String) {
        let message =
            "error: front matter is not YAML: a tab stands where only spaces may stand; use spaces\n"
        let diagnostics = Self.read(text).diagnostics
        #expect(diagnostics.contains { $0.hasSuffix(message) }, "\(diagnostics)")
        #expect(Self.read("title:\tA\n").matter.title == "A")
    }
}
