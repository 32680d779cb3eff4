import Fixtures
import Foundation
import Synchronization
import Testing

@testable import Site
@testable import SiteGenerator

@Suite(.serialized) struct SourceWatcherTests {
    @Test func `replaced files, new folders and what comes back are noticed`() async throws {
        try await withWatchedSite { site in
            try site.write("site/a.md", "# A")
            try await site.change()
            try site.write("site/.a.md.new", "# B")
            try await site.silence()
            try site.move("site/.a.md.new", "site/a.md")
            try await site.change()
            // A folder in a folder, and at once a file in it.
            try site.write("site/new/deeper/b.md", "# B")
            try await site.change()
            try site.write("site/new/deeper/b.md", "# C")
            try await site.change()
            try site.move("site/new", "elsewhere")
            try await site.change()
            try site.write("elsewhere/deeper/b.md", "# D")
            try await site.silence()
            try site.remove("site")
            try await site.change()
            try site.write("site/c.md", "# C")
            try await site.change()
            try site.write("site/c.md", "# D")
            try await site.change()
        }
    }

    @Test func `templates and sitegen.toml are watched, but not files beside them`() async throws {
        try await withWatchedSite { site in
            try site.write("other.txt", "x")
            try site.write("public/releases/1/a", "x")
            try await site.silence()
            try site.write("templates/theme/site.css", "x")
            try await site.change()
            try site.write("templates/theme/site.css", "y")
            try await site.change()
            try site.write("site.toml.new", "title = \"x\"\nsource = \"pages\"\n")
            try site.move("site.toml.new", "sitegen.toml")
            try await site.change()
            try site.write("pages/a.md", "# A")
            try await site.change()
            try site.write("pages/a.md", "# B")
            try await site.change()
            try site.write("site/a.md", "# A")
            try await site.silence()
        }
    }

    /// As in a shared folder: the kernel reports a change when the file is closed.
    @Test func `a change that the kernel does not report is noticed`() async throws {
        try await withWatchedSite { site in
            let file = try FileHandle(
                forWritingTo: site.folder.url.appending(path: "site/index.md")
            )
            try file.write(contentsOf: Data("# Changed".utf8))
            try await site.change()
            try file.close()
        }
    }

    @Test func `a burst is one change`() async throws {
        try await withWatchedSite { site in
            for number in 0..<300 { try site.write("site/\(number).md", "# \(number)") }
            try await site.change()
            try await Task.sleep(for: .milliseconds(300))
            // On a busy machine the writing itself takes longer than a burst may.
            #expect(site.count < 60)
        }
    }

    @Test func `a burst ends in silence, or after a while`() {
        var burst = Debouncer(startingAt: 100)
        #expect(burst.waiting(at: 100) == 30)
        burst.add(at: 120)
        #expect(burst.waiting(at: 125) == 25)
        #expect(burst.waiting(at: 150) == nil)
        for now in stride(from: 140, to: 600, by: 10) { burst.add(at: now) }
        #expect(burst.waiting(at: 595) == 5)
        #expect(burst.waiting(at: 600) == nil)
    }
}

private func withWatchedSite(_ body: (WatchedSite) async throws -> Void) async throws {
    let site = try WatchedSite()
    try site.write("sitegen.toml", "title = \"x\"\n")
    try site.write("site/index.md", "# Home")
    let path = site.folder.path("sitegen.toml")
    let counting = Task {
        let stream = SourceWatcher.changes(configurationPath: path, BuildOptions(now: 0))
        for try await _ in stream { site.changes.withLock { $0 += 1 } }
    }
    try await site.change()
    try await body(site)
    counting.cancel()
}

/// A site in a temporary folder, and how often a change of it was told.
private final class WatchedSite: Sendable {
    let folder: TemporaryFolder
    let changes = Mutex(0)
    private let seen = Mutex(0)

    var count: Int { changes.withLock(\.self) }

    init() throws { folder = try TemporaryFolder() }

    func write(_ path: String, _ text: String) throws { try folder.write(text, path) }

    func move(_ path: String, _ newPath: String) throws {
        guard rename(folder.path(path), folder.path(newPath)) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: folder.path(path))
    }

    /// Waits for a change, and until what belongs to it is told.
    func change() async throws {
        let before = seen.withLock(\.self)
        for _ in 0..<6000 where count == before { try await Task.sleep(for: .milliseconds(10)) }
        #expect(count > before)
        repeat {
            seen.withLock { $0 = count }
            try await Task.sleep(for: .milliseconds(120))
        } while count > seen.withLock(\.self)
    }

    func silence() async throws {
        try await Task.sleep(for: .milliseconds(200))
        #expect(count == seen.withLock(\.self))
    }
}
