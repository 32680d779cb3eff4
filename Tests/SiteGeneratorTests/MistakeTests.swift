import Foundation
import Testing

@testable import Site
@testable import SiteGenerator

/// What is told of mistakes in front matter and settings: each mistake once, with what to write.
@Suite struct MistakeTests {
    private static let groups = "[groups]\nhr = { role = \"HR\" }\nboard = { role = \"Board\" }\n"

    private static func findings(_ files: [String: String], _ toml: String = groups) async throws
        -> [String]
    {
        let site = try TemporarySite(["sitegen.toml": toml].merging(files) { $1 })
        return await site.build().diagnostics.filter { $0.rule != "orphan-page" }.map {
            let place = $0.location.map { "\($0.path):\($0.line): " } ?? ""
            return (place + $0.message).replacing(site.folder.path + "/", with: "")
        }
    }

    @Test(arguments: [
        "---\naliases: [/]\n---\n", "---\naliases: [/index.html]\naccess: [hr]\n---\n",
    ])
    func `an alias of the home page's URL is reported once`(page: String) async throws {
        let alias = page.contains("html") ? "/index.html" : "/"
        let toml = "[groups]\nhr = { role = \"HR\" }\n"
        #expect(try await Self.findings(["site/index.md": page], toml).isEmpty)
        #expect(
            try await Self.findings(["site/a.md": page], toml)
                == ["site/a.md:2: alias '\(alias)' is the URL of the home page"]
        )
    }

    @Test func `an alias that has the access rule of a generated file is reported`() async throws {
        let toml = "base_url = \"https://docs.example.com\"\naccess = \"public\"\n"
        let files = ["site/index.md": "---\naliases: [/robots.txt]\n---\n"]
        #expect(
            try await Self.findings(files, toml)
                == ["site/index.md:2: alias '/robots.txt/' is the URL of a generated file"]
        )
    }

    @Test func `an alias that is the URL of a page is reported`() async throws {
        let files = ["site/index.md": "---\naliases: [/b]\n---\n", "site/b.md": "# B\n"]
        #expect(
            try await Self.findings(files)
                == ["site/index.md:2: alias '/b' is the URL of 'site/b.md'"]
        )
    }

    @Test func `two pages with one URL are reported with what to do`() async throws {
        let files = ["site/index.md": "", "site/a.md": "---\nslug: b\n---\n", "site/b.md": "# B\n"]
        #expect(
            try await Self.findings(files) == [
                "site/b.md:1: has the URL '/b/', and so has 'site/a.md'; rename one, or change its 'slug'"
            ]
        )
    }

    @Test(arguments: [
        (
            "access: hr, board",
            [
                "site/index.md:2: group 'hr, board' is not defined in sitegen.toml; write a list: access: [hr, board]"
            ]
        ),
        (
            "access: [hr board]",
            [
                "site/index.md:2: group 'hr board' is not defined in sitegen.toml; write a list: access: [hr, board]"
            ]
        ),
        (
            "access:\n- HR\n- bord",
            [
                "site/index.md:3: group 'HR' is not defined in sitegen.toml; it defines 'board', 'hr'; did you mean 'hr'?",
                "site/index.md:4: group 'bord' is not defined in sitegen.toml; it defines 'board', 'hr'; did you mean 'board'?",
            ]
        ),
        (
            "title: Foo: bar",
            [
                "site/index.md:2: front matter is not YAML: mapping values are not allowed in this context; put the value in quotes"
            ]
        ),
        (
            "title: Foo\n  a: bar",
            [
                "site/index.md:3: front matter is not YAML: mapping values are not allowed in this context"
            ]
        ),
    ])
    func `a mistake in front matter is reported with its remedy`(yaml: String, found: [String])
        async throws
    {
        #expect(try await Self.findings(["site/index.md": "---\n\(yaml)\n---\n"]) == found)
    }

    @Test(arguments: [
        (
            "language = \"de_DE\"",
            ["'language' is 'de_DE'; it must be a language tag such as 'de-DE'"]
        ),
        (
            "language = \"German\"",
            ["'language' is 'German'; it must be a language tag such as 'de-DE'"]
        ),
        ("language = \"\"", ["'language' is ''; it must be a language tag such as 'de-DE'"]),
        (
            "language = \"de-\"", ["'language' is 'de-'; it must be a language tag such as 'de-DE'"]
        ),
        ("language = \"zh-Hant-TW\"", []), ("language = \"de-CH-1996\"", []),
        ("language = \"gsw\"", []),
        (
            "base_url = \"https://intranet.example.com/handbook/\"",
            [
                "'base_url' is 'https://intranet.example.com/handbook/'; a site cannot be below a path;"
            ]
        ),
        (
            "base_url = \"example.com/handbook\"",
            ["'base_url' is 'example.com/handbook'; it must be an origin such as"]
        ), ("base_url = \"https://example.com/\"", []),
        ("[groups]\nhr = { roles = [\"HR\"] }", ["unknown key 'roles'"]),
        ("[groups]\nhr = {}", ["group 'hr' is empty; it needs 'role', 'group' or 'users'"]),
        (
            "access = \"hr, board\"\n" + groups,
            [
                "group 'hr, board' is not defined in sitegen.toml; write a list: [\"hr\", \"board\"]"
            ]
        ),
        (
            "access = [\"a\", \"b\"]",
            [
                "group 'a' is not defined in sitegen.toml; it defines no groups",
                "group 'b' is not defined in sitegen.toml; it defines no groups",
            ]
        ),
    ])
    func `a mistake in a setting is reported once`(toml: String, found: [String]) {
        let messages = SiteConfiguration.parse(Array(toml.utf8), path: "sitegen.toml").diagnostics
            .map(\.message)
        #expect(messages.count == found.count, "\(messages)")
        for (message, expected) in zip(messages, found) {
            #expect(message.hasPrefix(expected))
        }
    }

    @Test(arguments: [
        (
            "![a](s/i.png)",
            "image 's/i.png' is for '[hr]', but this page is for 'signed-in'"
        ),
        ("![a](Pic.PNG)", "image 'Pic.PNG' does not exist"),
        ("[a](Pic.PNG)", "link to 'Pic.PNG' is dead: there is no such page or file"),
    ])
    func `an image is called an image`(text: String, message: String) async throws {
        let files = [
            "site/index.md": "# A\n\n\(text) [s](s/index.md)\n", "site/s/i.png": "x",
            "site/s/index.md": "---\naccess: [hr]\n---\n", "site/pic.png": "x",
        ]
        #expect(try await Self.findings(files).contains("site/index.md:3: \(message)"))
    }
}
