import Foundation
import Testing

@testable import SiteGenerator

@Suite struct GitHistoryTests {
    @Test func `the log is read newest first`() {
        var log = GitLog(wanted: ["a.md", "b c.md", "new.md"])
        for part in ["\u{2}2026-03-01\na.md", "x.md", "", "\u{2}2026-02-01\na.md", "b c.md"] {
            log.take(part)
        }
        #expect(log.days == ["a.md": "2026-03-01", "b c.md": "2026-02-01"])
        #expect(!log.isComplete)
        log.take("new.md")
        #expect(log.isComplete)
    }

    @Test func `git is asked once, and needs not be there`() async throws {
        let files = FileManager.default
        let work = files.temporaryDirectory.appending(path: "git-\(UUID().uuidString)")
        defer { try? files.removeItem(at: work) }
        try files.createDirectory(
            at: work.appending(path: "site"),
            withIntermediateDirectories: true
        )
        try "a".write(to: work.appending(path: "site/ä b.md"), atomically: false, encoding: .utf8)
        let folder = work.path + "/site"
        #expect(await GitHistory.lastChanges(in: folder, of: ["ä b.md"]).isEmpty)
        #expect(await GitHistory.lastChanges(in: work.path + "/none", of: ["a"]).isEmpty)
        for arguments in [
            ["init", "-q"], ["add", "."],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
        ] {
            let git = Process()
            git.executableURL = URL(filePath: "/usr/bin/env")
            git.arguments = ["git", "-C", work.path] + arguments
            git.environment = ProcessInfo.processInfo.environment.merging([
                "GIT_COMMITTER_DATE": "2026-05-06T07:08:09Z",
                "GIT_AUTHOR_DATE": "2025-01-01T00:00:00Z",
            ]) { _, new in new }
            try git.run()
            git.waitUntilExit()
        }
        let days = await GitHistory.lastChanges(in: folder, of: ["ä b.md", "new.md"])
        #expect(days == ["ä b.md": "2026-05-06"])
    }
}
