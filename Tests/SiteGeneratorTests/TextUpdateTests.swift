import Foundation
import POSIX
import Testing

@testable import SiteGenerator

/// What a build takes over after a change of texts, and what it must not take over.
@Suite struct TextUpdateTests {
    private static func site(_ configuration: String = "", _ more: [String: String] = [:]) throws
        -> TemporarySite
    {
        var files = [
            "sitegen.toml":
                "fsync = false\n[checks]\ndead-link = 'warning'\nmissing-asset = 'warning'\n\(configuration)",
            "site/index.md": "# Home\n", "site/a.md": "# A\n\nOne.\n", "site/b.md": "# B\n\nTwo.\n",
        ]
        for (path, text) in more { files[path] = text }
        return try TemporarySite(files)
    }

    /// Builds, and compares with a build from nothing.
    private static func compare(_ site: TemporarySite, _ what: String) async throws {
        let outcome = await site.build()
        let clean = await site.build {
            $0.output = site.folder.path + "/clean"
            $0.isIncremental = false
        }
        #expect(outcome.diagnostics == clean.diagnostics, "\(what)")
        #expect(try site.files("public") == site.files("clean"), "\(what)")
        try FileManager.default.removeItem(atPath: site.folder.path + "/clean")
    }

    @Test func `a finding moves with its line`() async throws {
        let site = try Self.site("", ["site/a.md": "# A\n\n[dead](none.md)\n"])
        try await Self.compare(site, "first")
        try site.write("site/a.md", "# A\n\nMore.\n\n[dead](none.md)\n")
        try await Self.compare(site, "moved")
    }

    @Test func `a file that is ignored now explains a dead link`() async throws {
        let site = try Self.site("", ["site/a.md": "# A\n\n[dead](b.txt~)\n"])
        try await Self.compare(site, "first")
        try site.write("site/b.txt~", "")
        try await Self.compare(site, "ignored")
    }

    @Test func `lists of readers keep their compressed copies`() async throws {
        var files: [String: String] = [:]
        for number in 0..<40 {
            files["site/g\(number)/index.md"] =
                "# A long name of a part of the company \(number)\n"
        }
        let site = try Self.site("", files)
        try site.write("sitegen.toml", "precompress = true\nfsync = false\n")
        try await Self.compare(site, "first")
        let path = "site/_reader/signed-in.json.gz"
        #expect(try site.files("public")[path] != nil)
        try site.write("site/g3/index.md", (files["site/g3/index.md"] ?? "") + "\nMore.\n")
        try await Self.compare(site, "changed")
        #expect(try site.files("public")[path] != nil)
    }

    @Test func `a frame that somebody has changed in the release is not taken over`() async throws {
        let site = try Self.site()
        _ = await site.build()
        let file = site.current.appending(path: "site/b/index.html")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("<title>", with: "<title>changed by hand").write(
            to: file,
            atomically: false,
            encoding: .utf8
        )
        try site.write("site/b.md", "# B\n\nNew.\n")
        try await Self.compare(site, "changed by hand")
    }

    @Test(arguments: ["", "search = false\n"])
    func `records that are lost cost time, and no page`(configuration: String) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "fsync = false\n\(configuration)", "site/index.md": "# Home\n",
            "site/a.md": "# A\n\n[b](b.md)\n", "site/b.md": "# B\n\nTwo.\n",
        ])
        _ = await site.build()
        let log = site.folder.path + "/public/.cache/records"
        let size = try FileStatus(of: log).size
        // More than half of the log is not used, so it is copied.
        let zeros = [UInt8](repeating: 0, count: size + 3 << 20)
        try File.write(zeros, to: log)
        for step in 0..<4 {
            try site.write("site/b.md", "# B\n\nText \(step).\n")
            try await Self.compare(site, "lost, \(step)")
        }
        try site.write("site/a.md", "# A\n\n[b](b.md) [b](b.md)\n")
        try await Self.compare(site, "another link")
        try site.write("site/b.md", "# B\n\nLast.\n")
        try await Self.compare(site, "last")
    }

    @Test func `an index is made of what the last build has kept`() async throws {
        let site = try Self.site("", ["site/draft.md": "---\ndraft: true\n---\n# D\n"])
        _ = await site.build()
        let found = SiteFolders.find(site.folder.path + "/sitegen.toml", BuildOptions(now: 0))
        let folders = try #require(found.folders)
        let cache = BuildCache(folders.configuration, output: site.folder.path + "/public")
        let index = try #require(cache.previous)
        let release = try #require(cache.previousRelease)
        let update = SearchUpdate(index, cache, changed: ["/b/"], release: release)
        var replaced: Set<String> = []
        let files = try #require(await update.files(replacing: &replaced))
        #expect(Set(files.map(\.path)) == replaced && replaced.count == 1)
    }

    @Test func `runs of earlier texts are not kept`() async throws {
        let site = try Self.site()
        var sizes: [Int] = []
        for step in 0..<12 {
            try site.write("site/b.md", "# B\n\nText number\(step).\n")
            _ = await site.build()
            sizes.append(try FileStatus(of: site.folder.path + "/public/.cache/index").size)
        }
        #expect(sizes[11] <= sizes[1] + 64, "\(sizes)")
    }

    @Test func `a release that was not synced is written again when it should be`() async throws {
        let site = try Self.site()
        #expect(await site.build().release == 1)
        #expect(await site.build { $0.syncs = false }.isUnchanged)
        try site.write("sitegen.toml", "[checks]\ndead-link = 'warning'\n")
        #expect(await site.build { $0.syncs = false }.release == 2)
        #expect(await site.build { $0.syncs = false }.isUnchanged)
        #expect(await site.build().release == 3)
        #expect(await site.build().isUnchanged)
    }

    @Test func `a verified build compares itself with one from nothing`() async throws {
        let site = try Self.site()
        var options = BuildOptions(now: 1_795_348_800)
        options.asksGit = false
        let path = site.folder.path + "/sitegen.toml"
        let good = await SiteBuild.runVerified(configurationPath: path, options)
        #expect(good.release == 1 && good.diagnostics.isEmpty, "\(good.diagnostics)")
        try site.write("public/current/site/strange.html", "x")
        let bad = await SiteBuild.runVerified(configurationPath: path, options)
        #expect(bad.hasErrors && bad.diagnostics[0].message.contains("site/strange.html"))
        let cache = site.folder.path + "/public/.cache"
        #expect(!FileManager.default.fileExists(atPath: cache))
        let left = try Folder.entries(of: site.folder.path + "/public").map(\.name)
        #expect(!left.contains { $0.hasPrefix(".verify") })
    }
}
