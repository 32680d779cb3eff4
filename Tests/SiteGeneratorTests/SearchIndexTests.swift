import Fixtures
import Foundation
import POSIX
import Testing

@testable import Rendering
@testable import Search
@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

@Suite struct SearchIndexTests {
    /// Builds a site of these files below `site`, and reads its indexes by folder.
    private func indexes(
        _ files: [String: String],
        configuration: String = ""
    ) async throws -> (indexes: [String: SearchReader], release: URL, site: TemporarySite) {
        let site = try TemporarySite([
            "sitegen.toml": configuration + "\n[groups]\nhr = { role = \"HR\" }\n"
        ])
        for (path, text) in files { try site.write("site/\(path)", text) }
        let release = try await site.release()
        var indexes: [String: SearchReader] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: release.path)
        where path.hasSuffix(SearchIndex.fileName) {
            let bytes = try Data(contentsOf: release.appending(path: path))
            let parts = path.split(separator: "/")
            let index: SearchReader = try #require(SearchReader(Array(bytes)))
            indexes[String(parts[2])] = index
        }
        return (indexes, release, site)
    }

    private let pages = [
        "welcome.md": "---\naccess: public\nwidens: true\n---\n# Home\n\nWelcome to Larkspur.\n",
        "team/index.md": "---\ntitle: Team\naccess: signed-in\n---\nWho does what.\n",
        "team/vpn.md":
            "---\ntags: [network]\ndescription: From home\n---\n# VPN\n\n## Set up\n\nText.\n",
        "team/mail.md": "# Mail\n\nText about the vpn, a vpn and the VPN of a team.\n",
        "hr/pay.md": "---\naccess: [hr]\n---\n# Salary bands\n\nReisekosten und Kosten, secret.\n",
        "hidden.md": "---\nunlisted: true\n---\n# Hidden words\n",
        "aside.md": "---\nsearch: false\n---\n# Aside words\n",
        "apart.md": "---\nsearch: { exclude: true }\n---\n# Apart words\n",
    ]

    @Test func `each page is in the index of its own readers and in no other`() async throws {
        let (indexes, release, site) = try await indexes(pages)
        defer { withExtendedLifetime(site) {} }
        let group = AudienceFiles.searchFolder(.groups(["hr"])).split(separator: "/")[1]
        #expect(Set(indexes.keys) == ["public", "signed-in", String(group)])
        #expect(indexes["public"]?.pages.map(\.url) == ["/welcome/"])
        #expect(
            indexes["signed-in"]?.pages.map(\.url).sorted()
                == ["/team/", "/team/mail/", "/team/vpn/"]
        )
        let hr = try #require(indexes[String(group)])
        #expect(hr.pages.map(\.title) == ["Salary bands"] && hr.readers == "hr")
        for (name, index) in indexes {
            #expect((index.words["secret"] != nil) == (name == String(group)))
            #expect(index.words["hidden"] == nil && index.words["aside"] == nil)
            #expect(index.words["apart"] == nil && index.words["widens"] == nil)
            for page in index.pages {
                let path = release.appending(path: "site\(page.url)index.html")
                let text = try Data(contentsOf: path)[page.text]
                let shown = String(decoding: text, as: UTF8.self)
                #expect(shown.hasPrefix("<h1") || shown.hasPrefix("<p>"), "\(page.url)")
                #expect(!shown.contains("<nav"))
            }
        }
    }

    @Test func `an index that other readers could ask for is not published`() async throws {
        let source = try TemporarySite(["a.md": "# A\n"])
        let root = try OpenFolder(source.folder.path)
        func index(_ paths: [String]) async throws -> SearchIndex {
            let configuration = SiteConfiguration()
            let pages = paths.map { path in
                Page(
                    reading: SourceTree.File(path: path, displayPath: path, root: root),
                    configuration,
                    BuildOptions(now: 0)
                )
            }
            let site = Site(configuration, folder: "site", pages: pages, assets: [])
            let access = PageAccess(site, Redirects(site))
            let navigation = Navigation(NavigationTree(site, access))
            return try await SearchIndex(
                site,
                access,
                navigation,
                site.pages.map { _ in
                    PageText(range: 0..<0, wordCount: 1, links: []) { PageTerms() }
                }
            )
        }
        let folder = try #require(try await index(["a.md"]).folders[.signedIn]?.first)
        // A draft is in no index, so this one stays the same, and says who may read its folder.
        let draft = "\(folder.dropFirst())index.md"
        try source.write(draft, "---\ndraft: true\naccess: public\nwidens: true\n---\n")
        let opened = try await index(["a.md", draft])
        #expect(opened.folders.isEmpty && opened.files.isEmpty)
    }

    @Test(arguments: [
        ("public", "public", true), ("public", "signed-in", true), ("public", "[hr]", true),
        ("signed-in", "public", false), ("signed-in", "signed-in", true),
        ("signed-in", "[it, hr]", true), ("[hr]", "public", false), ("[hr]", "signed-in", false),
        ("[hr]", "[hr]", true), ("[hr]", "[it]", false), ("[hr]", "[hr, it]", false),
        ("[hr, it]", "[hr]", true), ("[hr]\nunlisted: true", "[hr]", false),
        ("[hr]\nsearch: false", "[hr]", false), ("[hr]\ndraft: true", "[hr]", false),
    ])
    func `the words of a link count only if each reader of the page may read the link`(
        source: String,
        target: String,
        counts: Bool
    ) async throws {
        let matter = { (access: String) in "---\naccess: \(access)\nwidens: true\n---\n" }
        let link = "[*Kerf*uffle &amp; `more`](../team/a-slug.md) [a-slug](../team/a-slug.md)"
        let (indexes, _, site) = try await indexes(
            [
                "from/index.md": "\(matter(source))# From\n\n\(link) [From](index.md)\n",
                "team/a-slug.md": "\(matter(target))# To\n\nA [Selfish](a-slug.md) link.\n",
            ],
            configuration: "[groups.it]\nrole = \"IT\""
        )
        defer { withExtendedLifetime(site) {} }
        let index = try #require(indexes.values.first { $0.pages.contains { $0.title == "To" } })
        let page = try #require(index.pages.firstIndex { $0.title == "To" })
        #expect((index.words["kerfuffle"]?[page] != nil) == counts)
        #expect((index.words["more"]?[page] != nil) == counts)
        // The parts of the last part of its address are words, too.
        #expect(index.words["slug"]?[page] != nil)
        #expect((index.words["aslug"] != nil) == counts)
    }

    @Test func `a title counts more than a heading, and that more than text`() async throws {
        let (indexes, _, site) = try await indexes(pages)
        defer { withExtendedLifetime(site) {} }
        let index = try #require(indexes["signed-in"])
        func level(_ word: String, _ url: String) -> Int {
            index.pages.firstIndex { $0.url == url }.flatMap { index.words[word]?[$0] } ?? -1
        }
        #expect(level("vpn", "/team/vpn/") > level("set", "/team/vpn/"))
        #expect(level("set", "/team/vpn/") > level("vpn", "/team/mail/"))
        #expect(level("network", "/team/vpn/") > level("text", "/team/vpn/"))
        #expect(level("home", "/team/vpn/") > level("text", "/team/vpn/"))
        #expect(level("text", "/team/mail/") >= 0 && level("vpn", "/team/") == -1)
        #expect(index.pages.first { $0.url == "/team/vpn/" }?.section == "Team")
        #expect(index.pages.first { $0.url == "/team/vpn/" }?.description == "From home")
    }

    @Test(arguments: [
        ("ar", "مدرسة المدرسة للمدرسة"), ("ru", "новый новая"), ("ru", "работой работа"),
        ("hi", "लड़का लडके"),
    ])
    func `forms have one stem in their folded letters, too`(language: String, forms: String)
        async throws
    {
        let (indexes, _, site) = try await indexes(
            ["index.md": "# 1\n\n\(forms)\n"],
            configuration: "language = \"\(language)\"\n"
        )
        defer { withExtendedLifetime(site) {} }
        let index = try #require(indexes["signed-in"])
        let words = index.words.keys.filter { $0.utf8.contains { $0 > 127 } }
        let stems = words.map { index.stems[$0] }
        #expect(stems.count > 1 && Set(stems).count == 1 && stems[0] != nil, "\(stems)")
    }

    @Test func `each word has its stem, and the index the endings that many words have`()
        async throws
    {
        let words = "moved moving moves walked walking walks vpn2 --moved böses"
        let (indexes, _, site) = try await indexes(["index.md": "# Home\n\n\(words)\n"])
        defer { withExtendedLifetime(site) {} }
        let index = try #require(indexes["signed-in"])
        let stems = ["moved": "move", "walking": "walk", "vpn2": "vpn2", "--moved": "--moved"]
        for (word, stem) in stems { #expect(index.stems[word] == stem) }
        #expect(index.endings.contains { $0 == ("s", "") })
        #expect(!index.endings.contains { $0 == ("d", "") && $0.word == "moved" })
        let (german, _, other) = try await self.indexes(
            ["index.md": "# Heim\n\nReisen Reise\n"],
            configuration: "language = \"de-DE\"\n"
        )
        defer { withExtendedLifetime(other) {} }
        #expect(german["signed-in"]?.stems["reisen"] == "reis")
    }

    @Test func `a page has the ids of its headings, and their texts where they differ`()
        async throws
    {
        let (indexes, _, site) = try await indexes([
            "index.md": "# Home\n\n## Set it up\n\n### Other words {#own}\n\n## Home\n"
        ])
        defer { withExtendedLifetime(site) {} }
        #expect(indexes["signed-in"]?.pages[0].headings == ["set-it-up", "own Other words"])
    }

    @Test func `a heading that many pages have tells nothing of one`() async throws {
        var pages = ["index.md": "# Home\n\n## Usage\n\n## Of its own\n"]
        for number in 1...4 { pages["p\(number).md"] = "# P\(number)\n\n## Usage\n\n## Seldom\n" }
        let (indexes, _, site) = try await indexes(pages)
        defer { withExtendedLifetime(site) {} }
        let found = try #require(indexes["signed-in"]?.pages)
        #expect(found.first { $0.url == "/" }?.headings == ["of-its-own"])
        #expect(found.filter { $0.url != "/" }.allSatisfy { $0.headings == ["seldom"] })
    }

    @Test func `a part of a compound is worth less than the word`() async throws {
        let (indexes, _, site) = try await indexes(
            [
                "index.md": "# Eins\n\nKosten\n", "a.md": "# Zwei\n\nReisekosten\n",
            ],
            configuration: "language = \"de\""
        )
        defer { withExtendedLifetime(site) {} }
        let index = try #require(indexes["signed-in"])
        let found = try #require(index.words["kosten"])
        let home = try #require(index.pages.firstIndex { $0.url == "/" })
        #expect(found.count == 2)
        #expect((found[home] ?? 0) > (found[1 - home] ?? 99))
    }

    @Test func `words are in order, and blocks of them and chunks of pages small`() async throws {
        var files: [String: String] = [:]
        var chance = Chance(state: 4)
        for number in 0..<60 {
            let words = (0..<300).map { _ in "w\(Int.random(in: 0..<4000, using: &chance))x" }
            files["p\(number).md"] = "# Page \(number)\n\n\(words.joined(separator: " "))\n"
        }
        let (indexes, _, site) = try await indexes(files)
        defer { withExtendedLifetime(site) {} }
        let index = try #require(indexes["signed-in"])
        #expect(index.order == index.order.sorted())
        #expect(index.words["page"]?.count == 60)
        #expect(index.blockSizes.count > 5)
        #expect(index.blockSizes.allSatisfy { $0 < 4200 })
        #expect(index.chunkSizes.count == 30 && index.chunkSizes.allSatisfy { $0 < 100 })
    }

    @Test func `without search there is nothing of it`() async throws {
        let (indexes, release, site) = try await indexes(pages, configuration: "search = false")
        defer { withExtendedLifetime(site) {} }
        #expect(indexes.isEmpty)
        let files = FileManager.default
        for path in ["site/search", "site/_search"] {
            #expect(!files.fileExists(atPath: release.appending(path: path).path))
        }
        let home = release.appending(path: "site/index.html")
        #expect(try !String(contentsOf: home, encoding: .utf8).contains("search-open"))
    }

    @Test func `the search page lists sections and tags for those without scripts`() async throws {
        let (_, release, site) = try await indexes(pages)
        defer { withExtendedLifetime(site) {} }
        let page = release.appending(path: "site/search/index.html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.contains("<a href=\"/team/\">Team</a>"))
        #expect(html.contains("<a href=\"/tags/network/\">network</a>"))
        #expect(!html.contains("Salary"))
    }
}
