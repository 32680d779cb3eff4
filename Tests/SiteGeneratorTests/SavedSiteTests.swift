import Fixtures
import Foundation
import Testing

@testable import Site

/// A site is the same, whatever editor has saved its files.
@Suite struct SavedSiteTests {
    private static let files = [
        "sitegen.toml": """
        title = "Ä"
        base_url = "https://docs.example.com"
        [groups]
        hr = { role = "HR" }

        """,
        "site/index.md": "---\ntitle: Home\n---\n# Home\n\nText\nof lines\n\n- a\n- b\n",
        "site/json.md": "{\n\"title\": \"By JSON\",\n\"access\": [\"hr\"]\n}\n\n# JSON\n",
        "site/toml.md": "+++\ntitle = \"By TOML\"\naccess = \"hr\"\n+++\n\n# TOML\n",
        "site/yaml.md": "---\naccess:\n  - hr\ntags: [ä]\n---\n```python\na = 1\n\nb = 2\n```\n",
        "site/plain.md": "Only a paragraph\n",
        "site/SUMMARY.md": "# Summary\n\n- [Second](yaml.md)\n- [First](toml.md)\n",
        "templates/announcement.md": "Closed on *Monday*\n\nand on Tuesday\n",
        "templates/languages/en.toml": "[texts]\n\"Search\" = \"Find\"\n",
        "templates/side.html": "<p>\nSide\n</p>",
        "templates/theme/site.css/zz.css": "/* own */\n.a { color: red }\n",
        "templates/theme/site.js/aa.js": "/* own\n*/\nconst own = 1 // own\n",
    ]

    @Test(arguments: SavedText.variants(of: "").indices)
    func `each way to save the files makes the same release`(way: Int) async throws {
        let site = try TemporarySite(Self.files)
        try await site.release()
        let expected = try site.files("public")
        #expect(expected["site/yaml/index.html"] != nil)
        let name = SavedText.variants(of: "")[way].name
        for (path, text) in Self.files {
            let bytes = SavedText.variants(of: text)[way].bytes
            try Data(bytes).write(to: site.folder.appending(path: path))
        }
        let outcome = await site.build()
        let found = try site.files("public")
        let differing = expected.keys.filter { found[$0] != expected[$0] }
        #expect(outcome.isUnchanged, "\(name): \(differing) \(outcome.diagnostics)")
    }

    @Test(arguments: [
        "sitegen.toml", "site/SUMMARY.md", "site/plain.md", "templates/side.html",
        "templates/languages/en.toml", "templates/theme/site.css/zz.css",
        "templates/announcement.md",
    ])
    func `a file that is no text is an error at its place`(path: String) async throws {
        let site = try TemporarySite(Self.files)
        let file = site.folder.appending(path: path)
        for (byte, message) in [(0xE9 as UInt8, "is not UTF-8"), (0, "contains a NUL byte")] {
            let text = Array((Self.files[path] ?? "").utf8)
            try Data(Array("\n ".utf8) + [byte] + text).write(to: file)
            let outcome = await site.build()
            #expect(outcome.release == nil)
            let errors = outcome.diagnostics.map { $0.text(program: "sitegen") }
            let start = "\(path):2:2: error: \(message)"
            #expect(errors.contains { $0.contains(start) }, "\(errors)")
        }
    }
}
