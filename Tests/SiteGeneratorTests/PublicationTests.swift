import Foundation
import POSIX
import Synchronization
import Testing

@testable import Releases
@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

/// What is on disk after builds that meet, fail or follow one another.
@Suite struct PublicationTests {
    private static func site() throws -> TemporarySite {
        try TemporarySite(["sitegen.toml": "releases_kept = 3\n", "site/index.md": "# One\n"])
    }

    private static func entries(_ site: TemporarySite, _ folder: String = "releases") throws
        -> [String]
    {
        try Folder.entries(of: "\(site.folder.path)/public/\(folder)").map(\.name)
    }

    private static func page(_ site: TemporarySite) throws -> String {
        try String(contentsOf: site.current.appending(path: "site/index.html"), encoding: .utf8)
    }

    @Test func `a build that waited publishes what the site is then`() async throws {
        let site = try Self.site()
        try await site.newRelease()
        let output = site.folder.path + "/public"
        let lock = try FileLock.take("\(output)/.lock")
        let (waits, tell) = AsyncStream<String>.makeStream()
        async let waiting = site.build { $0.tellWait = { tell.yield($0) } }
        for await message in waits {
            #expect(message == "another build publishes to '\(output)'; waiting until it ends")
            break
        }
        // The other build has read this, and the one that waits must not publish what was before.
        try site.write("site/index.md", "---\naccess: [hr]\n---\n# Two\n")
        try site.write("sitegen.toml", "title = 'New'\n[groups]\nhr = { role = 'HR' }\n")
        _ = consume lock
        let outcome = await waiting
        #expect(outcome.release == 2, "\(outcome.diagnostics)")
        #expect(try Self.page(site).contains("Two"))
        let access = try String(contentsOf: site.current.appending(path: "access"), encoding: .utf8)
        #expect(access.contains("allow [hr] /\n"))
    }

    /// Sees whether builds overlap, from what they tell of their steps.
    private final class Overlaps: Sendable {
        private let state = Mutex((isBusy: false, count: 0))

        var count: Int { state.withLock { $0.count } }

        func note(_ step: BuildProgress.Step, _ done: Int, _ total: Int) {
            guard done == total else { return }
            if step == .reading {
                state.withLock { state in
                    if state.isBusy { state.count += 1 }
                    state.isBusy = true
                }
                Host.sleep(milliseconds: 20)
            } else if step == .publishing {
                state.withLock { $0.isBusy = false }
            }
        }
    }

    @Test func `while a build reads, another one does not begin`() async throws {
        let site = try Self.site()
        let overlaps = Overlaps()
        @Sendable func build() async -> BuildOutcome {
            await site.build {
                $0.checks.progress = BuildProgress(overlaps.note)
                // The machine may do other work.
                $0.secondsToWait = 600
            }
        }
        async let first = build()
        async let second = build()
        async let third = build()
        let outcomes = await [first, second, third]
        #expect(outcomes.map(\.release) == [1, 1, 1])
        #expect(outcomes.count { $0.isUnchanged } == 2)
        #expect(overlaps.count == 0)
    }

    @Test func `without time to wait a build is refused, and a check is not`() async throws {
        let site = try Self.site()
        try await site.newRelease()
        let lock = try FileLock.take("\(site.folder.path)/public/.lock")
        let outcome = await site.build { $0.secondsToWait = 0 }
        #expect(outcome.hasFailed && outcome.release == nil)
        #expect(outcome.diagnostics.first?.message.hasPrefix("another build publishes to") == true)
        let check = await site.build { $0.checks.publishes = false }
        #expect(check.diagnostics.isEmpty)
        let preview = await site.build { $0.output = site.folder.path + "/elsewhere" }
        #expect(preview.release == 1)
        _ = consume lock
    }

    @Test func `a build after a rollback removes neither release that was served`() async throws {
        let site = try TemporarySite([
            "sitegen.toml": "releases_kept = 2\n", "site/index.md": "# One\n",
        ])
        for _ in 1...2 { try await site.newRelease() }
        let releases = Releases(in: site.folder.path + "/public")
        #expect(try releases.rollBack(to: nil) == (2, 1))
        let third = try await site.newRelease()
        #expect(third.lastPathComponent == "3")
        #expect(try Self.entries(site) == ["1", "3"])
        try await site.newRelease()
        #expect(try Self.entries(site) == ["3", "4"])
    }

    @Test func `of a release that was never current nothing stays`() async throws {
        let site = try Self.site()
        for _ in 1...3 { try await site.newRelease() }
        // As if the machine had stopped before 'current' was exchanged.
        let folder = site.folder.path + "/public"
        try SymbolicLink.replace("\(folder)/current", with: "releases/2")
        try SymbolicLink.replace("\(folder)/releases/.unpublished", with: "3")
        let release = try await site.newRelease()
        #expect(try Self.entries(site) == ["1", "2", release.lastPathComponent])
        // And after it was exchanged.
        try SymbolicLink.replace(
            "\(folder)/releases/.unpublished",
            with: release.lastPathComponent
        )
        try await site.newRelease()
        #expect(try Self.entries(site).contains(release.lastPathComponent))
    }

    @Test func `files of others in the folder of releases stay`() async throws {
        let site = try Self.site()
        try await site.newRelease()
        let strange = [".gitkeep", ".nfs00001", "08", "7", "README"]
        for name in strange { try site.write("public/releases/\(name)", "") }
        try site.write("public/releases/notes/a.txt", "")
        // What a killed build left.
        try site.write("public/releases/.2/site/index.html", "half")
        try site.write("public/releases/.9", "")
        let release = try await site.newRelease()
        #expect(release.lastPathComponent == "8")
        #expect(try Self.entries(site) == (["1", "8", "notes"] + strange).sorted())
        #expect(try Releases(in: site.folder.path + "/public").list().map(\.number) == [1, 8])
    }

    @Test(arguments: [false, true])
    func `a build that fails leaves nothing of its release`(isChanged: Bool) async throws {
        let site = try Self.site()
        try await site.newRelease()
        // A folder with the name of a file of the theme.
        let theme = site.folder.path + "/public/theme"
        try FileManager.default.removeItem(atPath: theme)
        try site.write("public/theme", "")
        if isChanged { try site.write("site/index.md", "# Two\n") }
        let outcome = await site.build()
        #expect(outcome.hasFailed && outcome.release == nil)
        #expect(try Self.entries(site) == ["1"])
    }

    @Test func `an old release that cannot be removed is a warning`() async throws {
        let site = try Self.site()
        for _ in 1...3 { try await site.newRelease() }
        let folder = ReleaseFolder(output: site.folder.path + "/public")
        try site.write("public/releases/.removed-1/file", "")
        let (kept, failures) = folder.retireOld(previous: 2, keeping: 2)
        #expect(kept == [2, 3])
        #expect(failures.count == 1 && failures[0].contains("directory not empty"))
        #expect(await folder.removeRetired().isEmpty)
        #expect(folder.retireOld(previous: 2, keeping: 2).failures.isEmpty)
        #expect(try Self.entries(site) == [".removed-1", "2", "3"])
        #expect(await folder.removeRetired().isEmpty)
        #expect(try Self.entries(site) == ["2", "3"])
    }

    @Test func `a source that becomes a link after the listing is not published`() async throws {
        let site = try Self.site()
        let secret = site.folder.path + "/secret"
        try File.write(Array("secret".utf8), to: secret)
        try site.write("site/a/file.txt", "plain")
        try site.write("site/a/picture.png", "plain")
        let tree = SourceTree(listing: site.folder.path + "/site", displayFolder: "site")
        #expect(tree.diagnostics.isEmpty)
        for name in ["file.txt", "picture.png"] {
            let file = site.folder.path + "/site/a/\(name)"
            try File.remove(file)
            try SymbolicLink.replace(file, with: secret)
        }
        let assets = tree.files.filter { $0.path.hasPrefix("a/") }
        #expect(assets.count == 2)
        for file in assets { #expect(throws: SystemError.self) { try file.read() } }
        let parts = Site(SiteConfiguration(), folder: "site", pages: [], assets: assets)
        let sizes = await ImageSizes(parts)
        let paths = ["site/a/file.txt", "site/a/picture.png"]
        #expect(sizes.diagnostics.map(\.location?.path) == paths)
    }
}
