import Foundation
import Testing

@testable import Site
@testable import SiteGenerator

/// A page shows the text of a file only if all readers of the page may read the file.
@Suite struct IncludedReadersTests {
    private static let groups = """
        access = "signed-in"
        [groups]
        hr = { role = "HR" }
        board = { role = "Board" }

        """
    private static let usual = [
        "sitegen.toml": groups, "site/index.md": "# Home\n",
        "site/hr/index.md": "---\naccess: [hr]\n---\n# HR zqsecret\n",
        "site/hr/pay.md": "# Pay zqsecret\n\n## Wages\n\nzqsecret\n",
        "site/hr/pay.py": "zqsecret\n",
        "site/hr/_part.md": "zqsecret\n", "site/open.md": "# Open\n",
    ]

    struct Case: CustomTestStringConvertible, Sendable {
        let files: [String: String]
        let rule: String
        var place = "site/a.md:1:1"
        var testDescription: String { "\(files)" }
    }

    private static func page(_ form: String, _ rule: String = "restricted-include") -> Case {
        Case(files: ["site/a.md": form + "\n"], rule: rule)
    }

    static let refused: [Case] = [
        page("{{#include hr/index.md}}"), page("{{#include hr/pay.md}}"),
        page("{{#include hr/pay.py}}"), page("{{#include hr/_part.md}}"),
        page("{{#include ./open/../hr/pay.md}}"), page("{{#include //hr//pay.md}}"),
        page("{{#rustdoc_include hr/pay.py:1}}"), page("{{< include hr/pay.md >}}"),
        page("--8<-- \"hr/pay.md\""), page("--8<-- \"site/hr/pay.md:1:2\""),
        page("--8<--\nhr/pay.md\n--8<--"), page("[!INCLUDE [Pay](hr/pay.md)]"),
        page("[!INCLUDE [Pay](hr/%70ay.md)]"), page("[!include[Pay](~/hr/pay.md)]"),
        page("[!code-python[](hr/pay.py)]"), page("![[pay]]"), page("![[Pay#Wages|Alias]]"),
        // Case and dots are a part of a name: this one nobody has.
        page("{{#include HR/pay.md}}", "dead-include"),
        page("{{#include %68r/pay.md}}", "dead-include"),
        page("{{#include %2e/hr/pay.md}}", "dead-include"),
        page("{{#include ../site/hr/pay.md}}", "dead-include"),
        page("{{#include /etc/passwd}}", "dead-include"),
        page("{{#include ../../../../../../../../etc/passwd}}", "dead-include"),
        page("{{#include .env}}", "dead-include"),
        // In code, in a list, in a quotation.
        Case(
            files: ["site/a.md": "# A\n\n- > ```py\n  > {{#include hr/pay.py}}\n  > ```\n"],
            rule: "restricted-include",
            place: "site/a.md:4:5"
        ),
        // A text that includes another one.
        Case(
            files: [
                "site/a.md": "{{#include b.md}}\n", "site/b.md": "---\naccess: [hr]\n---\nText\n",
            ],
            rule: "restricted-include"
        ),
        Case(
            files: [
                "site/a.md": "{{#include _b.md}}\n", "site/_b.md": "b\n{{#include hr/pay.md}}\n",
            ],
            rule: "restricted-include",
            place: "site/_b.md:2:1"
        ),
        // Groups that overlap are not contained.
        Case(
            files: ["site/a.md": "---\naccess: [hr, board]\n---\n{{#include hr/pay.md}}\n"],
            rule: "restricted-include",
            place: "site/a.md:4:1"
        ),
        Case(
            files: ["site/a.md": "---\naccess: public\nwidens: true\n---\n{{#include open.md}}\n"],
            rule: "restricted-include",
            place: "site/a.md:5:1"
        ),
        // The rule of a part itself, and one that would widen that of its folder.
        Case(
            files: [
                "site/a.md": "{{#include _b.md}}\n", "site/_b.md": "---\naccess: [hr]\n---\nb\n",
            ],
            rule: "restricted-include"
        ),
        Case(
            files: [
                "site/a.md": "{{#include hr/_b.md}}\n",
                "site/hr/_b.md": "---\naccess: signed-in\nwidens: true\n---\nzqsecret\n",
            ],
            rule: "restricted-include"
        ),
        // A rule that cannot be read, or has no effect.
        Case(
            files: [
                "site/a.md": "{{#include _b.md}}\n", "site/_b.md": "---\naccess: [h r\n---\nb\n",
            ],
            rule: "front-matter",
            place: "site/_b.md:3:1"
        ),
        Case(
            files: ["site/a.md": "{{#include _b.md}}\n", "site/_b.md": "---\nacces: hr\n---\nb\n"],
            rule: "misspelt-access-key",
            place: "site/_b.md:2:1"
        ),
        Case(
            files: ["site/a.md": "{{#include _b.md}}\n", "site/_b.md": "access: [hr]\n\nb\n"],
            rule: "unread-access",
            place: "site/_b.md:1:1"
        ),
        Case(
            files: [
                "sitegen.toml": "parts = ['/parts/']\n" + groups,
                "site/a.md": "{{#include parts/b.txt}}\n",
                "site/parts/b.txt": "---\naccess: [hr]\n---\nb\n",
            ],
            rule: "source-file",
            place: "site/parts/b.txt:1:1"
        ),
        Case(
            files: [
                "sitegen.toml": "parts = ['/parts/']\n" + groups,
                "site/a.md": "{{#include parts/b.yml}}\n",
                "site/parts/b.yml": "---\naccess: [nobody]\n---\nb\n",
            ],
            rule: "front-matter",
            place: "site/parts/b.yml:2:10"
        ),
        // Lists of pages, with titles that not every reader may see, and Jekyll's drafts.
        Case(
            files: [
                "site/a.md": "{{#include SUMMARY.md}}\n",
                "site/SUMMARY.md": "- [zqsecret](hr/pay.md)\n",
            ],
            rule: "dead-include"
        ),
        Case(
            files: ["site/a.md": "{{#include _drafts/b.md}}\n", "site/_drafts/b.md": "zqsecret\n"],
            rule: "dead-include"
        ),
        // What is beside an index page that is not published.
        Case(
            files: [
                "site/a.md": "{{#include b/_b.md}}\n", "site/b/_b.md": "zqsecret\n",
                "site/b/index.md": "---\ndraft: true\n---\n",
            ],
            rule: "restricted-include"
        ),
        Case(
            files: [
                "site/a.md": "![[b]]\n", "site/b/_c/b.md": "zqsecret\n",
                "site/b/index.md": "---\npublishDate: 2090-01-01\n---\n",
            ],
            rule: "restricted-include"
        ),
        // In a repository, files are published only if a page links to them.
        Case(
            files: [
                "site/.git/HEAD": "x", "site/a.md": "{{#include b.txt}}\n",
                "site/b.txt": "zqsecret\n",
            ],
            rule: "dead-include"
        ),
        // Pages of other tools, and rules in other files.
        Case(
            files: [
                "sitegen.toml": "parts = ['/parts/']\n" + groups,
                "site/a.md": "{{< include parts/b.qmd >}}\n",
                "site/parts/b.qmd": "---\naccess: [hr]\n---\nb\n",
            ],
            rule: "restricted-include"
        ),
        Case(
            files: [
                "sitegen.toml": "parts = ['/parts/']\n" + groups,
                "site/a.md": "{{#include parts/b.inc}}\n",
                "site/parts/b.inc": "---\naccess: [hr]\n---\nb\n",
            ],
            rule: "restricted-include"
        ),
        // A page that says who may read a folder, but is none.
        Case(
            files: [
                "site/a.md": "{{#include _parts/b.md}}\n", "site/_parts/b.md": "b\n",
                "site/_parts/index.md": "---\naccess: [hr]\n---\n",
            ],
            rule: "unread-access",
            place: "site/_parts/index.md:1:1"
        ),
        // The alias of an open page opens no folder.
        Case(
            files: [
                "site/a.md": "---\naliases: [/hr/_parts/]\n---\n{{#include hr/_parts/b.md}}\n",
                "site/hr/_parts/b.md": "zqsecret\n",
            ],
            rule: "restricted-include",
            place: "site/a.md:4:1"
        ),
        // What is for nobody yet, or no longer.
        Case(
            files: ["site/a.md": "{{#include b.md}}\n", "site/b.md": "---\ndraft: true\n---\nb\n"],
            rule: "restricted-include"
        ),
        Case(
            files: [
                "site/a.md": "{{#include _b.md}}\n",
                "site/_b.md": "---\ndate: 2031-01-01\n---\nb\n",
            ],
            rule: "restricted-include"
        ),
        Case(
            files: [
                "site/a.md": "{{#include b.md}}\n",
                "site/b.md": "---\nexpiryDate: 2020-01-01\n---\nb\n",
            ],
            rule: "restricted-include"
        ),
        Case(
            files: [
                "site/a.md": "{{#include b/data.txt}}\n", "site/b/data.txt": "zqsecret\n",
                "site/b/index.md": "---\ndraft: true\n---\nb\n",
            ],
            rule: "restricted-include"
        ),
        // What does not belong to the site.
        Case(
            files: [
                "sitegen.toml": "exclude = ['b.md', '/c/']\n" + groups,
                "site/a.md": "{{#include b.md}}\n", "site/b.md": "zqsecret\n",
            ],
            rule: "dead-include"
        ),
    ]

    @Test(arguments: refused)
    func `a text that some readers may not read is not published`(_ one: Case) async throws {
        let site = try TemporarySite(Self.usual.merging(one.files) { $1 })
        let outcome = await site.build()
        #expect(outcome.release == nil)
        let found = outcome.diagnostics.filter { $0.severity == .error }
        let places = found.filter { $0.rule == one.rule }.compactMap { $0.location?.text }
        #expect(
            places.contains { $0.hasSuffix("/" + one.place) },
            "\(found.map { $0.text(program: "") })"
        )
        // What may be lowered tells nothing.
        guard one.rule == "dead-include" else { return }
        let toml = (one.files["sitegen.toml"] ?? Self.groups) + "[checks]\ndead-include = 'off'\n"
        try site.write("sitegen.toml", toml)
        try await site.release()
        for (path, text) in try site.files("public") where path.hasPrefix("site/a/") {
            #expect(!String(decoding: text, as: UTF8.self).contains("zqsecret"), "\(path)")
        }
    }

    @Test func `no setting and no baseline publishes such a text`() async throws {
        let site = try TemporarySite(
            Self.usual.merging(["site/a.md": "{{#include hr/pay.md}}\n"]) { $1 }
        )
        let baseline = site.folder.path + "/known.json"
        for writes in [true, false] {
            let outcome = await site.build {
                ($0.checks.baseline, $0.checks.writesBaseline) = (baseline, writes)
            }
            #expect(outcome.release == nil)
            #expect(outcome.diagnostics.contains { $0.rule == "restricted-include" })
        }
        let check = await site.build { $0.checks.publishes = false }
        #expect(check.hasErrors)
        try site.write("sitegen.toml", Self.groups + "[checks]\nrestricted-include = 'off'\n")
        #expect(await site.build().release == nil)
        let preview = try await PreviewSiteTests.read(site, toml: Self.groups)
        #expect(!preview.loaded.isSound)
    }

    @Test func `a text whose readers include those of the page is shown`() async throws {
        let site = try TemporarySite(
            Self.usual.merging([
                "site/hr/a.md": "{{#include pay.md}}\n\n{{#include _part.md}}\n",
                "site/hr/b.md": "---\naccess: [hr]\n---\n{{#include ../open.md}}\n",
                "site/c.md": "---\naccess: [hr]\n---\n![[pay]]\n",
            ]) { $1 }
        )
        try await site.release()
        let files = try site.files("public")
        for (path, word) in [("hr/a", "zqsecret"), ("hr/b", "Open"), ("c", "Wages")] {
            let html = String(decoding: files["site/\(path)/index.html"] ?? Data(), as: UTF8.self)
            #expect(html.contains(word), "\(path)")
        }
    }

    @Test func `no symbolic link leads to a text`() async throws {
        let site = try TemporarySite(
            Self.usual.merging([
                "outside.md": "zqsecret\n", "site/_x/part.md": "x\n",
                "site/a.md": "{{#include _x/link.md}}\n\n{{#include _x/deep/pay.md}}\n",
            ]) { $1 }
        )
        let files = FileManager.default
        let folder = site.folder.path
        try files.createSymbolicLink(
            atPath: "\(folder)/site/_x/link.md",
            withDestinationPath: "../../outside.md"
        )
        try files.createSymbolicLink(
            atPath: "\(folder)/site/_x/deep",
            withDestinationPath: "../hr"
        )
        let found = await site.build().diagnostics.filter { $0.severity == .error }
        #expect(found.map(\.rule) == ["dead-include", "dead-include"])
        try files.createSymbolicLink(
            atPath: "\(folder)/site/link.md",
            withDestinationPath: "hr/pay.md"
        )
        try site.write("site/a.md", "{{#include link.md}}\n")
        let rules = await site.build().diagnostics.compactMap(\.rule)
        #expect(Set(rules).isSuperset(of: ["dead-include", "source-file"]))
    }

    @Test func `a preview notices that an included text has changed`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": Self.groups, "site/index.md": "# Home\n\n{{#include b.md}}\n",
            "site/b.md": "first\n",
        ])
        let preview = try await PreviewSiteTests.read(site)
        let file = { try await preview.file(at: "site/index.html") }
        #expect(String(decoding: try await file() ?? [], as: UTF8.self).contains("first"))
        try site.write("site/b.md", "---\naccess: [hr]\n---\nsecond\n")
        await #expect(throws: PreviewSite.Changed.self) { try await file() }
        let later = try await PreviewSiteTests.read(site, after: preview.loaded)
        #expect(!later.loaded.isSound)
        try site.write("site/b.md", "third\n")
        let last = try await PreviewSiteTests.read(site, after: later.loaded)
        let html = try await last.file(at: "site/index.html") ?? []
        #expect(last.loaded.isSound && String(decoding: html, as: UTF8.self).contains("third"))
    }
}
