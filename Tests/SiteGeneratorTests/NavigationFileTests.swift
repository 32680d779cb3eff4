import Testing

@testable import Site
@testable import SiteGenerator

/// The navigation of other tools.
extension NavigationTests {
    private static let folder = [
        "index.md": "", "b.md": "", "a.md": "", "c/z.md": "", "c/y.md": "",
    ]

    @Test(arguments: [
        // Azure DevOps: names of files, which are the titles.
        ([".order": "c\nb\n", "c/.order": "z\ny\n"], "Home[c[z y] b A]"),
        ([".order": "b-c\nb%2Dc", "b-c.md": "# Title\n"], "Home[b c A B C[Y Z]]"),
        // MkDocs.
        ([".pages": "nav:\n  - b.md\n  - ...\n  - Last: a.md"], "Home[B C[Y Z] Last]"),
        (["c/.pages": "title: Sea\nhide: true"], "Home[A B]"),
        (["c/.nav.yml": "title: Sea\nnav: [z.md]"], "Home[A B Sea[Z Y]]"),
        // Docusaurus and others.
        (["c/_category_.yml": "label: Sea\nposition: -1"], "Home[Sea[Y Z] A B]"),
        (
            ["02-d/index.md": "# D\n", "10. e.md": "# E\n", "2026-01-01-f.md": "# F\n"],
            "Home[D E A B C[Y Z] F]"
        ),
        (["b.md": "---\nsidebar: {order: -1, label: Bee}\n---\n"], "Home[Bee A C[Y Z]]"),
        // What the file of a folder says counts more than front matter.
        ([".order": "b", "a.md": "---\norder: -5\nlinkTitle: X\n---\n"], "Home[b X C[Y Z]]"),
        (
            ["c/index.md": "---\nlinkTitle: X\n---\n", "c/_category_.json": "{}"],
            "Home[A B X[Y Z]]"
        ),
    ]) func `files of other tools order the pages of their folder`(
        _ files: [String: String],
        _ expected: String
    ) async throws {
        let site = try await Self.site(Self.folder.merging(files) { $1 })
        #expect(Self.outline(site.model.navigation.view(for: .signedIn)) == expected)
        #expect(site.model.site.assets.isEmpty)
    }

    @Test(arguments: [
        (
            "mkdocs.yml",
            "site_name: X\nnav:\n- index.md\n- Sea:\n  - c/index.md\n  - Zed: c/z.md\n"
                + "- Deep:\n  - Deeper:\n    - b.md\n- https://example.org/\n"
                + "- 'Web': https://a.example\n"
                + "markdown_extensions:\n- x: {y: !!python/name:a.b }\n",
            "Home[Sea[Zed Y] (Deep)[(Deeper)[B]] A]"
        ),
        (
            "sidebars.json",
            #"{"docs": {"Sea": ["c/zed", {"type": "doc", "id": "b", "label": "Bee"}], "#
                + #""Rest": [{"type": "category", "label": "In", "items": ["a"]}]}}"#,
            "Home[(Sea)[Z Bee] (Rest)[(In)[A]] C[Y]]"
        ),
    ]) func `the navigation is read from the settings of another tool`(
        _ name: String,
        _ text: String,
        _ expected: String
    ) async throws {
        var files = Self.folder
        if name == "mkdocs.yml" { files["c/index.md"] = "# Its own title\n" }
        if name == "sidebars.json" { files["c/z.md"] = "---\nid: zed\n---\n" }
        let source = try TemporarySite(["sitegen.toml": "from = \"\(name)\"\n", name: text])
        for (path, text) in files { try source.write("site/\(path)", text) }
        let site = try await Self.site(in: source)
        #expect(Self.outline(site.model.navigation.view(for: .signedIn)) == expected)
    }

    @Test(arguments: [
        ("", "Home[A Y B Z]", 5, ["unnamed-page"]), ("last", "Home[A Y B Z]", 5, []),
        ("hidden", "Home[A Y]", 5, []), ("unpublished", "Home[A Y]", 3, ["link-to-absent-page"]),
    ]) func `one key says what happens to pages that the navigation does not name`(
        _ word: String,
        _ outline: String,
        _ listed: Int,
        _ rules: [String]
    ) async throws {
        let toml = word.isEmpty ? "" : "[navigation]\nother_pages = \"\(word)\"\n"
        let site = try await Self.site(
            ["index.md": "", "a.md": "[B](b.md)", "b.md": "", "z.md": "", "y.md": ""],
            summary: "- [](a.md)\n- [](y.md)\n",
            toml: toml
        )
        let view = site.model.navigation.view(for: .signedIn)
        #expect(Self.outline(view) == outline && view.order.count == listed)
        let next = view.neighbours(of: view.nearest(to: "/y/")).next
        #expect(next?.label == (outline.contains("B") ? "B" : nil))
        #expect(await site.check().diagnostics.map(\.rule) == rules)
    }

    @Test func `a page that is left out still says who may read its folder`() async throws {
        let site = try await Self.site(
            ["index.md": "", "hr/index.md": "---\naccess: [hr]\n---\n", "hr/a.md": ""],
            summary: "- [A](hr/a.md)\n",
            toml: "[groups]\nhr = { role = \"hr\" }\n[navigation]\nother_pages = \"unpublished\"\n"
        )
        #expect(site.model.site.pages.map(\.url) == ["/", "/hr/a/"])
        #expect(site.model.access.audience(of: "/hr/a/") == .groups(["hr"]))
        #expect(Self.outline(site.model.navigation.view(for: .signedIn)) == "Home")
    }
}
