import Testing

@testable import Import

/// Names, folders and readers of imported pages.
@Suite struct LayoutTests {
    @Test(arguments: [
        ("Travel costs", "travel-costs"), ("../../etc/passwd", "etc-passwd"), ("/root", "root"),
        (".hidden", "hidden"), ("_draft", "draft"), ("Überblick: 日本", "überblick-日本"),
        ("", "untitled"), ("///", "untitled"), ("index", "index-2"), ("Tags", "tags-2"),
        ("auth", "auth-2"), ("CON", "con-2"), ("a\u{0}b\nc", "a-b-c"), ("a%2e#?;\\b", "a-2e-b"),
        ("\u{301}x", "x"), ("\u{202E}x", "x"),
    ])
    func `a title becomes a name`(title: String, name: String) {
        var names = FileNames()
        #expect(names.page(title, in: "") == name)
    }

    @Test(arguments: [
        ("a b.png", "a-b.png"), ("../../x.md", "x-md.txt"), ("SUMMARY.md", "SUMMARY-md.txt"),
        ("form.HTML", "form-HTML.txt"), (".env", "env"), ("a.tar.gz", "a.tar.gz"),
        ("no ending.", "no-ending"), ("x.p/hp", "x.p-hp"),
    ])
    func `a file keeps its name as far as that is harmless`(file: String, name: String) {
        var names = FileNames()
        #expect(names.file(file, in: "") == name)
    }

    @Test func `no two names differ in case alone, and none is long`() {
        var names = FileNames()
        #expect(names.page("A b", in: "") == "a-b")
        #expect(names.page("a/B", in: "") == "a-b-2")
        #expect(names.file("X.png", in: "") == "X.png")
        #expect(names.file("x.PNG", in: "") == "x-2.PNG")
        #expect(names.page("é", in: "") == "é")
        #expect(names.page("e\u{301}", in: "") == "e\u{301}-2")
        #expect(names.page(String(repeating: "日", count: 500), in: "").utf8.count <= 60)
    }

    private static func page(
        _ title: String,
        below parent: Int? = nil,
        for group: String? = nil
    ) -> ImportedPage {
        var page = ImportedPage(title: title)
        page.parent = parent
        page.restrictions = group.map { [Restriction(groups: [$0])] } ?? []
        return page
    }

    @Test func `a restriction holds for all pages below, wherever they stand`() {
        // Deeper than folders go, so that pages stand beside those above them.
        var pages = [Self.page("Top", for: "hr")]
        for depth in 1...30 { pages.append(Self.page("p\(depth)", below: depth - 1)) }
        pages.append(Self.page("Open"))
        pages.append(Self.page("Deep", below: 20, for: "board"))
        pages.append(Self.page("Below", below: 32))
        let layout = SiteLayout(ImportedSite(title: "x", pages: pages))
        #expect(layout.access[0] == "hr")
        #expect(layout.access[31] == nil)
        let both = layout.groups[1].name
        #expect(layout.groups.count == 2 && layout.groups[0].name == "hr")
        #expect(both.wholeMatch(of: /restricted-[0-9a-f]{16}/) != nil)
        #expect(layout.groups[1].meaning == "group 'hr'; and of these: group 'board'")
        for (index, file) in layout.files.enumerated() where index != 31 {
            #expect(file.hasPrefix("top/"))
            #expect(file.split(separator: "/").count <= 14)
        }
        // No folder is shared, so that each page says who may read it.
        #expect(layout.access[32] == both && layout.access[33] == both)
    }

    @Test(arguments: ["public", "signed-in", "a b", "1", "ä", "restricted-1", "space-readers", ""])
    func `a group whose name sitegen does not take gets another one`(group: String) {
        let layout = SiteLayout(ImportedSite(title: "x", pages: [Self.page("A", for: group)]))
        #expect(layout.access[0]?.hasPrefix("restricted-") == true && layout.access[0] != group)
    }

    @Test func `a name of a group never has another meaning`() {
        // As it would be in an import of its own.
        func name(_ chain: [Restriction]) -> String? {
            var page = ImportedPage(title: "A")
            page.restrictions = chain
            return SiteLayout(ImportedSite(title: "x", pages: [page])).access[0]
        }
        let chains: [[Restriction]] = [
            [Restriction(users: ["1": "Ada"])], [Restriction(users: ["2": "Ada"])],
            [Restriction(groups: ["1"])], [Restriction(groups: ["a", "b"])],
            [Restriction(groups: ["a"]), Restriction(groups: ["b"])],
            [Restriction(groups: ["a2:bc"])], [Restriction(groups: ["a", "bc"])],
            [Restriction(groups: ["x"], users: ["y": ""])], [Restriction()],
            [Restriction(), Restriction()],
        ]
        let names = chains.map(name)
        #expect(Set(names).count == chains.count)
        #expect(names == chains.map(name))
        #expect(!"\(names)".contains("Ada"))
    }

    @Test(arguments: [
        ("/a.html", true), ("/display/A/B+c", true), ("a", false), ("/", false), ("/a/../b", false),
        ("/auth/x", false), ("/_theme/x", false), ("/a%20b", false), ("/a?b", false),
        ("/a\nb", false),
    ])
    func `an alias is an address that sitegen takes`(alias: String, isTaken: Bool) {
        var page = Self.page("A")
        page.aliases = [alias, alias.uppercased()]
        let layout = SiteLayout(ImportedSite(title: "x", pages: [page]))
        #expect(layout.aliases == [isTaken ? [alias] : []])
    }

    @Test(arguments: [
        ("index.md", "a/b.md", "a/b.md"), ("a/b.md", "index.md", "../index.md"),
        ("a/b/c.md", "a/d/e.md", "../d/e.md"), ("a/b.md", "a/c.md", "c.md"),
    ])
    func `a link is relative`(file: String, target: String, path: String) {
        #expect(SiteLayout.path(from: file, to: target) == path)
    }
}
