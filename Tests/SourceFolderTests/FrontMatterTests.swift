import Access
import Diagnostics
import Testing

@testable import SourceFolder

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
        #expect(matter.template?.text == "wide" && matter.access == .groups(["hr"]))
        #expect(matter.isDraft && !matter.showsContents)
    }

    @Test func `what a page says of itself`() {
        let (matter, diagnostics) = Self.read(
            "lang: no\nsort_by: Date\nowner: [Al, bo@d.example]\nreview: 2027-02"
        )
        #expect(diagnostics.isEmpty)
        #expect(matter.language == "no" && matter.sort == .date)
        #expect(matter.owners == ["Al", "bo@d.example"])
        #expect(matter.review?.day.day == "2027-02-28" && matter.review?.location.line == 5)
    }

    @Test(arguments: [
        (
            "language: german_",
            "site/a.md:2:11: error: 'language' is 'german_'; it must be a language tag such as 'de-DE'\n"
        ),
        (
            "review: 2027-13",
            "site/a.md:2:9: error: 'review' is '2027-13'; there is no month 13\n"
        ),
        (
            "review: soon",
            "site/a.md:2:9: error: 'review' is 'soon'; a date is written as 2026-11-22\n"
        ),
        ("sort: title", "site/a.md:2:7: error: 'sort' is 'title'; it must be 'date' or 'order'\n"),
        (
            "acess: public",
            "site/a.md:2:1: error: unknown key 'acess' in front matter; did you mean 'access'?\n"
        ),
        (
            "title: a\nTitle: b",
            "site/a.md:3:1: error: 'Title' and 'title' are the same key\n"
        ),
        (
            "access: [directors]",
            "site/a.md:2:10: error: group 'directors' is not defined in sitegen.toml; it defines 'board', 'hr'\n"
        ),
        (
            "access: [hr, public]",
            "site/a.md:2:14: error: 'public' cannot be combined with other names\n"
        ),
        (
            "access: ~",
            "site/a.md:2:9: error: 'access' is empty, so nobody could read this; it must be 'public', 'signed-in' or groups\n"
        ),
        (
            "access: []",
            "site/a.md:2:9: error: 'access' is empty, so nobody could read this; it must be 'public', 'signed-in' or groups\n"
        ),
        (
            "access:",
            "site/a.md:2:8: error: 'access' is empty, so nobody could read this; it must be 'public', 'signed-in' or groups\n"
        ),
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
        ("- a\n- b", "site/a.md:2:1: error: front matter must consist of 'key: value' lines\n"),
    ])
    func `a mistake is reported with its location`(yaml: String, message: String) {
        #expect(Self.read(yaml).1 == [message])
    }

    @Test(arguments: [
        "icon: a", "coverY: 0", "cssClasses: [wide]", "pagination_next: null", "keywords: a",
        "layout: {width: wide, title: {visible: false}, outline: {visible: true}}",
        "layout: {tags: {visible: false}, cover: {visible: true, size: hero}, new: {at: {visible: true}}}",
    ])
    func `a key that has no effect here is a warning`(yaml: String) {
        let key = yaml.prefix { $0 != ":" }
        #expect(
            Self.read(yaml).1 == [
                "site/a.md:2:1: warning: '\(key)' of other tools has no effect\n"
            ]
        )
    }

    @Test(arguments: [
        "titel", "acces", "descripton", "layuot", "tag", "summery", "coverX2", "icons", "layout2",
    ])
    func `a slip of a key is an error`(key: String) {
        #expect(Self.read("\(key): a").1.first?.contains(": error: unknown key '\(key)'") == true)
    }

    @Test(arguments: [
        "visible: false", "title: {hidden: true}", "pages: {visible: false}", "private: true",
        "new: {at: {secret: true}}",
    ])
    func `a layout that may hide the page is an error`(inner: String) {
        let found = Self.read("layout: {\(inner)}").1
        #expect(found.contains { $0.contains("error: ") && $0.contains("hide") })
    }

    /// Who misspells a key of ours must not write one of these.
    @Test(arguments: ForeignKey.names)
    func `no foreign key resembles one of ours, and none hides a page`(name: String) {
        #expect(NearestName.of(name, in: FrontMatter.allNames) == nil)
        #expect(Self.read("\(name): a").1.first?.contains("has no effect") == true)
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
        let deep = matter.params.first
        #expect(deep?.key == "deep" && deep?.value.tables.first?.map(\.value.text) == ["1"])
    }

    @Test(arguments: [
        ("title = \"a\"\nacess = \"x\"", "a.md:3:1: error: unknown key 'acess' in front matter"),
        ("weight = \"x\"", "a.md:2:10: error: 'weight' is 'x'; it must be a number"),
        ("a = ", "a.md:2:"), ("title = 'a'\ntitle = 'b'", "a.md:3:"), ("tags = [[1]]", "a.md:2:9"),
    ])
    func `a mistake in TOML is reported with its line`(toml: String, start: String) {
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
            Self.read(yaml).1 == [
                "site/a.md:1:1: error: front matter has more than 10000 values\n"
            ]
        )
    }

    @Test func `an alias of aliases as a key is refused at once`() {
        var yaml = "l0: &l0 [x]\n"
        for level in 1...9 {
            let last = Array(repeating: "*l\(level - 1)", count: 9).joined(separator: ", ")
            yaml += "l\(level): &l\(level) [\(last)]\n"
        }
        #expect(Self.read(yaml + "? *l9 : 1\n").1.count == 1)
    }

    @Test func `a few aliases are understood`() {
        let (matter, diagnostics) = Self.read("title: &t A & B*\nlinkTitle: *t\naccess: &a [hr]")
        #expect(
            diagnostics.isEmpty && matter.linkTitle == "A & B*" && matter.access == .groups(["hr"])
        )
    }

    @Test(arguments: ["author", "categories", "status", "rules"])
    func `an unknown key may be a warning`(key: String) {
        let text = Array("\(key): x".utf8)
        let reader = FrontMatterReader(text, path: "a.md", groups: [], isLenient: true)
        #expect(reader.diagnostics.map(\.severity) == [.warning])
    }

    @Test(arguments: ["acess", "draf", "drafts", "raft", "acc ess"])
    func `a slip that would open a page is never forgiven`(key: String) {
        let text = Array("\(key): x".utf8)
        let reader = FrontMatterReader(text, path: "a.md", groups: [], isLenient: true)
        #expect(reader.diagnostics.map(\.severity) == [.error])
    }

    /// What keeps a page from readers in Hugo, Jekyll, Zola, Eleventy, Obsidian and others.
    @Test(arguments: [
        "published: false", "publish: false", "build: {render: never}", "_build: {render: false}",
        "build:\n  render: link", "headless: true", "render: false", "permalink: false",
        "is_draft: true",
        "Draft: true", "draft:", "published:", "build:", "PUBLISHED: no",
    ])
    func `a key that withholds a page in other tools withholds it`(yaml: String) {
        let reader = FrontMatterReader(Array(yaml.utf8), path: "a.md", groups: [], isLenient: true)
        #expect(reader.frontMatter.isDraft)
        #expect(reader.diagnostics.allSatisfy { $0.severity == .warning }, "\(reader.diagnostics)")
    }

    @Test(arguments: [
        "published: true", "publish: yes", "build: {render: always}", "headless: false",
        "render: true",
        "build: {list: never}", "build: {publishResources: false}",
    ])
    func `the same keys do not withhold what they publish`(yaml: String) {
        let (matter, diagnostics) = Self.read(yaml)
        #expect(!matter.isDraft && diagnostics.isEmpty)
        #expect(matter.isUnlisted == yaml.contains("list:"))
    }

    @Test func `days of publication have the names that Hugo gives them`() {
        let (matter, diagnostics) = Self.read("publishDate: 2030-01-01\nunpublishdate: 2031-01-01")
        #expect(diagnostics.isEmpty)
        #expect(matter.publication?.text == "2030-01-01" && matter.expiry?.text == "2031-01-01")
        #expect(Self.read("published: 2030-01-01").0.publication?.text == "2030-01-01")
        #expect(Self.read("publishdate: soon").1.count == 1)
        #expect(Self.read("expires: never").1.count == 1)
        #expect(Self.read("published_at: 2030-01-01").0.publication?.text == "2030-01-01")
    }

    @Test(arguments: [
        "private: true", "visibility: private", "restricted: yes", "protected: x", "groups: [hr]",
        "roles: hr", "permissions: {read: hr}", "password: x", "hidden: true", "visible: false",
        "acl: hr", "rbac: {hr: read}", "if: visitor.claims.hr", "status: draft", "status: Private",
        "members_only: true", "visibilty: hr", "permisions: hr", "is-private: 1", "viewers: [hr]",
        "routable: false", "hide: true", "post_status: private", "unpublished: true",
        "cascade: {draft: true}", "cascade:\n  build:\n    render: never", "extra: {private: true}",
        "cascade:\n  - target: {path: /x}\n    params: {x: 1}\n    access: hr",
        "accessGroups: [hr]",
        "access_level: 3", "public: false", "dg-publish: false", "enabled: false", "wip: true",
        "sidebar: {hidden: true, roles: [hr]}", "date: {created: 2026-01-01, draft: true}",
        "search: {groups: [hr]}", "hide: [page]", "params: {private: true}",
        "params: {draft: true}", "user_groups: hr", "deleted: true",
    ])
    func `a key that may withhold a page in other tools is never forgiven`(yaml: String) {
        let reader = FrontMatterReader(
            Array(yaml.utf8),
            path: "a.md",
            groups: ["hr"],
            isLenient: true
        )
        #expect(reader.diagnostics.map(\.severity) == [.error])
        #expect(reader.diagnostics.map(\.rule) == ["withheld-page"])
    }

    @Test(arguments: [
        "private: false", "visibility: public", "status: new", "search: {boosted: 2}",
        "sidebar: {icon: x}",
        "visible: true", "author: x", "noindex: true", "permalink: /:title/", "public: true",
        "cascade: {type: docs}", "cascade: {draft: false}", "accessibility: good",
    ])
    func `one that withholds nothing is an unknown key`(yaml: String) {
        let reader = FrontMatterReader(Array(yaml.utf8), path: "a.md", groups: [], isLenient: true)
        #expect(reader.diagnostics.map(\.severity) == [.warning])
    }

    @Test func `keys of other tools that hide a page do that, and no more`() {
        for yaml in ["toc_hide: true", "nav_exclude: yes", "sidebar: {hidden: true, badge: New}"] {
            let (matter, diagnostics) = Self.read(yaml)
            #expect(matter.isHidden && !matter.isUnlisted && matter.isSearched, "\(yaml)")
            #expect(diagnostics.isEmpty)
        }
        for yaml in ["pagefind: false", "robots: noindex, x", "search: {exclude: true, boost: 2}"] {
            let (matter, diagnostics) = Self.read(yaml)
            #expect(!matter.isSearched && !matter.isHidden && diagnostics.isEmpty, "\(yaml)")
        }
        for yaml in ["search: {boost: 2}", "sidebar: false", "sidebar: guide", "robots: index"] {
            let (matter, diagnostics) = Self.read(yaml)
            #expect(matter.isSearched && !matter.isHidden && diagnostics.isEmpty, "\(yaml)")
        }
        #expect(!Self.read("hide: [toc, navigation]").0.showsContents)
        #expect(Self.read("tags:\n  - tag: new\n  - old").0.tags == ["new", "old"])
        let (matter, diagnostics) = Self.read(
            "sidebar: {order: 2, label: L}\norder: 1\nsummary: S\ndescription: D\n"
                + "date: {created: 2026-01-01, updated: 2026-02-01}"
        )
        #expect(diagnostics.isEmpty && matter.order == 1 && matter.linkTitle == "L")
        #expect(matter.description == "D" && matter.date?.text == "2026-01-01")
        #expect(matter.updated?.text == "2026-02-01")
        #expect(Self.read("summary: S").0.description == "S")
        #expect(Self.read("redirect_to: /a/").1.count == 1)
    }

    @Test(arguments: [
        "title: [a]", "description: {a: b}", "lastmod: soon", "order: many", "tags: {a: b}",
        "toc: 2", "order: 1\nweight: 2", "search: perhaps", "sidebar: {order: x}", "params: 1",
    ]) func `a site may lower a mistake that protects no page`(yaml: String) {
        let reader = FrontMatterReader(Array(yaml.utf8), path: "a.md", groups: [])
        #expect(reader.diagnostics.map(\.rule) == ["front-matter-value"])
        for closed in [
            "description: {draft: true}", "tags: [{a: {published: false}}]", "draft: x",
            "publishDate: soon", "date: soon", "draft: no\nis_draft: no",
        ] {
            let reader = FrontMatterReader(Array(closed.utf8), path: "a.md", groups: [])
            #expect(reader.diagnostics.map(\.rule) == [nil], "\(closed)")
        }
    }

    @Test func `a key without a value counts as not there`() {
        let (matter, diagnostics) = Self.read("title:\ndate: ''\ntags:\norder:")
        #expect(matter.title == nil && matter.date == nil && !matter.isDraft)
        #expect(
            diagnostics.count == 4
                && diagnostics[0].hasSuffix("'title' is empty and is ignored\n")
        )
    }

    @Test(arguments: ["2016-02-29 8:00:00", "2016-2-29", "2016-02-29 08:00:00 +0100"])
    func `a day is read as Jekyll writes it`(day: String) {
        let (matter, diagnostics) = Self.read("date: \(day)")
        #expect(diagnostics.isEmpty && matter.date?.day == "2016-02-29")
    }

    @Test(arguments: ["access: |\n  hr\n", "access: ' hr '", "access: >-\n  hr"])
    func `white space around a group is no part of its name`(yaml: String) {
        #expect(Self.read(yaml).0.access == .groups(["hr"]))
    }

    @Test(arguments: ["draft: \"true\"", "published: 'False'", "permalink: \"false\""])
    func `truth in quotes is true`(yaml: String) {
        let (matter, diagnostics) = Self.read(yaml)
        #expect(matter.isDraft && diagnostics.isEmpty)
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

    @Test func `misplaced or malformed front matter is reported`() {
        for file in ["---\ntitle: a\n", "\n---\naccess: [hr]\n", "\n+++\na = 1\n", "{\"a\": 1\n"] {
            #expect(FrontMatterSplit(Array(file.utf8)).mistake != nil)
        }
    }
}
