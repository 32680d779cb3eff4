import Foundation
import Testing

@testable import Site
@testable import SiteGenerator

@Suite struct GitHistoryTests {
    @Test func `the log is read newest first`() {
        var log = GitLog(wanted: ["a.md", "b c.md", "new.md"])
        for part in [
            "\u{2}2026-03-01T07:08:09+01:00 A. Writer\na.md", "x.md", "",
            "\u{2}2026-02-01T07:08:09Z B\na.md", "b c.md",
        ] {
            log.take(part)
        }
        #expect(
            log.changes == [
                "a.md": .init(date: "2026-03-01T07:08:09+01:00", author: "A. Writer"),
                "b c.md": .init(date: "2026-02-01T07:08:09Z", author: "B"),
            ]
        )
        #expect(!log.isComplete)
        log.take("new.md")
        #expect(log.isComplete)
    }

    private static func git(_ folder: String, _ arguments: String..., day: Int = 6) throws {
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments =
            ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"] + arguments
        git.environment = ProcessInfo.processInfo.environment.merging([
            "GIT_COMMITTER_DATE": "2026-05-0\(day)T07:08:09+0100",
            "GIT_AUTHOR_DATE": "2025-01-01T00:00:00Z",
        ]) { _, new in new }
        try git.run()
        git.waitUntilExit()
        try #require(git.terminationStatus == 0)
    }

    /// A repository with two commits.
    private static func repository() throws -> TemporarySite {
        let work = try TemporarySite([
            "site/ä b.md": "a", "site/second.md": "a", "site/new.md": "a",
        ])
        try git(work.folder.path, "init", "-q")
        try git(work.folder.path, "add", "site/ä b.md")
        try git(work.folder.path, "commit", "-qm", "a")
        try git(work.folder.path, "add", "site/second.md")
        try git(work.folder.path, "commit", "-qm", "b", day: 7)
        return work
    }

    private static let paths = ["ä b.md", "second.md", "new.md"]
    private static let changes = [
        "ä b.md": GitHistory.Change(date: "2026-05-06T07:08:09+01:00", author: "a"),
        "second.md": GitHistory.Change(date: "2026-05-07T07:08:09+01:00", author: "a"),
    ]

    @Test func `outside of a repository no dates are expected`() async throws {
        let work = try TemporarySite(["site/a.md": "a"])
        for folder in ["site", "none"] {
            let path = work.folder.appending(path: folder).path
            let answer = await GitHistory(seconds: 600).lastChanges(in: path, of: ["a.md"])
            #expect(answer.changes.isEmpty && answer.problem == nil)
        }
    }

    @Test func `files have the dates of their commits, and files without a commit have none`()
        async throws
    {
        let work = try Self.repository()
        let answer = await GitHistory(seconds: 600).lastChanges(
            in: work.folder.path + "/site",
            of: Self.paths
        )
        #expect(answer.changes == Self.changes && answer.problem == nil)
    }

    @Test(arguments: [
        ["log.showRoot", "false"], ["core.quotePath", "true"], ["diff.renames", "copies"],
        ["log.showSignature", "true"], ["log.date", "relative"], ["color.ui", "always"],
        ["diff.external", "/bin/false"], ["log.follow", "true"], ["diff.relative", "false"],
    ]) func `the settings of people do not change the days`(_ setting: [String]) async throws {
        let work = try Self.repository()
        try Self.git(work.folder.path, "config", setting[0], setting[1])
        let answer = await GitHistory(seconds: 600).lastChanges(
            in: work.folder.path + "/site",
            of: Self.paths
        )
        #expect(answer.changes == Self.changes && answer.problem == nil)
    }

    /// git lets an author commit files that together are a bare repository, with a configuration that
    /// runs commands, reads files and forges dates.
    @Test func `a repository that an author commits into the source folder is not used`()
        async throws
    {
        let work = try Self.repository()
        try work.write("token", "deploytoken4f9a8c7e6d\n")
        try work.write("site/HEAD", "ref: refs/heads/main\n")
        try work.write("site/objects/.keep", "")
        try work.write("site/refs/.keep", "")
        try work.write(
            "site/config",
            "[core]\nbare = true\n[include]\npath = \(work.folder.path)/token\n"
        )
        let site = work.folder.path + "/site"
        let answer = await GitHistory(seconds: 600).lastChanges(in: site, of: Self.paths)
        #expect(answer.changes == Self.changes && answer.problem == nil)
        // Not even if the repository around it is broken.
        try FileManager.default.removeItem(atPath: work.folder.path + "/.git/HEAD")
        let broken = await GitHistory(seconds: 600).lastChanges(in: site, of: Self.paths)
        #expect(broken.changes.isEmpty)
        #expect(broken.problem == "git failed; 'git log' in the source folder says why")
    }

    @Test func `a shallow clone has no days and says so`() async throws {
        let work = try Self.repository()
        let clone = work.folder.path + "/clone"
        try Self.git("/", "clone", "-q", "--depth=1", "file://\(work.folder.path)", clone)
        let answer = await GitHistory(seconds: 600).lastChanges(in: clone + "/site", of: Self.paths)
        #expect(answer.changes.isEmpty)
        #expect(answer.problem?.hasPrefix("the clone is shallow") == true)
    }

    @Test(arguments: [
        // Too slow, but for what it says at once.
        (
            "printf '\\0022026-05-06\\na.md\\0'; exec sleep 600",
            "git did not answer within 2 seconds"
        ),
        ("exec sleep 600", "git did not answer within 2 seconds"),
        // Ends in the middle.
        (
            "printf '\\0022026-05-06\\na.md\\0'; echo 'fatal: bad object' >&2; exit 128",
            "git failed; 'git log' in the source folder says why"
        ),
        ("kill -9 $$", "git failed; 'git log' in the source folder says why"),
        // Before the first commit nobody expects dates.
        ("echo 'fatal: your branch does not have any commits yet' >&2; exit 128", nil),
    ]) func `an incomplete answer of git is not used, and is reported`(
        _ script: String,
        _ problem: String?
    ) async throws {
        let work = try Self.repository()
        try work.write(
            "bin/git",
            "#!/bin/sh\ncase \"$*\" in *rev-parse*) echo false; exit;; esac\n\(script)\n"
        )
        let program = work.folder.path + "/bin/git"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        var history = GitHistory()
        history.searchPath = work.folder.path + "/bin:/usr/bin:/bin"
        // A busy machine may take long to start a program that then ends at once.
        history.seconds = script.contains("sleep") ? 2 : 240
        let start = ContinuousClock.now
        let answer = await history.lastChanges(
            in: work.folder.path + "/site",
            of: ["a.md", "b.md"]
        )
        #expect(answer.changes.isEmpty)
        #expect(answer.problem == problem)
        #expect(ContinuousClock.now - start < .seconds(300))
    }

    @Test func `a repository without git is reported`() async throws {
        let work = try Self.repository()
        var history = GitHistory()
        history.searchPath = work.folder.path
        let answer = await history.lastChanges(in: work.folder.path + "/site", of: ["a.md"])
        #expect(answer.changes.isEmpty && answer.problem == "git cannot be run")
    }

    @Test func `a site whose dates are unknown builds with a warning`() async throws {
        let work = try Self.repository()
        let clone = work.folder.path + "/clone"
        try Self.git("/", "clone", "-q", "--depth=1", "file://\(work.folder.path)", clone)
        try work.write("clone/sitegen.toml", "")
        let outcome = await SiteBuild.run(
            configurationPath: clone + "/sitegen.toml",
            BuildOptions(now: 0)
        )
        #expect(outcome.release == 1)
        #expect(
            outcome.diagnostics.filter { $0.severity != .note }.map(\.rule) == ["no-git-history"]
        )
    }

    @Test func `pages name their last author only if the site wants that`() async throws {
        let work = try Self.repository()
        for (setting, shown) in [("", false), ("show_authors = true\n", true)] {
            try work.write("sitegen.toml", setting)
            let outcome = await work.build { $0.asksGit = true }
            try #require(outcome.release != nil, "\(outcome.diagnostics)")
            let page = try work.files("public")["site/second/index.html"] ?? Data()
            #expect(String(decoding: page, as: UTF8.self).contains("</time> by a</span>") == shown)
        }
    }
}
