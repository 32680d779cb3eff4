import Access
import Foundation
import Testing

@testable import Rendering
@testable import Site
@testable import SiteGenerator

/// What somebody's browser may ask for beside the page that it shows.
@Suite struct AudienceManifestsTests {
    /// A built site's files below `site`, by their paths.
    private static func build(_ sources: [String: String]) async throws -> [String: String] {
        let source = try TemporarySite(sources)
        let site = try await source.release().appending(path: "site")
        var found: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: site.path) {
            found[path] = try? String(contentsOf: site.appending(path: path), encoding: .utf8)
        }
        return found
    }

    private static let groups = """
        access = "public"
        [groups]
        hr = { role = "HR" }
        it = { role = "IT" }

        """

    /// The URLs and labels of the sections in one of the files.
    private static func sections(_ file: String?) throws -> [String: String] {
        let data = Data(try #require(file).utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let sections = try #require(json["sections"] as? [[String: String]])
        return Dictionary(
            uniqueKeysWithValues: sections.compactMap { entry in
                entry["url"].flatMap { url in entry["label"].map { (url, $0) } }
            }
        )
    }

    @Test func `a group searches its own pages and those that it shares, and no others`()
        async throws
    {
        let files = try await Self.build([
            "sitegen.toml": Self.groups,
            "site/index.md": "# Home",
            "site/hr.md": "---\naccess: [hr]\n---\n# People",
            "site/it.md": "---\naccess: [it]\n---\n# Machines",
            "site/both.md": "---\naccess: [hr, it]\n---\n# Both",
        ])
        func search(_ group: String) throws -> Set<String> {
            let data = Data(try #require(files["_reader/group/\(group).json"]).utf8)
            let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            return Set(try #require(json["search"] as? [String]))
        }
        let (hr, it) = (try search("hr"), try search("it"))
        #expect(hr.count == 2 && it.count == 2)
        #expect(hr.intersection(it).count == 1)
    }

    private static let copies = "markdown_copies = true\nbase_url = \"https://d.example\"\n"

    @Test func `a program finds the pages of each kind of reader, and no name of a group`()
        async throws
    {
        let files = try await Self.build([
            "sitegen.toml": Self.copies + Self.groups,
            "site/index.md": "# Home [1]",
            "site/all.md": "---\naccess: signed-in\n---\n# For all",
            "site/hr.md": "---\naccess: [hr]\ndescription: Pay\naliases: [/old/]\n---\n# People",
            "site/it.md": "---\naccess: [it]\n---\n# Machines",
            "site/both.md": "---\naccess: [hr, it]\n---\n# Both",
            "site/hidden.md": "---\naccess: [hr]\nunlisted: true\n---\n# Hidden",
            "site/draft.md": "---\ndraft: true\n---\n# Draft",
        ])
        func pages(_ file: String) throws -> [Substring] {
            try #require(files[file]).split(separator: "\n").filter { $0.contains("/index.md)") }
        }
        #expect(try pages("llms.txt") == ["- [Home \\[1\\]](https://d.example/index.md)"])
        #expect(
            try pages("_reader/signed-in.txt") == ["- [For all](https://d.example/all/index.md)"]
        )
        let hr = try pages("_reader/group/hr.txt")
        #expect(
            hr == [
                "- [Both](https://d.example/both/index.md)",
                "- [People](https://d.example/hr/index.md): Pay",
            ]
        )
        for name in ["llms.txt", "_reader/signed-in.txt"] {
            let words = files[name]?.split { !$0.isLetter } ?? []
            #expect(!words.contains("hr") && !words.contains("it"))
        }
        #expect(files["hidden/index.md"] == "# Hidden\n" && files["hr/index.md"] == "# People\n")
        #expect(files["old/index.html"] != nil && files["old/index.md"] == nil)
        #expect(files["draft/index.md"] == nil && files["search/index.md"] == nil)
    }

    @Test(arguments: [
        ("site/a.md", "---\naliases: [/b/index.md]\n---\n# A", "duplicate-output"),
        ("site/b/index.md.md", "---\naccess: public\nwidens: true\n---\n# A", "duplicate-output"),
        ("site/llms.txt", "Own", "replaced-output"),
    ])
    func `nothing else takes the place of a page's Markdown`(
        path: String,
        text: String,
        rule: String
    ) async throws {
        let site = try TemporarySite([
            "sitegen.toml": Self.copies + "[groups]\nhr = { role = \"HR\" }\n",
            "site/index.md": "# Home", "site/b.md": "---\naccess: [hr]\n---\n# B", path: text,
        ])
        let outcome = await site.build()
        #expect(outcome.diagnostics.contains { $0.rule == rule })
        #expect((outcome.release == nil) == (rule == "duplicate-output"))
    }

    @Test func `a section is where a reader's own pages begin`() async throws {
        let files = try await Self.build([
            "sitegen.toml": Self.groups,
            "site/index.md": "# Home",
            "site/office/index.md": "---\naccess: signed-in\n---\n# Office",
            "site/office/plan.md": "# Plan",
            "site/office/hr/index.md":
                "---\naccess: [hr]\nlinkTitle: People\n---\n# Human resources",
            "site/office/hr/pay.md": "# Pay",
            "site/both.md": "---\naccess: [hr, it]\n---\n# Both",
            "site/hidden.md": "---\naccess: [hr]\nunlisted: true\n---\n# Hidden",
            // A folder that is but a name.
            "site/servers/a.md": "---\naccess: [it]\n---\n# A",
        ])
        #expect(try Self.sections(files["_reader/public.json"]).isEmpty)
        #expect(try Self.sections(files["_reader/signed-in.json"]) == ["/office/": "Office"])
        #expect(
            try Self.sections(files["_reader/group/hr.json"])
                == ["/office/hr/": "People", "/both/": "Both"]
        )
        #expect(
            try Self.sections(files["_reader/group/it.json"])
                == ["/servers/a/": "A", "/both/": "Both"]
        )
    }

    // Now it is 2026-11-22.
    @Test func `an owner learns which pages are due, of those that the owner may read`()
        async throws
    {
        let review = "review: 2026-10\nowner: [Ada Moss <ada@d.example>, Bo]\n---\n"
        let files = try await Self.build([
            "sitegen.toml": Self.groups, "site/index.md": "# Home",
            "site/public.md": "---\n\(review)# Public",
            "site/hr.md": "---\naccess: [hr]\n\(review)# People",
            "site/hidden.md": "---\naccess: [hr]\nunlisted: true\n\(review)# Hidden",
            "site/both.md": "---\naccess: [hr, it]\n\(review)# Both",
            "site/later.md": "---\nreview: 2027-10\nowner: Bo\n---\n# Later",
        ])
        func reviews(_ name: String) throws -> [String] {
            let data = Data(try #require(files["_reader/\(name).json"]).utf8)
            let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect((json["isGroup"] as? Bool ?? false) == name.hasPrefix("group"))
            let entries = json["reviews"] as? [[String: Any]] ?? []
            for entry in entries {
                #expect(entry["owners"] as? [String] == ["ada moss", "bo"])
                #expect(entry["about"] as? String == "31 October 2026")
            }
            return entries.compactMap { $0["url"] as? String }
        }
        #expect(try reviews("public") == [])
        #expect(try reviews("signed-in") == ["/public/"])
        #expect(try reviews("group/hr") == ["/both/", "/hr/"])
        #expect(try reviews("group/it") == ["/both/"])
    }

    @Test func `below a first page that is not public the sections are those of the top`()
        async throws
    {
        let files = try await Self.build([
            "sitegen.toml": "", "site/index.md": "# Home", "site/a/index.md": "# A",
            "site/a/b.md": "# B",
            "site/press.md": "---\naccess: public\nwidens: true\n---\n# Press",
        ])
        #expect(
            try Self.sections(files["_reader/signed-in.json"]) == ["/a/": "A"]
        )
    }

    @Test func `a group that reads single pages everywhere gets a list that ends`() async throws {
        var sources = ["sitegen.toml": Self.groups, "site/index.md": "# Home"]
        for number in 0..<80 {
            sources["site/p\(number).md"] = "---\naccess: [hr]\n---\n# P\(number)"
        }
        let files = try await Self.build(sources)
        let sections = try Self.sections(files["_reader/group/hr.json"])
        #expect(sections.count == ReaderSections.limit)
    }

    @Test func `groups that differ in case alone are refused`() {
        let text = "[groups]\nhr = { role = 'HR' }\nHR = { role = 'X' }\n"
        let read = SiteConfiguration.parse(Array(text.utf8), path: "sitegen.toml")
        #expect(
            read.diagnostics.map(\.message) == ["group 'HR' differs from 'hr' only in case"]
                || read.diagnostics.map(\.message) == ["group 'hr' differs from 'HR' only in case"]
        )
    }
}
