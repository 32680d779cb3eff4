import Deflate
import Fixtures
import POSIX
import Testing

@testable import Releases
@testable import SiteGenerator

/// Releases that are built on one machine and published on another.
@Suite struct ActivationTests {
    private func content(_ site: IncomingSite) throws -> [String: [UInt8]] {
        try IncomingSite.files("\(site.server)/\(#require(current(site)))")
    }

    private func current(_ site: IncomingSite) -> String? {
        SymbolicLink.destination(of: "\(site.server)/current")
    }

    @Test func `a release of a build arrives as it was built`() async throws {
        let source = try TemporarySite()
        try source.write("sitegen.toml", "precompress = true")
        let rows = String(repeating: "1,2,3\n", count: 500)
        try source.write("site/index.md", "# Home\n\n" + IncomingSite.long)
        try source.write("site/rows.csv", rows)
        try File.write(
            CompressionTests.gzip(rows),
            to: source.folder.appending(path: "site/rows.csv.gz").path
        )
        let built = try await source.release().path
        let site = try IncomingSite()
        try File.setModified(built, seconds: IncomingSite.now - 1)
        let outcome = try await site.activate(built)
        #expect(outcome.release == 1 && !outcome.isUnchanged && outcome.failures.isEmpty)
        let files = try content(site)
        #expect(try files == IncomingSite.files(built))
        #expect(files.keys.contains("site/index.html.gz"))
        for (path, bytes) in files where path.hasPrefix("theme/") && !path.hasSuffix("/") {
            #expect(try File.read("\(site.server)/\(path)") == bytes)
        }
        #expect(try Releases(in: site.server).list().map(\.time) == [IncomingSite.now - 1])
    }

    @Test func `what is unchanged is linked to the release before, and nothing to the folder`()
        async throws
    {
        let site = try IncomingSite()
        try await site.publish()
        let outcome = try await site.publish(
            ["site/index.html": "<h1>New</h1>", "site/hr/list.pdf": nil, "site/new.txt": "New"],
            at: 10
        )
        #expect(outcome.release == 2 && outcome.files - outcome.linked == 2)
        #expect(try content(site) == IncomingSite.files(site.incoming))
        let inodes = try ["\(site.server)/releases/1", "\(site.server)/releases/2", site.incoming]
            .map { try FileStatus(of: "\($0)/site/hr/index.html").inode }
        #expect(inodes[0] == inodes[1] && inodes[1] != inodes[2])
        // Whoever can write to the folder can change nothing that is published.
        let page = "\(site.incoming)/site/index.html"
        #expect(
            try FileStatus(of: page).inode
                != FileStatus(of: "\(site.server)/current/site/index.html").inode
        )
    }

    @Test func `the server numbers its releases and keeps as many as it is told`() async throws {
        let site = try IncomingSite()
        for number in 1...5 {
            try site.receive(["site/index.html": "\(number)"], at: number)
            #expect(try await site.activate(keeping: 3).release == number)
        }
        #expect(try ReleaseFolder(output: site.server).numbers() == [3, 4, 5])
    }

    @Test func `a release with the same files stays, whenever it was built`() async throws {
        let site = try IncomingSite()
        try await site.publish()
        let before = try site.onServer()
        let outcome = try await site.publish(at: 10)
        #expect(outcome.isUnchanged && outcome.release == 1 && outcome.failures.isEmpty)
        #expect(try site.onServer() == before)
        // A release with fewer files has other files.
        #expect(try await site.publish(["site/hr/list.pdf": nil], at: 10).release == 2)
    }

    @Test func `a release that was built before another one is refused, after a rollback too`()
        async throws
    {
        let site = try IncomingSite()
        try await site.publish(at: 1)
        try await site.publish(["site/index.html": "Two"], at: 5)
        _ = try Releases(in: site.server).rollBack(to: 1)
        try site.receive(["site/index.html": "Old"], at: 4)
        #expect(
            try await site.refusal()
                == "nothing is published: release 2 was built later; 'sitegen releases rollback' goes"
                + " back to an older one"
        )
        #expect(current(site) == "releases/1")
        #expect(try await site.publish(["site/index.html": "Three"], at: 6).release == 3)
        // The same files, built later, make no release, but count.
        #expect(try await site.publish(["site/index.html": "Three"], at: 9).isUnchanged)
        try site.receive(["site/index.html": "Old"], at: 8)
        #expect(try await site.refusal()?.contains("release 3 was built later") == true)
        try site.receive(["site/index.html": "Four"], at: 301)
        #expect(
            try await site.refusal()
                == "nothing is published: the release was built 301 s after now; set the clocks right"
        )
        // A build on the server counts, too.
        let local = try ReleaseWriter(output: site.server, syncs: false)
        try local.write([], to: "access")
        _ = try local.finish(keeping: 1)
        let release = "\(site.server)/releases/\(local.number)"
        try File.setModified(release, seconds: IncomingSite.now + 20)
        try site.receive(["site/index.html": "Slow"], at: 19)
        #expect(try await site.refusal()?.contains("release 4 was built later") == true)
        #expect(try await site.publish(["site/index.html": "Five"], at: 20).release == 5)
    }

    @Test func `what somebody has changed on the server does not survive the next release`()
        async throws
    {
        let site = try IncomingSite()
        let page = "site/index.html"
        let text = Array("<h1>Home</h1>\(IncomingSite.long)".utf8)
        var files = IncomingSite.required.merging(IncomingSite.pages) { $1 }
            .mapValues { Array($0.utf8) }
        files["\(page).gz"] = Gzip.compress(text)
        try site.receive(files)
        _ = try await site.activate()
        let copy = "\(site.server)/current/\(page).gz"
        let other = Array(String(repeating: "Come to evil.example. ", count: 20).utf8)
        try File.write(Gzip.compress(other).dropLast(8) + File.read(copy).suffix(8), to: copy)
        try File.write(Array("Changed".utf8), to: "\(site.server)/current/site/hr/list.pdf")
        let outcome = try await site.activate()
        #expect(!outcome.isUnchanged && outcome.files - outcome.linked == 2)
        #expect(try content(site) == IncomingSite.files(site.incoming))
    }

    @Test func `activations at the same time leave whole releases`() async throws {
        let site = try IncomingSite()
        let folders = (1...6).map { site.folder.path("incoming-\($0)") }
        for (number, folder) in folders.enumerated() {
            let text = "Version \(number)" + String(repeating: " of it", count: 500)
            let changes = (0..<20).map { ("site/p\($0)/index.html", text) }
            try site.receive(Dictionary(uniqueKeysWithValues: changes), at: number)
            try File.rename(site.incoming, to: folder)
        }
        await withTaskGroup { group in
            for path in folders.shuffled() { group.addTask { _ = try? await site.activate(path) } }
        }
        // Some were older than those before them; the newest was never refused.
        #expect(try content(site) == IncomingSite.files(site.folder.path("incoming-6")))
        for number in try ReleaseFolder(output: site.server).numbers() {
            let pages = try (0..<20).map {
                try File.read("\(site.server)/releases/\(number)/site/p\($0)/index.html")
            }
            #expect(Set(pages).count == 1)
        }
    }
}
