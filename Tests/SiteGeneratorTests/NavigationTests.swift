import Access
import Foundation
import POSIX
import Testing

@testable import Rendering
@testable import Rules
@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

@Suite struct NavigationTests {
    private static func tree(pages count: Int) throws -> NavigationTree {
        let root = try OpenFolder("/")
        let configuration = SiteConfiguration()
        let pages = (0..<count).map { number in
            // Padded, so that names sort as numbers do.
            let name = String(String(number + 10_000).dropFirst())
            let file = SourceTree.File(
                path: "\(name).md",
                displayPath: "",
                root: root
            )
            return Page(
                reading: file,
                configuration,
                BuildOptions(now: 0)
            )
        }
        let site = Site(configuration, folder: "site", pages: pages, assets: [])
        return NavigationTree(site, PageAccess(site, Redirects(site)))
    }

    @Test func `a flat folder does not grow with the square of its pages`() throws {
        let navigation = Navigation(try Self.tree(pages: 1000))
        let lengths = [0, 199, 200, 500, 999].map { number in
            Self.list(navigation, "/\(String(number + 10_000).dropFirst())/", .signedIn).utf8.count
        }
        #expect(lengths.allSatisfy { $0 < 200 * 60 })
        let middle = Self.list(navigation, "/0500/", .signedIn)
        #expect(middle.contains("<li><a href=\"/0399/\">… 400 earlier</a></li>"))
        #expect(middle.contains("<a href=\"/0500/\" aria-current=\"page\">0500</a>"))
        #expect(middle.contains("<li><a href=\"/0600/\">… 400 more</a></li>"))
        #expect(!middle.contains("/0398/"))
        // The list of neighbouring pages is made once.
        let lists = ["/0500/", "/0501/"].map { navigation.place(of: $0, .signedIn).list.list }
        #expect(lists[0] === lists[1])
    }

    @Test func `a list says in the site's language how many pages it leaves out`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "language = \"de\"\n", "site/index.md": "# S\n",
        ])
        for number in 1000..<1401 { try site.write("site/\(number).md", "# \(number)\n") }
        let page = try await site.release().appending(path: "site/1200/index.html")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("… 200 vorherige</a>") && text.contains("… 1 weitere</a>"))
    }

    /// A site whose source folder has these files.
    static func site(
        _ files: [String: String],
        summary: String? = nil,
        toml: String = ""
    ) async throws -> LoadedSite {
        let source = try TemporarySite(["sitegen.toml": toml])
        for (path, text) in files { try source.write("site/\(path)", text) }
        if let summary { try source.write("site/SUMMARY.md", summary) }
        return try await site(in: source)
    }

    static func site(in source: TemporarySite) async throws -> LoadedSite {
        var options = BuildOptions(now: 0)
        options.asksGit = false
        let (folders, mistakes) = SiteFolders.find("\(source.folder.path)/sitegen.toml", options)
        return await LoadedSite(try #require(folders, "\(mistakes)"), options)
    }

    static func outline(_ view: NavigationView, _ node: Int = 0) -> String {
        let below = view.children(of: node).map { outline(view, $0) }.joined(separator: " ")
        let (open, close) = view.nodes[node].address == nil ? ("(", ")") : ("<", ">")
        let name = view.nodes[node].page?.label ?? open + view.folderLabel(node) + close
        return below.isEmpty ? name : "\(name)[\(below)]"
    }

    /// The HTML of a page's navigation list.
    static func list(_ navigation: Navigation, _ url: String, _ readers: Audience) -> String {
        var html: [UInt8] = []
        navigation.place(of: url, readers).list.append(to: &html)
        return String(decoding: html, as: UTF8.self)
    }

    private static let book = [
        "index.md": "", "c3.md": "", "c3-1.md": "", "c3-2.md": "", "c4.md": "", "more/x.md": "",
        "draft.md": "---\ndraft: true\n---\n",
    ]

    @Test(arguments: [
        (
            "- [Three](c3.md)\n  - [First](c3-1.md)\n    - [Second](c3-2.md)\n- [Four](c4.md)\n",
            "Home[Three[First[Second]] Four More[X]]"
        ),
        // Headings, items without a link, a line that ends a part; what is in a draft moves up.
        (
            "# Contents\n\n[Four](c4.md)\n\n# Part\n\n- [Three]()\n  - [First](c3-1.md)\n"
                + "- [Draft](draft.md)\n  - [Second](c3-2.md)\n\n---\n\n- [Third](c3.md)\n",
            "Home[Four (Part)[(Three)[First] Second] Third More[X]]"
        ),
        (
            "- *Pay* `us`\n\n  - [](c3.md)\n- Nothing\n\n## Web\n- [W](https://example.org)\n"
                + "  - [](c4.md)\n## [One](c3-1.md)\n- [](c3-2.md)\n",
            "Home[(Pay us)[C3] (Web)[<W>[C4]] One[C3 2] More[X]]"
        ),
        // The list of a folder, and pages by their addresses.
        (
            "- [All](more/)\n  - [C](c4)\n- [](/c3)\n", "Home[All[C X] C3 C3 1 C3 2]"
        ),
        // A page below a page whose address is below its own.
        (
            "- [X](more/x.md)\n  - [Welcome](index.md)\n    - [Three](c3.md)\n",
            "Welcome[X Three C3 1 C3 2 C4]"
        ),
        // The first of two links counts, and a page is not nested in itself.
        (
            "- [A](c3.md)\n  - [B](c3.md)\n    - [C](c4.md)\n- [D](c4.md)\n",
            "Home[A[C] C3 1 C3 2 More[X]]"
        ),
        ("- [A](c3.md) and [B](c4.md)\n  - [C](c3-1.md)\n", "Home[A[C] B C3 2 More[X]]"),
    ]) func `pages are nested as in SUMMARY`(_ summary: String, _ expected: String) async throws {
        let navigation = try await Self.site(Self.book, summary: summary).model.navigation
        #expect(Self.outline(navigation.view(for: .signedIn)) == expected)
    }

    @Test func `what is nested in a page that readers may not open moves up`() async throws {
        let open = "---\naccess: public\nwidens: true\n---\n"
        let navigation = try await Self.site(
            [
                "index.md": open, "secret.md": "---\naccess: signed-in\n---\n", "a.md": open,
                "b.md": open,
                "secret/c.md": open,
            ],
            summary:
                "- [Layoffs](secret.md)\n  - [A](a.md)\n    - [B](b.md)\n  - [C](secret/c.md)\n"
        ).model.navigation
        #expect(Self.outline(navigation.view(for: .public)) == "Home[A[B] C]")
        #expect(Self.outline(navigation.view(for: .signedIn)) == "Home[Layoffs[A[B] C]]")
        #expect(navigation.breadcrumbs(for: "/b/", .public).map(\.label) == ["Home", "A"])
        #expect(
            navigation.breadcrumbs(for: "/b/", .signedIn).map(\.label) == ["Home", "Layoffs", "A"]
        )
        #expect(navigation.place(of: "/secret/c/", .public).previous?.label == "B")
        for url in ["/a/", "/b/", "/secret/c/"] {
            #expect(!Self.list(navigation, url, .public).contains("Layoffs"))
            #expect(!Self.list(navigation, url, .public).lowercased().contains("secret<"))
        }
        let list = Self.list(navigation, "/b/", .public)
        #expect(list.contains("aria-current=\"page\">B</a>"))
        #expect(list.contains("<a href=\"/secret/c/\">C</a>"))
    }

    @Test func `a heading is for those who may open something below it`() async throws {
        let closed = "---\naccess: signed-in\n---\n"
        let navigation = try await Self.site(
            [
                "index.md": "", "a.md": closed, "hr/b.md": "", "hr/index.md": closed + "# Secret\n",
                "hr/c.md": "---\naccess: public\nwidens: true\n---\n", "x/d.md": closed,
                "hr/d/e.md": "---\naccess: public\nwidens: true\n---\n",
                "hr/d/_category_.json": "{\"label\": \"Plans\"}",
            ],
            summary: """
                - Mergers
                  - [A](a.md)
                - [Folder](x/)
                - Pay
                  - [C](hr/c.md)
                  - Bonus
                    - [B](hr/b.md)
                """,
            toml: "access = \"public\"\n"
        ).model.navigation
        #expect(
            Self.outline(navigation.view(for: .public)) == "Home[(Pay)[C] (Hr)[(D)[E]]]"
        )
        #expect(
            Self.outline(navigation.view(for: .signedIn))
                == "Home[(Mergers)[A] (Folder)[D] (Pay)[C (Bonus)[B]] Secret[Plans[E]]]"
        )
        #expect(navigation.breadcrumbs(for: "/hr/c/", .public).map(\.label) == ["Home"])
        #expect(!Self.list(navigation, "/hr/c/", .public).contains("Bonus"))
    }

    @Test func `however pages are nested, each is listed once for those who may open it`()
        async throws
    {
        var nested = 0
        for seed in 1...120 as ClosedRange<UInt64> {
            let random = RandomSite(seed: seed)
            guard random.files["site/SUMMARY.md"] != nil else { continue }
            let source = try TemporarySite(random.files)
            let model = try await Self.site(in: source).model
            let (navigation, site, access) = (model.navigation, model.site, model.access)
            nested += navigation.tree.entries.count { $0.isPlaced && $0.parent != 0 }
            for readers in Set(site.pages.map { access.audience(of: $0.url) }) {
                let listed = navigation.view(for: readers).order.map(\.url)
                    .filter { site.page(at: $0) != nil }
                let expected = site.pages.filter {
                    !$0.frontMatter.isUnlisted && readers.isSubset(of: access.audience(of: $0.url))
                }
                #expect(listed.sorted() == expected.map(\.url).sorted(), "site \(seed)")
            }
        }
        #expect(nested > 30)
    }

    @Test func `a page has the lists of its section and of those above, not the whole book`()
        async throws
    {
        var files = ["index.md": ""]
        var summary = ""
        for chapter in 0..<60 {
            summary += "- [C](c\(chapter).md)\n"
            files["c\(chapter).md"] = ""
            for part in 0..<20 {
                summary += "  - [P](c\(chapter)p\(part).md)\n"
                files["c\(chapter)p\(part).md"] = ""
            }
        }
        let navigation = try await Self.site(files, summary: summary).model.navigation
        #expect(navigation.view(for: .signedIn).order.count == 1261)
        let list = Self.list(navigation, "/c7p3/", .signedIn)
        #expect(list.split(separator: "<a ").count - 1 == 60 + 20)
        #expect(list.contains("/c7p19/") && !list.contains("/c8p0/"))
    }

    @Test func `a thousand levels become a few`() async throws {
        var files = ["index.md": ""]
        var summary = ""
        for level in 0..<1000 {
            files["p\(level).md"] = ""
            summary += String(repeating: " ", count: 2 * level) + "- [P](p\(level).md)\n"
        }
        let navigation = try await Self.site(files, summary: summary).model.navigation
        #expect(navigation.view(for: .signedIn).order.count == 1001)
        #expect(navigation.breadcrumbs(for: "/p999/", .signedIn).count <= 34)
        #expect(Self.list(navigation, "/p999/", .signedIn).utf8.count < 40_000)
    }

    @Test(arguments: [
        ("---\ntitle: Matter\n---\n## Second\n\n# First\n", "Matter", "Matter"),
        ("## Second\n\n# First\n", "First", "First"),
        ("## Second\n\nText.\n", "Label", "Second"),
        ("\n<!-- Old\n\nheadings -->\n\n### Third ###\n", "Label", "Third"),
        ("Second `x`\n----------\n", "Label", "Second x"),
        ("##\n", "Label", "The name"), ("#5 is a number\n\n## Second\n", "Label", "The name"),
        ("Text.\n\n## Second\n", "Label", "The name"), ("", "Label", "The name"),
        ("- item\n---\n\n## Second\n", "Label", "The name"), ("<!--", "Label", "The name"),
    ]) func `a page has the first title that there is`(
        _ text: String,
        _ listed: String,
        _ alone: String
    ) async throws {
        for (summary, expected) in [("[Label](the-name.md)\n", listed), ("", alone)] {
            let site = try await Self.site(["the-name.md": text], summary: summary).model.site
            #expect(site.page(at: "/the-name/")?.title == expected)
        }
    }

    @Test(arguments: [
        ("## Label\n\n## Part\n\n## Part\n", "<h1 id=\"label\">Label</h1>"),
        ("Label\n---\n\nText.\n", "<h1 id=\"label\">Label</h1>"),
        ("#### `Label`\n", "<h1 id=\"label\"><code>Label</code></h1>"),
        // Another title stands above, and a heading of level 1 is enough.
        ("## Other\n", "<h1>Label</h1>"), ("Text.\n\n## Label\n", "<h1>Label</h1>"),
        ("## Label\n\n# Top\n", "<h1 id=\"top\">Top</h1>"),
    ]) func `a page has its title once, as a heading of level 1`(
        _ text: String,
        _ heading: String
    ) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/a.md": text, "site/SUMMARY.md": "[Label](a.md)\n",
        ])
        let page = try await site.release().appending(path: "site/a/index.html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.contains(heading))
        #expect(
            html.split(separator: "<h1").count == 2 && html.split(separator: "</h1>").count == 2
        )
        let contents = html.split(separator: "On this page").dropFirst().joined()
        #expect(!contents.contains("href=\"#label\">Label"))
    }

    @Test(arguments: [
        ("Text.\n\n# Top\n", ["A", "Top"]), ("Text.\n\n# A\n", ["A"]), ("# Top\n", ["Top"]),
        ("<!-- Text -->\n\n# Top\n", ["Top"]), ("Text.\n\n## Top\n", ["A"]),
    ]) func `the title is shown where a heading of level 1 stands below a text`(
        _ text: String,
        _ headings: [String]
    ) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/a.md": "---\ntitle: A\n---\n" + text,
        ])
        let page = try await site.release().appending(path: "site/a/index.html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.matches(of: /<h1[^>]*>([^<]*)</).map { String($0.1) } == headings)
    }

    @Test func `a dead link in SUMMARY has a rule that can be lowered`() async throws {
        let site = try await Self.site(["a.md": ""], summary: "- [A](a.md)\n- [B](b.md)\n")
        let found = site.sources.outline?.diagnostics(for: site.model.site) ?? []
        #expect(found.map(\.message) == ["link to 'b.md' is dead: there is no such page"])
        #expect(found.map(\.rule) == [Rule.deadLink.rawValue])
    }

    @Test func `what groups may read is found without a view for each of them`() async throws {
        var configuration = SiteConfiguration()
        configuration.groups = (0..<200).map { .init(name: "g\($0)", roles: ["r"]) }
        let navigation = Navigation(try Self.tree(pages: 1000))
        let site = Site(configuration, folder: "site", pages: [], assets: [])
        #expect(AudienceManifests(site, navigation).files.count == 202)
        #expect(navigation.keptPages == 0)
    }

    @Test func `hundreds of audiences keep a bounded number of pages in memory`() throws {
        let navigation = Navigation(try Self.tree(pages: 1000))
        for number in 0..<600 {
            let readers = Audience.groups(["g\(number)"])
            #expect(navigation.view(for: readers).order.count == 1001)
            #expect(Self.list(navigation, "/0500/", readers).contains("/0501/"))
        }
        #expect((250_000...500_000).contains(navigation.keptPages))
    }

    @Test func `a cache lets go of what was used least recently`() {
        var cache = BoundedCache<Int, String>(limit: 10)
        for key in 1...4 { cache.keep("\(key)", for: key, cost: 2) }
        #expect(cache.value(for: 1) == "1" && cache.cost == 8)
        cache.keep("5", for: 5, cost: 3)
        #expect([1, 2, 3, 4, 5].map { cache.value(for: $0) } == ["1", nil, nil, nil, "5"])
        cache.keep("large", for: 6, cost: 100)
        #expect(cache.value(for: 6) == "large" && cache.cost == 100)
    }

    @Test func `readers outside a folder see no list of its pages`() throws {
        let navigation = Navigation(try Self.tree(pages: 3))
        #expect(Self.list(navigation, "/0001/", .public).isEmpty)
        #expect(navigation.view(for: .public).order.isEmpty)
        #expect(navigation.place(of: "/0001/", .public).next == nil)
        // The page of the site's root is a list here, and comes first.
        #expect(
            navigation.view(for: .signedIn).order.map(\.url) == ["/", "/0000/", "/0001/", "/0002/"]
        )
    }
}
