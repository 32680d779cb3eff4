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
            "site/a.md:2:9: error: group 'directors' is not in sitegen.toml; it defines 'board', 'hr'\n"
        ),
        (
            "access: [hr, public]",
            "site/a.md:2:9: error: 'public' cannot stand in a list of groups\n"
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
