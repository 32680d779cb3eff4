import Diagnostics
import Fixtures
import Foundation
import Testing

@testable import Releases
@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

/// New sites and pages, and releases gone back to, each in a folder of its own.
@Suite struct ScaffoldTests {
    @Test
    func `a new site builds without findings, and shows its protected folder to its readers only`()
        async throws
    {
        let folder = try TemporaryFolder()
        let files = try NewSite.make(in: folder.path("new"))
        #expect(files.contains("site/people/index.md") && files.contains(".gitignore"))
        for name in files where name.hasSuffix(".json") {
            let data = try Data(contentsOf: URL(filePath: folder.path("new/\(name)")))
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data) }
        }
        let outcome = await SiteBuild.run(
            configurationPath: folder.path("new/sitegen.toml"),
            BuildOptions(now: 0)
        )
        #expect(outcome.diagnostics.isEmpty && outcome.release == 1)
        let current = folder.path("new/public/current/")
        let home = try String(contentsOfFile: current + "site/index.html", encoding: .utf8)
        #expect(!home.contains("Interviews") && !home.contains("href=\"/people/"))
    }

    @Test func `a folder with files in it is left alone`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x", ".git/HEAD")
        #expect(throws: Never.self) { try NewSite.make(in: folder.path) }
        let refusal = #expect(throws: CommandError.self) { try NewSite.make(in: folder.path) }
        #expect(refusal?.isDisk == false)
    }

    @Test func `a new page says its title`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("title = \"T\"\n", "sitegen.toml")
        try folder.write("", "site/index.md")
        func make(_ path: String, _ title: String? = nil) throws -> String {
            let file = try NewPage.make(
                path,
                title: title,
                configurationPath: folder.path("sitegen.toml")
            )
            #expect(file.hasPrefix(folder.path("site/")))
            return try String(contentsOfFile: file, encoding: .utf8)
        }
        #expect(try make("hr/travel-costs") == "---\ntitle: Travel costs\n---\n\n")
        #expect(try make("site/a.md", "A: \"b\"") == "---\ntitle: \"A: \\\"b\\\"\"\n---\n\n")
        #expect(try make("yes") == "---\ntitle: \"Yes\"\n---\n\n")
        for title in ["A: \"b\"", "Yes", "Übersicht #1", "a\nb"] {
            let yaml = try make("t\(abs(title.hashValue))", title).dropFirst(4).dropLast(5)
            let reader = FrontMatterReader(Array(yaml.utf8), path: "a", groups: [])
            #expect(reader.frontMatter.title == title)
        }
    }

    @Test func `a page is never written over, hidden, or outside`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", "sitegen.toml")
        try folder.write("", "site/a.md")
        try folder.write("", "site/b/index.md")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("site/link"),
            withDestinationPath: folder.path
        )
        for path in [
            "a", "a.md", "A", "b", "b/README", "../x", "b/../../x", "/etc/x", "", "b/", ".x",
            "link/x", "auth/x", "a;b", "x/.git/y",
        ] {
            #expect(throws: CommandError.self, "\(path)") {
                try NewPage.make(
                    path,
                    title: nil,
                    configurationPath: folder.path("sitegen.toml")
                )
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("x.md")))
    }

    @Test func `releases are listed, and one can be gone back to`() async throws {
        let folder = try TemporaryFolder()
        let releases = Releases(in: folder.path)
        #expect(throws: CommandError.self) { try releases.list() }
        for number in [2, 10, 9] {
            try folder.write("", "releases/\(number)/site/index.html")
        }
        try folder.write("", "releases/10/site/a/index.html")
        try folder.write("", "releases/.11/site/index.html")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("current"),
            withDestinationPath: "releases/10"
        )
        let list = try releases.list()
        #expect(list.map(\.number) == [2, 9, 10] && list.map(\.pages) == [1, 1, 2])
        #expect(list.map(\.isCurrent) == [false, false, true])
        #expect(try releases.rollBack(to: nil) == (10, 9))
        #expect(try releases.list().map(\.isCurrent) == [false, true, false])
        #expect(try releases.rollBack(to: 10).to == 10)
        #expect(try releases.rollBack(to: 2).to == 2)
        #expect(throws: CommandError.self) { try releases.rollBack(to: nil) }
        #expect(throws: CommandError.self) { try releases.rollBack(to: 3) }
    }
}
