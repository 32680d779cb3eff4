import Access
import Testing

@testable import SiteGenerator

@Suite struct FrontMatterTests {
    private static func read(_ yaml: String) -> (FrontMatter, [String]) {
        let reader = FrontMatterReader(
            Array(yaml.utf8),
            path: "site/a.md",
            groups: ["hr", "board"]
        )
        return (reader.frontMatter, reader.diagnostics.map { $0.text(program: "sitegen") })
    }

    @Test func `the keys and their other names`() {
        let (matter, diagnostics) = Self.read(
            "title: 'A: b'\nweight: 3\nupdated: 2026-02-28\nlayout: wide\naccess: [hr]\ndraft: true\ntoc: false"
        )
        #expect(diagnostics.isEmpty)
        #expect(matter.title == "A: b" && matter.order == 3 && matter.updated?.text == "2026-02-28")
        #expect(matter.template == "wide" && matter.access == .groups(["hr"]))
        #expect(matter.isDraft && !matter.showsContents)
    }

    @Test(arguments: [
        (
            "acess: public",
            "site/a.md:2:1: error: unknown key 'acess' in front matter; did you mean 'access'?\n"
        ),
        (
            "title: a\nTitle: b",
            "site/a.md:3:1: error: unknown key 'Title' in front matter; did you mean 'title'?\n"
        ),
        (
            "access: [directors]",
            "site/a.md:2:10: error: group 'directors' is not in sitegen.toml; it defines 'board', 'hr'\n"
        ),
        (
            "access: [hr, public]",
            "site/a.md:2:14: error: 'public' cannot stand in a list of groups\n"
        ),
        ("access: []", "site/a.md:2:9: error: 'access' is an empty list: nobody could read this\n"),
        ("access:", "site/a.md:2:8: error: 'access' is an empty list: nobody could read this\n"),
        (
            "lastmod: 2026-13-01",
            "site/a.md:2:10: error: 'lastmod' is '2026-13-01'; there is no month 13\n"
        ),
        (
            "lastmod: 2026-02-29",
            "site/a.md:2:10: error: 'lastmod' is '2026-02-29'; that month has no day 29\n"
        ),
        (
            "draft: perhaps",
            "site/a.md:2:8: error: 'draft' is 'perhaps'; it must be true or false\n"
        ),
        ("order: many", "site/a.md:2:8: error: 'order' is 'many'; it must be a number\n"),
        ("order: 1\nweight: 2", "site/a.md:3:1: error: 'weight' and 'order' are the same key\n"),
        ("- a\n- b", "site/a.md:2:1: error: front matter is not a list of 'key: value'\n"),
    ])
    func `a mistake is told with its place`(yaml: String, message: String) {
        #expect(Self.read(yaml).1 == [message])
    }

    @Test(arguments: [
        "title: [a", "title: \"a", "a: b: c", "\t", "title: a\ntitle: b", "%", "&a *b",
    ])
    func `what is no YAML is a mistake and no crash`(yaml: String) {
        #expect(Self.read(yaml).1.count == 1)
        #expect(Self.read(yaml).1.first?.hasPrefix("site/a.md:") == true)
    }

    @Test func `TOML says the same`() throws {
        let toml = """
            title = "A"
            date = 2026-02-28
            expiryDate = 2026-03-01T10:00:00+01:00
            tags = ["x", "Y", "y "]
            aliases = "/old"
            access = ["hr"]
            draft = false
            weight = 2

            [params]
            deep = { a = 1 }
            """
        let reader = FrontMatterReader(Array(toml.utf8), .toml, path: "a.md", groups: ["hr"])
        let matter = reader.frontMatter
        #expect(reader.diagnostics.isEmpty)
        #expect(matter.title == "A" && matter.order == 2 && matter.access == .groups(["hr"]))
        #expect(matter.tags == ["x", "Y"] && matter.aliases.map(\.text) == ["/old"])
        #expect(matter.date?.text == "2026-02-28" && matter.expiry?.seconds == 1_772_355_600)
        let deep = try #require(matter.params["deep"] as? TemplateContext)
        #expect(deep["a"] as? String == "1")
    }

    @Test(arguments: [
        ("title = \"a\"\nacess = \"x\"", "a.md:3:1: error: unknown key 'acess' in front matter"),
        ("weight = \"x\"", "a.md:2:10: error: 'weight' is 'x'; it must be a number"),
        ("a = ", "a.md:2:"), ("title = 'a'\ntitle = 'b'", "a.md:3:"), ("tags = [[1]]", "a.md:2:9"),
    ])
    func `a mistake in TOML is told with its line`(toml: String, start: String) {
        let reader = FrontMatterReader(Array(toml.utf8), .toml, path: "a.md", groups: [])
        #expect(reader.diagnostics.count == 1)
        #expect(reader.diagnostics.first?.text(program: "").hasPrefix(start) == true)
    }

    @Test func `aliases of aliases are not followed for ever`() {
        var yaml = "params:\n  a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let last = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            yaml += "  a\(level): &a\(level) [\(last)]\n"
        }
        #expect(
            Self.read(yaml).1 == ["site/a.md:1:1: error: front matter has more than 10000 values\n"]
        )
    }

    @Test(arguments: ["author", "categories", "hidden"])
    func `an unknown key may be a warning`(key: String) {
        let text = Array("\(key): x".utf8)
        let reader = FrontMatterReader(text, path: "a.md", groups: [], isLenient: true)
        #expect(reader.diagnostics.map(\.severity) == [.warning])
    }

    @Test(arguments: ["acess", "Access", "draf", "drafts", "raft", "acc ess"])
    func `a slip that would open a page is never forgiven`(key: String) {
        let text = Array("\(key): x".utf8)
        let reader = FrontMatterReader(text, path: "a.md", groups: [], isLenient: true)
        #expect(reader.diagnostics.map(\.severity) == [.error])
    }

    @Test func `a mistyped draft is not published`() {
        #expect(Self.read("draft: ture").0.isDraft)
    }

    @Test(
        arguments: [
            ("---\ntitle: a\n---\nb", "title: a\n", "b", 3), ("---\n---\nb", "", "b", 2),
            ("---\r\ntitle: a\r\n---\r\nb", "title: a\r\n", "b", 3),
            ("--- \na: b\n...\nc", "a: b\n", "c", 3),
            ("\u{FEFF}---\na: b\n---\n", "a: b\n", "", 3), ("b\n---\n", nil, "b\n---\n", 0),
            ("", nil, "", 0),
            ("----\na\n---\n", nil, "----\na\n---\n", 0),
        ] as [(String, String?, String, Int)]
    )
    func `front matter is cut off`(file: String, yaml: String?, markdown: String, lines: Int) {
        let split = FrontMatterSplit(Array(file.utf8))
        #expect(split.frontMatter.map { String(decoding: $0, as: UTF8.self) } == yaml)
        #expect(String(decoding: split.markdown, as: UTF8.self) == markdown)
        #expect(split.linesBefore == lines)
        #expect(split.mistake == nil)
    }

    @Test func `front matter that is not where or what it should be is told`() {
        for file in ["---\ntitle: a\n", "\n---\naccess: [hr]\n---\n", "\n+++\na = 1\n+++\n"] {
            #expect(FrontMatterSplit(Array(file.utf8)).mistake != nil)
        }
    }
}
